export const LINKS_MAX = 5;
export const LINK_TITLE_MAX = 40;
export const LINK_URL_MAX = 300;

/** Where a link of a profile may lead. */
const SCHEMES = new Set(["http:", "https:", "mailto:"]);

/** Where else a person is found: an address of the web or of a mailbox, and how it is called. */
export type ProfileLink = { title: string; url: string };

export type TypedLink = { title: string; url: string };

/**
 * The rows of the form, the title and the address of each at the same place; rows of nothing are
 * left out.
 */
export function parseLinkRows({
  linkTitles,
  linkUrls,
}: {
  linkTitles: string[];
  linkUrls: string[];
}): (TypedLink & { row: number })[] {
  return Array.from({ length: Math.max(linkTitles.length, linkUrls.length) }, (_, row) => ({
    row,
    title: (linkTitles[row] ?? "").trim(),
    url: (linkUrls[row] ?? "").trim(),
  })).filter(({ title, url }) => title !== "" || url !== "");
}

/** What is wrong with a link as it was typed, in words for who typed it; null when nothing is. */
export function linkProblem({ title, url }: TypedLink): string | null {
  if (url === "") return `Falta o endereço de “${title}”.`;
  if (title.length > LINK_TITLE_MAX)
    return `Use até ${LINK_TITLE_MAX} caracteres no nome de cada link.`;
  if (url.length > LINK_URL_MAX) return `Use até ${LINK_URL_MAX} caracteres em cada endereço.`;
  return normalizeLinkUrl(url) === null
    ? `“${url.slice(0, 60)}” não é um endereço. Use algo como https://exemplo.com.br.`
    : null;
}

/** A link as it is kept: the address whole, and called by where it leads when it was called nothing. */
export function profileLink({ title, url }: TypedLink): ProfileLink {
  const address = normalizeLinkUrl(url) ?? "";
  return { title: title || linkHost(address), url: address };
}

/**
 * The address that was meant, or null: what names no scheme is of the web, and a mailbox is written
 * to.
 */
export function normalizeLinkUrl(typed: string): string | null {
  const text = /^[^\s@/:]+@[^\s@/]+\.[^\s@/]+$/.test(typed)
    ? `mailto:${typed}`
    : /^[a-z][a-z0-9+.-]*:/i.test(typed) && !/^[^/]+:\d/.test(typed)
      ? typed
      : `https://${typed}`;
  const parsed = /[\s\p{Cc}]/u.test(text) ? null : URL.parse(text);
  if (
    parsed === null ||
    !SCHEMES.has(parsed.protocol) ||
    parsed.username !== "" ||
    parsed.password !== ""
  )
    return null;
  return parsed.protocol === "mailto:" || parsed.hostname.includes(".") ? parsed.href : null;
}

/** "exemplo.com.br" of an address. */
function linkHost(address: string): string {
  const { protocol, pathname, hostname } = new URL(address);
  return (protocol === "mailto:" ? pathname : hostname.replace(/^www\./, "")).slice(
    0,
    LINK_TITLE_MAX,
  );
}
