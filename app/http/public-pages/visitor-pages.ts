/** Where the route table holds what a visitor sees at an address that members share. */
const VISITOR_PAGES: readonly (readonly [address: string, path: string])[] = [
  ["/", "/public"],
  ["/explore", "/explore/public"],
];

/** What people type into the form of each page. Such an answer is made for one visitor. */
const TYPED_NAMES: Readonly<Record<string, readonly string[]>> = {
  "/public": ["assinantes", "preco"],
  "/explore/public": ["q"],
};

/** The pages below `/explore`, as `/explore/imagens`. */
const EXPLORE_PAGE = /^\/explore\/(?!public$)([^/]+)$/;
const VISITOR_EXPLORE_PAGE = /^\/explore\/public\/([^/]+)$/;

const withoutSlash = (pathname: string): string =>
  pathname.toLowerCase().replace(/(?<=[^/])\/$/, "");

/** Returns the route of a visitor's page at `pathname`, or null where members have the only page. */
export function visitorPagePath(pathname: string): string | null {
  const asked = withoutSlash(pathname);
  const page = EXPLORE_PAGE.exec(asked)?.[1];
  if (page !== undefined) return page.endsWith(".data") ? null : `/explore/public/${page}`;
  return VISITOR_PAGES.find(([address]) => address === asked)?.[1] ?? null;
}

/**
 * Returns the address at which visitors see the page of `path`, or its data; null for every other
 * page.
 */
export function visitorPageAddress(path: string): string | null {
  const asked = withoutSlash(path).replace(/\.data$/, "");
  const page = VISITOR_EXPLORE_PAGE.exec(asked)?.[1];
  if (page !== undefined) return `/explore/${page}`;
  return VISITOR_PAGES.find(([, pagePath]) => pagePath === asked)?.[0] ?? null;
}

/**
 * Whether the query of the page at `path` holds what somebody typed, so that the edge does not
 * cache the answer. An empty search is none; an empty number of the calculator is one, to be
 * refused.
 */
export function hasTypedQuery(path: string, search: URLSearchParams): boolean {
  const page = VISITOR_EXPLORE_PAGE.test(path) ? "/explore/public" : path;
  return (TYPED_NAMES[page] ?? []).some((name) =>
    name === "q" ? (search.get(name) ?? "").trim() !== "" : search.has(name),
  );
}

/**
 * Returns the request for the visitor's page of `path`. Of the visitor it has only the network,
 * which counts searches.
 */
export function visitorRequest(request: Request, path: string): Request {
  const url = new URL(request.url);
  url.pathname = path;
  const network = request.headers.get("CF-Connecting-IP");
  return new Request(url, {
    method: request.method,
    headers: network === null ? {} : { "CF-Connecting-IP": network },
  });
}

/**
 * Returns the page as a browser may keep it: never without asking again, because the same address
 * shows a member their own page.
 */
export function asVisitorResponse(page: Response, cookies: readonly string[] = []): Response {
  const response = new Response(page.body, page);
  response.headers.set("Cache-Control", "private, no-cache");
  response.headers.append("Vary", "Cookie");
  for (const cookie of cookies) response.headers.append("Set-Cookie", cookie);
  return response;
}
