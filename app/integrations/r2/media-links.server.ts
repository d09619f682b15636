import type { LinkSigner, SignedLink } from "#app/domain/media/schema.ts";

const ALGORITHM = { name: "HMAC", hash: "SHA-256" } as const;

/** LinkSigner by HMAC under the product's own secret, kept apart by its first line from whatever else that secret signs. */
export function mediaLinkSigner(secret: string): LinkSigner {
  let key: Promise<CryptoKey> | null = null;
  const importedKey = () => (key ??= crypto.subtle.importKey("raw", new TextEncoder().encode(secret), ALGORITHM, false, ["sign", "verify"]));
  return {
    async sign(link) {
      return base64Url(new Uint8Array(await crypto.subtle.sign(ALGORITHM.name, await importedKey(), signedText(link))));
    },
    async isGenuine(link, signature) {
      const bytes = fromBase64Url(signature);
      return bytes !== null && (await crypto.subtle.verify(ALGORITHM.name, await importedKey(), bytes, signedText(link)));
    },
  };
}

function signedText({ mediaId, variant, personId, expiresAt }: SignedLink): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(["coreto media link 1", mediaId, variant, personId, String(expiresAt)].join("\n"));
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]{1,128}$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}
