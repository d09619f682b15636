import { createStaticHandler, matchRoutes } from "react-router";
import type { RouteObject, StaticHandler } from "react-router";
import { describe, expect, test } from "vitest";
import { routeCandidates } from "#app/http/routing/candidates.ts";
import type { TableRoute } from "#app/http/routing/candidates.ts";
import { readRouteTable, urlsOf } from "#tests/support/route-table.ts";

const table = await readRouteTable();

/** The routes as React Router takes them. */
const treeOf = (routes: readonly TableRoute[], parentId?: string): RouteObject[] =>
  routes
    .filter((route) => route.parentId === parentId)
    .map(({ id, path, index }) =>
      index ? { id, path, index } : { id, path, children: treeOf(routes, id) },
    );

/** A handler prepares its routes once; `matchRoutes` prepares them for each path. */
const handlerOf = (routes: readonly TableRoute[]): StaticHandler =>
  createStaticHandler(treeOf(routes));

async function matchedIds(handler: StaticHandler, path: string): Promise<string[]> {
  const context = await handler.query(new Request(`https://coreto.example${path}`));
  return context instanceof Response ? [] : context.matches.map(({ route }) => route.id);
}

const encoded = (letter: string): string => `%${letter.charCodeAt(0).toString(16)}`;

const urls = urlsOf(table);
const VARIANTS: ((url: string) => string)[] = [
  (url) => `${url}/`,
  (url) => `${url}/nothing-here`,
  (url) => url.toUpperCase(),
  (url) => url.replaceAll(/[a-z](?=[^/]*$)/g, encoded),
];
/** What else browsers and robots ask for. */
const oddUrls = [
  ...urls.map((url, index) => VARIANTS[index % VARIANTS.length]?.(url) ?? url),
  "/@ana",
  "/%40ana",
  "//",
  "//settings",
  "/settings//profile",
  "/settings/profile%2F",
  "/wp-admin/setup.php",
];

/** How many routes one request is matched against. */
const MOST_CANDIDATES = 30;
const ON_A_BUSY_MACHINE_MS = 120_000;

describe("the candidates of a path", () => {
  const candidatesOf = routeCandidates(table);
  const partOf = (path: string) => {
    const ids = candidatesOf(path);
    return table.filter(({ id }) => ids.has(id));
  };
  const whole = handlerOf(table);
  const known = new Map<string, Promise<string[]>>();
  const matchedByAll = (path: string): Promise<string[]> => {
    const ids = known.get(path) ?? matchedIds(whole, path);
    known.set(path, ids);
    return ids;
  };

  test("are few for every URL of the route table", () => {
    expect(urls.length).toBeGreaterThan(300);
    const many = [...urls, ...oddUrls].filter((url) => partOf(url).length >= MOST_CANDIDATES);
    expect(many).toEqual([]);
  });

  test("match the same route as the whole table", { timeout: ON_A_BUSY_MACHINE_MS }, async () => {
    for (const url of [...urls, ...oddUrls])
      expect(await matchedIds(handlerOf(partOf(url)), url), url).toEqual(await matchedByAll(url));
  });

  test(
    "match the same routes for the paths above, which the first page names",
    { timeout: ON_A_BUSY_MACHINE_MS },
    async () => {
      for (const url of urls) {
        const part = handlerOf(partOf(url));
        const segments = url.split("/");
        for (let depth = 1; depth < segments.length; depth += 1) {
          const above = segments.slice(0, depth).join("/") || "/";
          expect(await matchedIds(part, above), `${above} of ${url}`).toEqual(
            await matchedByAll(above),
          );
        }
      }
    },
  );

  test(
    "form a bounded number of parts, whatever is asked for",
    { timeout: ON_A_BUSY_MACHINE_MS },
    () => {
      const words = new Set([...urls.flatMap((url) => url.split("/")), "x1", "other"]);
      words.delete("");
      const parts = new Set<string>();
      let paths = [""];
      while (paths.length > 0) {
        const next = new Map<string, string>();
        for (const path of paths)
          for (const word of words) {
            const deeper = `${path}/${word}`;
            const key = [...candidatesOf(deeper)].join();
            if (!parts.has(key)) next.set(key, deeper);
          }
        for (const key of next.keys()) parts.add(key);
        paths = [...next.values()];
      }
      expect(parts.size).toBeLessThan(2 * table.length);
    },
  );

  test("do not grow with routes elsewhere", () => {
    const more = Array.from({ length: 500 }, (_, index) => ({
      id: `more-${index}`,
      parentId: "root",
      path: `more/${index}/:id`,
    }));
    const grown = routeCandidates([...table, ...more]);
    for (const url of urls) expect([...grown(url)]).toEqual([...candidatesOf(url)]);
  });
});

test.each([
  ["an optional segment", "a/:lang?/b", "/a/b", true],
  ["an optional segment that is there", "a/:lang?/b", "/a/pt/b", true],
  ["an optional word", "a/b?", "/a", true],
  ["a parameter with an ending", "files/:name.csv", "/files/sales.csv", true],
  ["any path below", "files/*", "/files/a/b/c", true],
  ["nothing below", "files/*", "/files", true],
  ["another word", "files/*", "/pages/a", false],
])("%s", (_, path, asked, isCandidate) => {
  expect(routeCandidates([{ id: "one", path }])(asked).has("one")).toBe(isCandidate);
  expect(matchRoutes([{ id: "one", path }], asked) !== null).toBe(isCandidate);
});
