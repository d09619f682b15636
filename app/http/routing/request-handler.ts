import { createRequestHandler } from "react-router";
import type { RouterContextProvider, ServerBuild } from "react-router";
import { routeCandidates } from "./candidates.ts";
import type { TableRoute } from "./candidates.ts";

type Handle = (request: Request, context: RouterContextProvider) => Promise<Response>;

/**
 * Handles requests with React Router, each with the part of the route table that its path can
 * match. React Router tries every route of its table for every request, and prepares every route
 * for every page. A part is a build of its own with fewer routes; it is made once per isolate. To a
 * route whose path is hidden it answers as to an address that does not exist.
 */
export function createPartialRequestHandler(
  build: ServerBuild,
  isHidden?: (path: string) => boolean,
): Handle {
  const table = Object.values(build.routes).filter((route) => route !== undefined);
  const candidatesOf = routeCandidates(table, isHidden);
  const handlers = new Map<string, Handle>();

  function handlerOf(pathname: string): Handle {
    const ids = candidatesOf(pathname);
    const key = [...ids].join();
    const handler =
      handlers.get(key) ?? createRequestHandler(partOf(build, table, ids), "production");
    handlers.set(key, handler);
    return handler;
  }

  return (request, context) => {
    const url = new URL(request.url);
    const handle = handlerOf(pagePath(url.pathname));
    if (url.pathname !== build.routeDiscovery.manifestPath) return handle(request, context);
    return mergedManifest(url, handle(request, context), (path) =>
      handlerOf(path)(new Request(withPath(url, path), request), context),
    );
  };
}

/** The path of the page whose data a browser asks for with `.data` at the end. */
const pagePath = (pathname: string): string => pathname.replace(/(?:\/_)?\.data$/, "");

/** The same build with the routes of `ids` alone, in their order. */
function partOf(
  build: ServerBuild,
  table: readonly TableRoute[],
  ids: ReadonlySet<string>,
): ServerBuild {
  const selected = table.filter(({ id }) => ids.has(id));
  return {
    ...build,
    routes: Object.fromEntries(selected.map(({ id }) => [id, build.routes[id]])),
    assets: {
      ...build.assets,
      routes: Object.fromEntries(selected.map(({ id }) => [id, build.assets.routes[id]])),
    },
  };
}

/**
 * Answers which routes the paths of a page's links have: the answers for each path, in one.
 * `anyPart` is the answer of one part: its refusals (a browser with another build, no path, a URL
 * that is too long) hold for every part.
 */
async function mergedManifest(
  url: URL,
  anyPart: Promise<Response>,
  ask: (path: string) => Promise<Response>,
): Promise<Response> {
  const answer = await anyPart;
  if (answer.status !== 200) return answer;
  const paths = new Set(url.searchParams.get("paths")?.split(",").filter(Boolean));
  const answers = await Promise.all([...paths].map(ask));
  const routes = await Promise.all(answers.map((part) => part.json<object>()));
  return new Response(JSON.stringify(Object.assign({}, ...routes)), answer);
}

function withPath(url: URL, path: string): URL {
  const asked = new URL(url);
  asked.searchParams.set("paths", path);
  return asked;
}
