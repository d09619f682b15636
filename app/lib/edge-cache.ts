/**
 * The edge's cache of this data center. The type of `caches` here is a browser's, without
 * `default`.
 */
export const edgeCache = (): Cache => (caches as unknown as { default: Cache }).default;

const OF_A_CREATOR = /^\/space\/([^/]+)\//;
const LISTS_CREATORS = /^\/(public|explore\/public(\/[^/]+)?)\/?$/;

/**
 * The tag under which the edge stores the page at `pathname`: the creator whose page it is, or the
 * lists of creators. Null for a page that no change of theirs shows on. The triggers of
 * `page_changes` write the same tags.
 */
export function pageTag(pathname: string): string | null {
  const username = OF_A_CREATOR.exec(pathname)?.[1];
  if (username !== undefined) return `space:${username.toLowerCase()}`;
  return LISTS_CREATORS.test(pathname) ? "explore" : null;
}

/** Where the edge's cache stores when the pages of `tag` were purged. Nobody can ask for it. */
export const purgeMarkUrl = (origin: string, tag: string): string =>
  `${origin}/.purged/${encodeURIComponent(tag)}`;

/** The header of that entry: pages that were rendered until then (epoch milliseconds) are stale. */
export const PURGED_AT_HEADER = "X-Coreto-Purged-At";

/** Longer than any page is stored. */
export const PURGE_MARK_SECONDS = 3_600;
