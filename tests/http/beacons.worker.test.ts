import { beforeEach, expect, test, vi } from "vitest";
import { createLimiter, recordVisit } from "#app/domain/analytics/views/commands.server.ts";
import { readPost } from "#app/domain/analytics/views/queries.server.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import * as reads from "#app/routes/resources/reads.ts";
import { coretoViews } from "#drizzle/schema/analytics.ts";
import { cleanDatabase } from "#tests/support/clean-storage.ts";
import { createRouteCaller, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { paidPurchase, soldPost } from "#tests/support/purchases.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
const EVERYONE = { kind: "public", planId: null, amountCents: null, opensAt: null } as const;
const ask = createRouteCaller([{ path: "resources/reads", module: reads }]);
const asMember = callRoutesAs([{ path: "resources/reads", module: reads }]);

let world: World;
let ana: Seller;
let postId: string;
beforeEach(async () => {
  await cleanDatabase("DB", testEnv.DB, []);
  world = await testContext();
  ana = await createSeller(world.ctx);
  ({ postId } = await soldPost(world.ctx, ana, { rules: [EVERYONE] }));
});

const say = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  ask(
    new Request(`${TEST_ORIGIN}/resources/reads`, {
      method: "POST",
      body: new URLSearchParams(fields),
      headers: { Origin: TEST_ORIGIN, "User-Agent": FIREFOX, ...headers },
    }),
  );
const counted = () => world.ctx.db.select().from(coretoViews);

test("a page says for how long its post was read, bounded to half an hour, and nothing answers", async () => {
  expect((await say({ post: postId, seconds: "99999" })).status).toBe(204);
  await vi.waitFor(async () =>
    expect(await counted()).toMatchObject([
      { index1: ana.id, blob2: postId, blob3: "read", double1: 1_800 },
    ]),
  );
});

test.each([
  ["no time", { seconds: "0" }, {}],
  ["no number", { seconds: "muito" }, {}],
  ["another post", { post: "nada", seconds: "5" }, {}],
  ["Do Not Track", { seconds: "5" }, { DNT: "1" }],
  ["Global Privacy Control", { seconds: "5" }, { "Sec-GPC": "1" }],
  ["a refusal of measurement", { seconds: "5" }, { Cookie: "coreto-measurement=no" }],
  ["a bot", { seconds: "5" }, { "User-Agent": "Googlebot/2.1" }],
])("%s is not counted", async (_, fields, headers) => {
  expect((await say({ post: postId, ...fields }, headers)).status).toBe(204);
  // What is said after it is counted, so that the one before has had its time.
  await say({ post: postId, seconds: "7" });
  await vi.waitFor(async () =>
    expect((await counted()).map(({ double1 }) => double1)).toEqual([7]),
  );
});

test("only who may read a post counts as reading it", async () => {
  const { postId: sold } = await soldPost(world.ctx, ana);
  const [bia, caio] = [await createPerson(world.ctx, "Bia"), await createPerson(world.ctx, "Caio")];
  await paidPurchase(world, bia, sold);
  await say({ post: sold, seconds: "5" });
  for (const [person, seconds] of [
    [caio, "6"],
    [bia, "7"],
  ] as const) {
    const answer = await asMember.send({ person }, "/resources/reads", {
      method: "POST",
      body: new URLSearchParams({ post: sold, seconds }),
      headers: { "User-Agent": FIREFOX },
    });
    expect([answer.status, answer.headers.get("Location")]).toEqual([204, null]);
  }
  expect(await readPost(world.ctx, { postId: sold, viewerId: bia.id })).not.toBeNull();
  await vi.waitFor(async () =>
    expect((await counted()).map(({ double1 }) => double1)).toEqual([7]),
  );
});

test("one connection says so much a minute, by whatever name its browser has", async () => {
  // The clock stands still, so that no minute ends between two visits.
  const at = world.ctx.now();
  const ctx = { ...world.ctx, now: () => at };
  const from = (ip: string, version: number) =>
    recordVisit(ctx, {
      creatorId: ana.id,
      postId,
      kind: "read",
      value: 5,
      ip,
      country: "BR",
      userAgent: `Mozilla/5.0 (X11; Linux x86_64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`,
      referrer: "",
      url: TEST_ORIGIN,
      isOptedOut: false,
      hasRefused: false,
      isAhead: false,
    });
  for (let version = 100; version < 140; version += 1) await from("203.0.113.77", version);
  expect(await counted()).toHaveLength(30);
  await from("203.0.113.78", 100);
  expect(await counted()).toHaveLength(31);
});

test("a visitor says so much a minute, and again in the next", () => {
  const allows = createLimiter(30);
  const said = (key: string, at: number) =>
    Array.from({ length: 40 }, () => allows(key, at)).filter(Boolean).length;
  expect([said("v1", 0), said("v2", 0), said("v1", MINUTE_MS - 1), said("v1", MINUTE_MS)]).toEqual([
    30, 30, 0, 30,
  ]);
});
