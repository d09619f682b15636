import { postKinds } from "#app/domain/discovery/schema.ts";
import type { Signer } from "#app/domain/identity/signing/schema.ts";
import { creatorCategories } from "#app/domain/profiles/rules/categories.ts";
import { isLinkSlug, LINK_MARK } from "#app/lib/link-mark.ts";
import { readSignedCursor } from "#app/http/public-pages/public-cursor.server.ts";

/** For one person: never cached. */
export const PRIVATE_PAGE = "private, no-store";

/** For everyone: the edge caches it for a minute, and shows it longer while it is renewed. */
const PUBLIC_PAGE = "public, max-age=0, s-maxage=60, stale-while-revalidate=600";

/**
 * A post with its comments: no older than a minute, so that a comment that was hidden or removed is
 * gone by then.
 */
const PUBLIC_POST_PAGE = "public, max-age=0, s-maxage=60";

/** A missing page may exist soon. */
const PUBLIC_MISS = "public, max-age=0, s-maxage=10";

const SAME_FOR_EVERYONE = [
  /^\/(public|explore\/public(\/[^/]+)?)\/?$/,
  /^\/space\/[^/]+\/public(\/[^/]+|\/collections\/[^/]+|\/events\/[^/]+)?\/?$/,
  /^\/space\/[^/]+\/(rss\.xml|atom\.xml|feed\.json)$/,
  /^\/terms(\/|$)/,
  /^\/pictures\//,
  /^\/(humans\.txt|robots\.txt|sitemap\.xml|\.well-known\/security\.txt)$/,
  /^\/sitemaps\//,
];
const NOBODY_ASKS = [
  /^\/feed\//,
  /^\/embed\//,
  /^\/mail\//,
  /^\/healthz$/,
  /^\/ajuda\/?$/,
  /^\/\.well-known\//,
  /^\/resources\/(theme|measurement)$/,
  /^\/api\/v1\/openapi\.json$/,
];

/** Whether a page is rendered once for everyone: no viewer is resolved and no cookie is set. */
export function isPublicPage(pathname: string): boolean {
  return SAME_FOR_EVERYONE.some((pattern) => pattern.test(pathname));
}

/** Whether the path needs no viewer, so that the lookup is skipped. */
export function skipsMemberLookup(pathname: string): boolean {
  return isPublicPage(pathname) || NOBODY_ASKS.some((pattern) => pattern.test(pathname));
}

const PUBLIC_POST = /^\/space\/[^/]+\/public\/(?!(?:collections|feeds)\/?$)[^/]+\/?$/;

/** No older than a minute either: seats go, and an event may be canceled. */
const PUBLIC_EVENT = /^\/space\/[^/]+\/public\/events\/[^/]+\/?$/;

const EXPLORE = /^\/explore\/public(\/[^/]+)?\/?$/;

/** The query names that a public page reads, some with their values. No other page here reads any. */
const QUERY_NAMES: readonly (readonly [path: RegExp, name: string, values?: readonly string[]])[] =
  [
    [EXPLORE, "category", creatorCategories],
    [EXPLORE, "kind", postKinds],
    [EXPLORE, "sort", ["new"]],
    [EXPLORE, "show", ["people", "posts"]],
    [EXPLORE, "cursor"],
    [/^\/space\/[^/]+\/public\/?$/, "cursor"],
    // An unknown link leads to the page without it, so that no made-up one has a page of its own
    // (`activeMark`).
    [/^\/space\/[^/]+\/public(\/|$)/, LINK_MARK],
    [/^\/space\/[^/]+\/public\/collections\/[^/]+\/?$/, "cursor"],
    [PUBLIC_POST, "collection"],
    [PUBLIC_POST, "conversation"],
    [PUBLIC_POST, "cursor"],
  ];

/** An escaped letter, digit, dot, hyphen or underscore, which means the same as itself. */
const ESCAPED_LETTER = /%(?:2[de]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9a])/gi;

/**
 * Reduces a request for a public page to its address, so that no visitor's header affects the
 * cached page. Query names that the page does not read are dropped, and so are cursors that the
 * product did not sign: otherwise each would have the same page rendered once more. Escaped letters
 * of the path are written out, for the same reason. `signer` is asked for a cursor only; null
 * refuses each.
 */
export async function anonymousRequest(
  request: Request,
  signer: () => Signer | null,
): Promise<Request> {
  const { method } = request;
  if (!/[?%]/.test(request.url)) return new Request(request.url, { method });
  const url = new URL(request.url);
  url.pathname = url.pathname.replaceAll(ESCAPED_LETTER, decodeURIComponent);
  const cachedParameters = new URLSearchParams();
  for (const [path, name, values] of QUERY_NAMES) {
    const value = url.searchParams.get(name);
    if (value === null || !path.test(url.pathname)) continue;
    if (values && !values.includes(value)) continue;
    const isMadeUp = name === "cursor" && !(await isSigned(signer(), url.pathname, value));
    if (name === LINK_MARK && !isLinkSlug(value)) continue;
    if (!isMadeUp) cachedParameters.set(name, value);
  }
  url.search = cachedParameters.toString();
  return new Request(url, { method });
}

const isSigned = async (signer: Signer | null, path: string, cursor: string): Promise<boolean> =>
  signer !== null && (await readSignedCursor(signer, path, cursor)) !== null;

/**
 * Sets the cache rule of the path, unless the route set one. The path is that of the original
 * request: a page's `.data` is requested with cookies, and is not the page.
 */
export function withCacheControl(response: Response, request: Request): Response {
  if (response.headers.has("Cache-Control")) return response;
  const answer = new Response(response.body, response);
  answer.headers.set("Cache-Control", cacheRule(answer, request));
  return answer;
}

function cacheRule(response: Response, request: Request): string {
  const isRead = request.method === "GET" || request.method === "HEAD";
  const { pathname } = new URL(request.url);
  if (!isRead || !isPublicPage(pathname) || response.headers.has("Set-Cookie")) return PRIVATE_PAGE;
  const isFresh = PUBLIC_POST.test(pathname) || PUBLIC_EVENT.test(pathname);
  if (response.status === 200) return isFresh ? PUBLIC_POST_PAGE : PUBLIC_PAGE;
  return response.status === 404 ? PUBLIC_MISS : PRIVATE_PAGE;
}
