/** For what only the bearer of an address may know of: no search engine keeps it, and no page that it leads to learns it. */
export const UNSEEN = { "X-Robots-Tag": "noindex, nofollow, noarchive", "Referrer-Policy": "no-referrer" } as const;
