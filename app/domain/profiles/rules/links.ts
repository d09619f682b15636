import { quoted } from "#app/domain/text.ts";
export const LINKS_MAX = 5;
export const LINK_TITLE_MAX = 40;
export const LINK_URL_MAX = 300;

/** Allowed schemes of a profile link. */
const SCHEMES = new Set(["http:", "https:", "mailto:"]);

/** A link of a profile: a web or mail address, and its title. */
export type ProfileLink = { title: string; url: string };

export type TypedLink = { title: string; url: string };

/** Parses the rows of the form: title and URL with the same index. Leaves out empty rows. */
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

/** Returns a message about what is wrong with a typed link, or null. */
export function linkProblem({ title, url }: TypedLink): string | null {
  if (url === "") return `Falta o endereço de ${quoted(title)}.`;
  if (title.length > LINK_TITLE_MAX)
    return `Use até ${LINK_TITLE_MAX} caracteres no nome de cada link.`;
  if (url.length > LINK_URL_MAX) return `Use até ${LINK_URL_MAX} caracteres em cada endereço.`;
  return normalizeLinkUrl(url) === null
    ? `${quoted(url.slice(0, 60))} não é um endereço. Use algo como https://exemplo.com.br.`
    : null;
}

/** Returns a link as it is stored: the complete URL, titled by its host when the title is empty. */
export function profileLink({ title, url }: TypedLink): ProfileLink {
  const address = normalizeLinkUrl(url) ?? "";
  return { title: title || linkHost(address), url: address };
}

/**
 * Returns the intended URL, or null. Without a scheme it is a web address, or `mailto:` for an
 * e-mail.
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

/** Returns the host of a URL: "exemplo.com.br". */
function linkHost(address: string): string {
  const { protocol, pathname, hostname } = new URL(address);
  return (protocol === "mailto:" ? pathname : hostname.replace(/^www\./, "")).slice(
    0,
    LINK_TITLE_MAX,
  );
}
