import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { beforeEach, expect, test } from "vitest";
import * as publicSpace from "#app/routes/public/space.tsx";
import * as publicPost from "#app/routes/public/post.tsx";
import { visitedHeader, withVisitCounted } from "#app/http/visits.server.ts";
import { coretoViews } from "#drizzle/schema/analytics.ts";
import { cleanDatabase } from "#tests/support/clean-storage.ts";
import { createRouteCaller, signUpFields, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { soldPost } from "#tests/support/purchases.ts";
import { insertMember, sessionCookies } from "#tests/support/registered.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";

let world: World;
let ana: Seller;
beforeEach(async () => {
  await cleanDatabase("DB", testEnv.DB, []);
  world = await testContext();
  ana = await createSeller(world.ctx);
});

const asked = (headers: Record<string, string> = {}, method = "GET"): Request =>
  new Request(`${TEST_ORIGIN}/space/${ana.username}/public?utm_campaign=bio`, {
    method,
    headers: { "User-Agent": FIREFOX, ...headers },
  });

/** Answers as the worker does with a page from the edge cache, and waits for what follows. */
async function answered(request: Request, status = 200, creatorId = ana.id): Promise<Response> {
  const ctx = createExecutionContext();
  const page = new Response("page", {
    status,
    headers: visitedHeader({ creatorId, postId: "p1" }),
  });
  const response = withVisitCounted(request, page, { env: testEnv, ctx, viewsLog: world.ctx.log });
  await waitOnExecutionContext(ctx);
  return response;
}

const counted = () => world.ctx.db.select().from(coretoViews);

test("a page from the edge cache counts, and says nothing of it", async () => {
  const response = await answered(asked({ Referer: "https://t.co/x", "CF-IPCountry": "PT" }));
  expect([...response.headers.keys()].filter((name) => name.startsWith("x-coreto"))).toEqual([]);
  expect(await response.text()).toBe("page");
  expect(await counted()).toMatchObject([
    {
      index1: ana.id,
      blob2: "p1",
      blob3: "view",
      blob5: "t.co",
      blob6: "bio",
      blob7: "desktop",
      blob8: "PT",
    },
  ]);
});

test.each([
  ["a bot", { "User-Agent": "Googlebot/2.1" }],
  ["Do Not Track", { DNT: "1" }],
  ["Global Privacy Control", { "Sec-GPC": "1" }],
  ["a refusal of measurement", { Cookie: "coreto-theme=dark; coreto-measurement=no" }],
  ["a page fetched ahead", { "Sec-Purpose": "prefetch;prerender" }],
])("%s is not counted", async (_, headers) => {
  await answered(asked(headers));
  expect(await counted()).toEqual([]);
});

test("a missing page and a HEAD are not counted", async () => {
  await answered(asked(), 404);
  await answered(asked({}, "HEAD"));
  expect(await counted()).toEqual([]);
});

test("the creator's own visit of their public page is not counted, a fan's is", async () => {
  const { userId, personId } = await insertMember(signUpFields());
  const Cookie = await sessionCookies(userId);
  await answered(asked({ Cookie }), 200, personId);
  expect(await counted()).toEqual([]);
  await answered(asked({ Cookie }));
  expect(await counted()).toHaveLength(1);
});

test("a failure of counting costs no visitor the page", async () => {
  const ctx = createExecutionContext();
  const page = new Response("page", {
    headers: visitedHeader({ creatorId: ana.id, postId: null }),
  });
  const env = { ...testEnv, DB: null as unknown as D1Database };
  const response = withVisitCounted(asked(), page, { env, ctx, viewsLog: world.ctx.log });
  await waitOnExecutionContext(ctx);
  expect(await response.text()).toBe("page");
  expect(world.logged.at(-1)?.event).toBe("views.not_recorded");
});

test("the pages of a creator and of a post say whose they are", async () => {
  const { postId } = await soldPost(world.ctx, ana);
  const call = createRouteCaller([
    { path: "space/:username/public", module: publicSpace },
    { path: "space/:username/public/:postId", module: publicPost },
  ]);
  const page = await call(new Request(`${TEST_ORIGIN}/space/${ana.username}/public`));
  expect(page.headers.get("X-Coreto-Visited")).toBe(ana.id);
  const post = await call(new Request(`${TEST_ORIGIN}/space/${ana.username}/public/${postId}`));
  expect(post.headers.get("X-Coreto-Visited")).toBe(`${ana.id} ${postId}`);
});
