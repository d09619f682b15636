import { createElement } from "react";
import { renderToReadableStream } from "react-dom/server.edge";
import {
  createRequestHandler,
  Outlet,
  RouterContextProvider,
  Scripts,
  ServerRouter,
} from "react-router";
import type { EntryContext, ServerBuild } from "react-router";
import { describe, expect, test } from "vitest";
import { createPartialRequestHandler } from "#app/http/routing/request-handler.ts";
import { isHiddenPath } from "#app/lib/uncompleted-features.ts";
import { readRouteTable, urlsOf } from "#tests/support/route-table.ts";

const table = await readRouteTable();
const urls = urlsOf(table);
const ORIGIN = "https://coreto.example";

/** Every route answers its own id, in its loader and in its element. */
function moduleOf(id: string) {
  const below = createElement(Outlet);
  const element =
    id === "root"
      ? createElement("html", null, createElement("body", null, below, createElement(Scripts)))
      : createElement("div", { id }, below);
  return {
    loader: ({ params }: { params: object }) => {
      if (id === "routes/space/me") throw new Response("refused", { status: 418 });
      return { id, params };
    },
    action: () => ({ acted: id }),
    ...(id.startsWith("routes/resources/") || id.startsWith("routes/api/")
      ? { loader: () => new Response(id) }
      : { default: () => element }),
    ...(id === "root" ? { ErrorBoundary: () => createElement("p", null, "refused") } : {}),
  };
}

async function render(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  const page = await renderToReadableStream(
    createElement(ServerRouter, { context, url: request.url }),
  );
  return new Response(page, { status, headers });
}

const build = {
  entry: { module: { default: render, handleError: () => {} } },
  routes: Object.fromEntries(
    table.map((route) => [route.id, { ...route, module: moduleOf(route.id) }]),
  ),
  assets: {
    entry: { module: "/entry.js", imports: [] },
    routes: Object.fromEntries(
      table.map((route) => [
        route.id,
        { ...route, module: `/${route.id}.js`, hasLoader: true, hasAction: true },
      ]),
    ),
    url: "/manifest.js",
    version: "v1",
  },
  publicPath: "/",
  assetsBuildDirectory: "",
  future: {},
  ssr: true,
  isSpaMode: false,
  prerender: [],
  routeDiscovery: { mode: "lazy", manifestPath: "/__manifest" },
  allowedActionOrigins: ["**"],
} as unknown as ServerBuild;

const whole = createRequestHandler(build, "production");
const partial = createPartialRequestHandler(build);

/** What both handlers answer, with bodies of JSON as values. */
async function answers(path: string, init?: RequestInit) {
  const [one, other] = await Promise.all(
    [partial, whole].map(async (handle) => {
      const request = new Request(`${ORIGIN}${path}`, init);
      const response = await handle(request, new RouterContextProvider());
      const text = await response.text();
      const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: isJson ? (JSON.parse(text) as unknown) : text,
      };
    }),
  );
  return { partial: one, whole: other };
}

async function expectSame(path: string, init?: RequestInit) {
  const { partial: one, whole: other } = await answers(path, init);
  expect(one, path).toEqual(other);
  return one;
}

const ON_A_BUSY_MACHINE_MS = 120_000;
/** Rendering with the whole table is slow: one URL in a few. */
const some = urls.filter((_, index) => index % 8 === 0);

describe("a handler with the part of the routes that a path can match", () => {
  test(
    "renders the same page, with the same routes for the browser",
    { timeout: ON_A_BUSY_MACHINE_MS },
    async () => {
      for (const url of [...some, "/settings/subscriptions/s1", "/@ana", "/a/b/c"])
        await expectSame(url);
      const page = await expectSame("/settings/subscriptions/s1/plan/p1");
      expect(page?.body).toContain("/routes/settings/subscriptions/plan.js");
      expect(page?.body).toContain("/routes/home/feed.js");
      expect(page?.body).not.toContain("/routes/settings/billing/billing.js");
    },
  );

  test("answers the same data, also of some routes only", async () => {
    for (const url of [...some, "/_", "/explore", "/explore/_"]) await expectSame(`${url}.data`);
    const data = await expectSame("/post/x1.data?_routes=routes%2Fspace%2Fpost");
    expect(data?.body).toContain("routes/space/post");
  });

  test("refuses in the same place", async () => {
    expect(await expectSame("/me")).toMatchObject({ status: 418 });
    await expectSame("/me.data");
    await expectSame("/healthz", { method: "PUT", body: "" });
  });

  test("acts the same", async () => {
    for (const path of [
      "/post/x1/like",
      "/?index",
      "/settings/transfers?index",
      "/post/x1/like.data",
    ])
      expect(await expectSame(path, { method: "POST" })).toMatchObject({ status: 200 });
  });
});

describe("a handler with hidden features", () => {
  const isHidden = (path: string) =>
    isHiddenPath(path, { uncompletedFeatures: false }, [{ name: "events", paths: ["/events"] }]);
  const handle = createPartialRequestHandler(build, isHidden);
  const body = async (path: string) =>
    await (await handle(new Request(ORIGIN + path), new RouterContextProvider())).text();
  /** The route of the innermost element. */
  const reached = (page: string) => [...page.matchAll(/id="(routes[^"]+)"/g)].at(-1)?.[1];

  test.each([
    ["/events", "routes/public/space-address"],
    ["/Events", "routes/public/space-address"],
    ["/%65vents", "routes/public/space-address"],
    ["/events/1", "routes/public/not-found"],
  ])("answers at %s as at an address that does not exist", async (path, id) => {
    expect(reached(await body(path))).toBe(id);
    expect(await body(`/__manifest?version=v1&paths=${path}`)).not.toContain("routes/events");
  });

  test("hides no other page", async () => {
    for (const path of urls.filter((url) => !isHidden(url)).slice(0, 40))
      expect(await body(path), path).toBe(
        await (await partial(new Request(ORIGIN + path), new RouterContextProvider())).text(),
      );
  });

  test("answers programs as at an API address that does not exist", async () => {
    const withoutConversations = createPartialRequestHandler(build, (path) =>
      path.includes("conversations"),
    );
    const answer = await withoutConversations(
      new Request(`${ORIGIN}/api/v1/conversations`),
      new RouterContextProvider(),
    );
    expect(await answer.text()).toBe("routes/api/not-found");
  });
});

describe("the manifest", () => {
  test("names the same routes for all links of a page", async () => {
    const asked = [...some, "/", "/@ana", "post/x1", "/nothing/here"].join(",");
    const { body } = (await expectSame(`/__manifest?version=v1&paths=${asked}`)) ?? {};
    expect(Object.keys(body ?? {}).length).toBeGreaterThan(some.length);
  });

  test.each([
    ["another build's browser", "version=v0&paths=/explore", 204],
    ["no path", "version=v1", 400],
    ["an empty list", "version=v1&paths=", 200],
    ["a list that is too long", `version=v1&paths=/${"a".repeat(8_000)}`, 400],
  ])("answers %s the same", async (_, query, status) => {
    expect(await expectSame(`/__manifest?${query}`)).toMatchObject({ status });
  });
});
