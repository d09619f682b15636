/** The name in an address that says by which of a creator's links somebody came: `/@ana?l=insta`. */
export const LINK_MARK = "l";

/**
 * The slug of every page's invitation link, which the first steps give. It exists without a row, so
 * nobody can make or archive one of that name.
 */
export const INVITATION_SLUG = "convite";

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

/** Whether a text may be a link's slug: 1 to 40 of small letters, digits and inner hyphens. */
export const isLinkSlug = (text: string): boolean => SLUG.test(text);

/** Returns the slug in an address's query; null for none, and for what is no slug. */
export function linkMarkOf(search: URLSearchParams): string | null {
  const slug = search.get(LINK_MARK) ?? "";
  return isLinkSlug(slug) ? slug : null;
}

/** Adds a slug to a path of our own, before its fragment; the path alone without one. */
export function withLinkMark(path: string, slug: string | null): string {
  if (slug === null) return path;
  const [page = "", ...fragment] = path.split("#");
  const marked = `${page}${page.includes("?") ? "&" : "?"}${LINK_MARK}=${slug}`;
  return [marked, ...fragment].join("#");
}
