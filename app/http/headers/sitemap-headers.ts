export const XML_CONTENT_TYPE = "application/xml";

/** Crawlers read it a few times a day. */
export const SITEMAP_HEADERS = { "Cache-Control": "public, max-age=0, s-maxage=3600" } as const;
