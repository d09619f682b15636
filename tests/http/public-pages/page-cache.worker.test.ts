import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { beforeEach, expect, test } from "vitest";
import { withConditionalResponse } from "#app/http/headers/conditional.ts";
import { createPageCache } from "#app/http/public-pages/page-cache.ts";
import { edgePageCache } from "#app/integrations/edge-cache/page-cache.server.ts";
import { edgeCache } from "#app/lib/edge-cache.ts";

const ORIGIN = "https://coreto.test";
const RULE = "public, max-age=0, s-maxage=60, stale-while-revalidate=600";
const SECOND_MS = 1_000;

let time = 1_000_000;
let pages = createPageCache({ cache: edgeCache, now: () => time });
let rendered = 0;
let waiting: Promise<unknown>[] = [];
let path = "";
let pathsUsed = 0;

beforeEach(() => {
  pages = createPageCache({ cache: edgeCache, now: () => time });
  rendered = 0;
  waiting = [];
  path = `/space/ana${(pathsUsed += 1)}/public`;
});

/** The page says how often it was rendered. */
async function numbered(): Promise<Response> {
  rendered += 1;
  return new Response(`page ${rendered}`, { headers: { "Cache-Control": RULE } });
}

const asked = (render: () => Promise<Response> = numbered): Promise<Response> =>
  pages.answer(new Request(ORIGIN + path), {
    origin: ORIGIN,
    waitUntil: (work) => void waiting.push(work),
    render,
  });

/** Waits for what goes on after the answers. */
const settled = async (): Promise<void> => {
  while (waiting.length > 0) await Promise.all(waiting.splice(0));
};

const text = async (render?: () => Promise<Response>): Promise<string> =>
  (await asked(render)).text();

const purge = (): Promise<void> =>
  edgePageCache({ origin: ORIGIN, realNow: () => time, zone: null }).purge([
    path.replace(/^\/(\w+)\/(\w+)\/.*$/, "$1:$2"),
  ]);

test("a page is rendered once while it is fresh", async () => {
  expect(await text()).toBe("page 1");
  await settled();
  time += 59 * SECOND_MS;
  expect(await text()).toBe("page 1");
  expect(rendered).toBe(1);
});

test("its reader gets the page's own rule and a tag, and nothing of how it is stored", async () => {
  const names = async () => [...(await asked()).headers.keys()].toSorted();
  const own = ["cache-control", "content-type", "etag"];
  expect(await names()).toEqual(own);
  await settled();
  const stored = await asked();
  expect(stored.headers.get("Cache-Control")).toBe(RULE);
  expect([...stored.headers.keys()].filter((name) => /x-coreto|cache-tag/.test(name))).toEqual([]);
  expect(own.filter((name) => !stored.headers.has(name))).toEqual([]);
});

test("a reader who has the page gets 304 without its bytes", async () => {
  const first = await asked();
  await settled();
  const request = new Request(ORIGIN + path, {
    headers: { "If-None-Match": `W/${first.headers.get("ETag")}` },
  });
  const again = withConditionalResponse(request, await asked());
  expect([again.status, await again.text()]).toEqual([304, ""]);
  expect(again.headers.get("Cache-Control")).toBe(RULE);
});

test("a stale page is answered at once, and one of many readers renews it", async () => {
  await text();
  await settled();
  time += 61 * SECOND_MS;
  let finish = () => {};
  const slow = () => new Promise<Response>((resolve) => (finish = () => resolve(numbered())));
  const shown = await Promise.all(Array.from({ length: 20 }, () => text(slow)));
  expect(new Set(shown)).toEqual(new Set(["page 1"]));
  // Another isolate, which does not know of this renewal, sees that the page is being renewed.
  const other = createPageCache({ cache: edgeCache, now: () => time });
  let renewals = 0;
  await other.answer(new Request(ORIGIN + path), {
    origin: ORIGIN,
    waitUntil: (work) => void waiting.push(work),
    render: () => ((renewals += 1), numbered()),
  });
  expect([rendered, renewals]).toEqual([1, 0]);
  finish();
  await settled();
  expect([await text(), rendered]).toEqual(["page 2", 2]);
});

test("500 readers who miss a page render it at most twice", async () => {
  const shown = await Promise.all(Array.from({ length: 500 }, () => text()));
  await settled();
  expect(shown).toHaveLength(500);
  expect(rendered).toBeLessThanOrEqual(2);
});

test("a renewal that fails leaves the stale page; one that finds no page removes it", async () => {
  await text();
  await settled();
  time += 61 * SECOND_MS;
  await text(async () => new Response("broken", { status: 500 }));
  await settled();
  expect(await text()).toBe("page 1");
  time += 11 * SECOND_MS;
  await text(async () => new Response("gone", { status: 404 }));
  await settled();
  expect(await text(async () => new Response("gone", { status: 404 }))).toBe("gone");
});

test("a purged page is rendered again, and so is one whose rendering began before the purge", async () => {
  await text();
  await settled();
  time += SECOND_MS;
  await purge();
  time += SECOND_MS;
  expect(await text()).toBe("page 2");
  await settled();

  time += 700 * SECOND_MS;
  await edgeCache().delete(ORIGIN + path);
  const late = asked(async () => {
    await purge();
    return numbered();
  });
  expect(await (await late).text()).toBe("page 3");
  await settled();
  time += SECOND_MS;
  expect(await text()).toBe("page 4");
});

test("what sets a cookie or is private is neither stored nor shared", async () => {
  const withCookie = async () => {
    rendered += 1;
    return new Response(`for ${rendered}`, {
      headers: { "Cache-Control": RULE, "Set-Cookie": "a=b" },
    });
  };
  const shown = await Promise.all([text(withCookie), text(withCookie)]);
  await settled();
  expect(new Set(shown).size).toBe(2);
  const isPrivate = async () =>
    new Response(`private ${(rendered += 1)}`, { headers: { "Cache-Control": "private" } });
  const first = await text(isPrivate);
  await settled();
  expect(await text(isPrivate)).not.toBe(first);
});

test("a rendering goes on after its first reader left", async () => {
  const ctx = createExecutionContext();
  await pages.answer(new Request(ORIGIN + path), {
    origin: ORIGIN,
    waitUntil: (work) => ctx.waitUntil(work),
    render: numbered,
  });
  await waitOnExecutionContext(ctx);
  expect(await edgeCache().match(ORIGIN + path)).toBeDefined();
});
