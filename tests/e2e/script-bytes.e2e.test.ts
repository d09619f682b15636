import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { sharedServer } from "#tests/support/server.ts";

type Part = { module: string; imports?: string[]; parentId?: string };
type Manifest = { entry: Part; routes: Record<string, Part> };

/** Gzip bytes of the script that a first visit of any page loads. */
const ANY_PAGE_BUDGET_BYTES = 207_000;
/** The pages that members open most, and those that a buyer meets first. */
const MAIN_PAGES = {
  "routes/home/feed": 172_000,
  "routes/home/explore": 170_000,
  "routes/home/notifications": 151_000,
  "routes/space/space": 178_000,
  "routes/space/post": 178_000,
  "routes/space/me": 185_000,
  "routes/auth/login": 157_000,
  "routes/checkout/checkout": 193_000,
};

let manifest: Manifest;
const sizes = new Map<string, number>();

beforeAll(async () => {
  const { origin } = sharedServer();
  const page = await (await fetch(`${origin}/auth/login`)).text();
  const path = /\/assets\/manifest-\w+\.js/.exec(page)?.[0] ?? "";
  const script = await (await fetch(origin + path)).text();
  manifest = JSON.parse(script.slice(script.indexOf("{"), script.lastIndexOf("}") + 1)) as Manifest;
  const files = [manifest.entry, ...Object.values(manifest.routes)].flatMap(filesOf);
  for (const file of new Set(files))
    sizes.set(file, gzipSync(await (await fetch(origin + file)).arrayBuffer()).length);
});

const filesOf = ({ module, imports }: Part): string[] => [module, ...(imports ?? [])];

/** Bytes of the entry, of the route and of the routes around it, each file once. */
function firstLoadBytes(routeId: string): number {
  const files = new Set(filesOf(manifest.entry));
  for (let id: string | undefined = routeId; id !== undefined;) {
    const route: Part | undefined = manifest.routes[id];
    if (!route) throw new Error(`there is no route ${id}`);
    for (const file of filesOf(route)) files.add(file);
    id = route.parentId;
  }
  return [...files].reduce((total, file) => total + (sizes.get(file) ?? Number.NaN), 0);
}

test.each(Object.entries(MAIN_PAGES))(
  "a first visit of %s loads at most %i bytes",
  (id, budget) => {
    expect(firstLoadBytes(id)).toBeLessThan(budget);
  },
);

test("a first visit of any page stays within one budget", () => {
  const routes = Object.keys(manifest.routes);
  expect(routes.length).toBeGreaterThan(200);
  expect(routes.filter((id) => !(firstLoadBytes(id) < ANY_PAGE_BUDGET_BYTES))).toEqual([]);
});

test("a page asks for its style sheet before its scripts", async () => {
  const page = await (await fetch(`${sharedServer().origin}/auth/login`)).text();
  const [sheet, script] = ['rel="stylesheet"', 'rel="modulepreload"'].map((rel) =>
    page.indexOf(rel),
  );
  expect(sheet).toBeGreaterThan(0);
  expect(script).toBeGreaterThan(sheet ?? 0);
});
