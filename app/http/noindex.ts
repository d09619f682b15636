/**
 * For what only the bearer of an address may know of: no search engine keeps it, and no page that
 * it leads to learns it.
 */
export const NOINDEX_HEADERS = {
  "X-Robots-Tag": "noindex, nofollow, noarchive",
  "Referrer-Policy": "no-referrer",
} as const;

/**
 * The same for a page with a form: under `no-referrer` a browser posts it without saying from where
 * (`Origin: null`), and we would refuse our own page.
 */
export const NOINDEX_FORM_HEADERS = {
  ...NOINDEX_HEADERS,
  "Referrer-Policy": "same-origin",
} as const;
