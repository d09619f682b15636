import type { Signer } from "#app/domain/identity/signing/schema.ts";

const PURPOSE = "public-page-cursor";

/**
 * Signs the cursor of a public page's next page, so that only links of the product reach further
 * pages. A made-up cursor would be an address of its own, and the edge would render it anew. The
 * page's path is signed too: a cursor of another page does not count.
 */
export async function signCursor(signer: Signer, path: string, cursor: string): Promise<string> {
  return `${cursor}.${await signer.sign(PURPOSE, signedText(path, cursor))}`;
}

/** Returns the cursor of a link that `signCursor` made for `path`; null for any other text. */
export async function readSignedCursor(
  signer: Signer,
  path: string,
  text: string | null,
): Promise<string | null> {
  const [cursor, signature, ...rest] = (text ?? "").split(".");
  if (!cursor || !signature || rest.length > 0) return null;
  return (await signer.isGenuine(PURPOSE, signedText(path, cursor), signature)) ? cursor : null;
}

/** Usernames match in any case, and a page answers with a slash at its end too. */
const signedText = (path: string, cursor: string): string =>
  `${path.toLowerCase().replace(/\/$/, "")} ${cursor}`;
