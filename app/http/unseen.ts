/**
 * For what only the bearer of an address may know of: no search engine keeps it, and no page that
 * it leads to learns it.
 */
export const UNSEEN = {
  "X-Robots-Tag": "noindex, nofollow, noarchive",
  "Referrer-Policy": "no-referrer",
} as const;

/**
 * The same for a page with a form: under `no-referrer` a browser posts it without saying from where
 * (`Origin: null`), and we would refuse our own page.
 */
export const UNSEEN_FORM = { ...UNSEEN, "Referrer-Policy": "same-origin" } as const;
