/**
 * Headers of secret addresses: search engines do not index them, and linked pages do not learn
 * them.
 */
export const NOINDEX_HEADERS = {
  "X-Robots-Tag": "noindex, nofollow, noarchive",
  "Referrer-Policy": "no-referrer",
} as const;

/**
 * The same for a page with a form. Under `no-referrer` a browser posts `Origin: null`, and we would
 * refuse our own page.
 */
export const NOINDEX_FORM_HEADERS = {
  ...NOINDEX_HEADERS,
  "Referrer-Policy": "same-origin",
} as const;
