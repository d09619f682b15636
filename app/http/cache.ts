/** Of one person: kept by nobody. */
export const PRIVATE_PAGE = "private, no-store";

/**
 * The same for everyone: the edge keeps it for a minute and renews it behind the next visitor's
 * back.
 */
const PUBLIC_PAGE = "public, max-age=0, s-maxage=60, stale-while-revalidate=600";

/** An address that leads nowhere may lead somewhere soon. */
const PUBLIC_MISS = "public, max-age=0, s-maxage=10";

const SAME_FOR_EVERYONE = [
  /^\/space\/[^/]+\/public(\/[^/]+|\/collections\/[^/]+)?\/?$/,
  /^\/space\/[^/]+\/(rss\.xml|atom\.xml|feed\.json)$/,
  /^\/terms(\/|$)/,
  /^\/pictures\//,
  /^\/(robots\.txt|sitemap\.xml)$/,
  /^\/sitemaps\//,
];
const NOBODY_ASKS = [
  /^\/feed\//,
  /^\/embed\//,
  /^\/healthz$/,
  /^\/resources\/theme$/,
  /^\/api\/v1\/openapi\.json$/,
];

/** Pages rendered once for all: no person is resolved for them and no cookie is set. */
export function isPublicPage(pathname: string): boolean {
  return SAME_FOR_EVERYONE.some((pattern) => pattern.test(pathname));
}

/** Paths for which resolving the person would be a query for nothing. */
export function skipsMemberLookup(pathname: string): boolean {
  return isPublicPage(pathname) || NOBODY_ASKS.some((pattern) => pattern.test(pathname));
}

/**
 * A page for everyone is asked for by its address alone, so that no header of one visitor is in
 * what all others get.
 */
export function anonymousRequest(request: Request): Request {
  return new Request(request.url, { method: request.method });
}

/**
 * Gives `response` the cache rule of its path, unless its route chose one. The path is that of the
 * request as it came: a page's `.data` is asked for with cookies, and is not the page.
 */
export function withCacheControl(response: Response, request: Request): Response {
  if (response.headers.has("Cache-Control")) return response;
  const answer = new Response(response.body, response);
  answer.headers.set("Cache-Control", cacheRule(answer, request));
  return answer;
}

function cacheRule(response: Response, request: Request): string {
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (!isRead || !isPublicPage(new URL(request.url).pathname) || response.headers.has("Set-Cookie"))
    return PRIVATE_PAGE;
  if (response.status === 200) return PUBLIC_PAGE;
  return response.status === 404 ? PUBLIC_MISS : PRIVATE_PAGE;
}
