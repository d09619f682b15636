import { createElement } from "react";
import { renderToReadableStream } from "react-dom/server";
import { createRequestHandler, Outlet, RouterContextProvider, ServerRouter } from "react-router";
import type { EntryContext, ServerBuild } from "react-router";
import type { Env } from "#app/configuration/env.ts";
import { BASELINE_PATH, FRESH_HEADER } from "./baseline-paths.ts";
import type { Baseline } from "./baseline-paths.ts";
import { atOwnHost } from "./fresh-request.ts";

type Worker = { fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> };

const CACHED_FOR = "public, max-age=86400";

/**
 * Puts the baselines into the web worker itself, so that they are reached as its pages are. A
 * request with `FRESH_HEADER` finds no page in the edge's cache, and leaves none there.
 *
 * @public `bench/server.ts` imports it in the text of a module.
 */
export function withBaselines(app: Worker): Worker {
  let isFresh = false;
  const { default: edge } = caches as unknown as { default: Cache };
  const cache = {
    match: async (key: Request | string) => (isFresh ? undefined : edge.match(key)),
    put: async (key: Request | string, page: Response) => {
      if (!isFresh) await edge.put(key, page);
    },
    delete: async (key: Request) => edge.delete(key),
  };
  Object.defineProperty(globalThis, "caches", { value: { default: cache } });

  const deployed = deployedEnvironment();
  const baselines: Record<Baseline, Worker["fetch"]> = {
    bare: async () => new Response("ok"),
    /** Answers the bytes of the page `of` from the Cache API. */
    cache: async (request, env, ctx) => {
      const cached = await edge.match(request);
      if (cached) return cached;
      const url = new URL(new URL(request.url).searchParams.get("of") ?? "", request.url);
      const page = await app.fetch(new Request(url), deployed(env), ctx);
      const fresh = new Response(await page.text(), {
        headers: { ...Object.fromEntries(page.headers), "Cache-Control": CACHED_FOR },
      });
      await edge.put(request, fresh.clone());
      return fresh;
    },
    empty: emptyPage,
  };
  return {
    ...app,
    fetch(request, env, ctx) {
      const name = BASELINE_PATH.exec(request.url)?.[1] as Baseline | undefined;
      if (name) return baselines[name](request, env, ctx);
      isFresh = request.headers.has(FRESH_HEADER);
      return app.fetch(isFresh ? atOwnHost(request) : request, deployed(env), ctx);
    },
  };
}

/** Removes the local product's clock: a deployed worker asks no other worker for the time. */
function deployedEnvironment(): (env: Env) => Env {
  const cached = new WeakMap<Env, Env>();
  return (env) => {
    const deployed = cached.get(env) ?? { ...env, CLOCK: undefined };
    cached.set(env, deployed);
    return deployed;
  };
}

let database: D1Database;

/** Renders a React Router page that makes one D1 query and shows nothing. */
async function emptyPage(request: Request, env: Env): Promise<Response> {
  database = env.DB;
  return handleEmpty(request, new RouterContextProvider());
}

const emptyRoutes = {
  root: { id: "root", path: "" },
  page: { id: "page", parentId: "root", path: "*" },
};
const emptyModules = {
  root: {
    default: () => createElement("html", null, createElement("body", null, createElement(Outlet))),
  },
  page: {
    default: () => null,
    loader: async () => (await database.prepare("SELECT 1 FROM people LIMIT 1").all()).results,
  },
};

const handleEmpty = createRequestHandler(
  {
    entry: { module: { default: renderEmpty } },
    routes: Object.fromEntries(
      Object.values(emptyRoutes).map((route) => [
        route.id,
        { ...route, module: emptyModules[route.id as keyof typeof emptyModules] },
      ]),
    ),
    assets: {
      entry: { module: "", imports: [] },
      routes: Object.fromEntries(
        Object.values(emptyRoutes).map((route) => [
          route.id,
          { ...route, module: "", hasLoader: true },
        ]),
      ),
      url: "",
      version: "",
    },
    publicPath: "/",
    assetsBuildDirectory: "",
    future: {},
    ssr: true,
    isSpaMode: false,
    prerender: [],
    routeDiscovery: { mode: "lazy", manifestPath: "/__manifest" },
  } as unknown as ServerBuild,
  "production",
);

async function renderEmpty(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  headers.set("Content-Type", "text/html; charset=utf-8");
  const body = await renderToReadableStream(
    createElement(ServerRouter, { context, url: request.url }),
  );
  await body.allReady;
  return new Response(body, { status, headers });
}
