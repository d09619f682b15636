import { asc, eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { startOfZonedDay, zonedDay } from "#app/domain/analytics/days/rules.ts";
import {
  rebuildDays,
  rollUpDay,
  rollUpDue,
} from "#app/domain/analytics/rollups/commands.server.ts";
import { forgetSalts, recordVisit } from "#app/domain/analytics/views/commands.server.ts";
import type { Visit } from "#app/domain/analytics/views/commands.server.ts";
import { follow, unfollow } from "#app/domain/profiles/commands.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import {
  analyticsDays,
  analyticsItems,
  analyticsPeople,
  analyticsRetention,
  analyticsSources,
  coretoViews,
  viewSalts,
} from "#drizzle/schema/analytics.ts";
import { notificationHours } from "#drizzle/schema/notifications.ts";
import { posts } from "#drizzle/schema/posts.ts";
import { NOON_OF_NOVEMBER_11, testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { cleanDatabase } from "#tests/support/clean-storage.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { paidPurchase, priceRule, soldPost } from "#tests/support/purchases.ts";
import { runWebCron } from "#workers/web-cron.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const SAO_PAULO = "America/Sao_Paulo";
const TODAY = zonedDay(SAO_PAULO, Date.parse(NOON_OF_NOVEMBER_11));

let world: World;
let ana: Seller;
beforeEach(async () => {
  await cleanDatabase("DB", testEnv.DB, []);
  world = await testContext({ startsAt: NOON_OF_NOVEMBER_11 });
  ana = await createSeller(world.ctx);
});

const visit = (change: Partial<Visit> = {}): Promise<void> =>
  recordVisit(world.ctx, {
    creatorId: ana.id,
    postId: null,
    kind: "view",
    ip: "203.0.113.7",
    country: "BR",
    userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
    referrer: "https://www.instagram.com/ana",
    url: "https://coreto.com.br/space/ana/public",
    isOptedOut: false,
    hasRefused: false,
    isAhead: false,
    ...change,
  });

/** Everything that was summed, in one order. */
async function summed() {
  const { db } = world.ctx;
  const [days, sources, people, sales] = await Promise.all([
    db
      .select()
      .from(analyticsDays)
      .orderBy(asc(analyticsDays.creatorId), analyticsDays.day, analyticsDays.subject),
    db
      .select()
      .from(analyticsSources)
      .orderBy(
        asc(analyticsSources.creatorId),
        analyticsSources.day,
        analyticsSources.dimension,
        analyticsSources.value,
      ),
    db.select().from(analyticsPeople).orderBy(asc(analyticsPeople.creatorId), analyticsPeople.day),
    db.select().from(analyticsItems).orderBy(analyticsItems.creatorId, analyticsItems.day),
  ]);
  return { days, sources, people, sales };
}

test("a day has its views, visitors, sources and follows", async () => {
  await visit();
  await visit();
  await visit({ ip: "203.0.113.8", postId: "p1" });
  const bia = await createPerson(world.ctx, "Bia");
  await follow(world.ctx, { followerId: bia.id, creatorId: ana.id });
  await rollUpDay(world.ctx, { timeZone: SAO_PAULO, day: TODAY });
  const { days, sources, people } = await summed();
  expect(days).toMatchObject([
    { subject: "all", views: 3, visitors: 2 },
    { subject: "p1", views: 1, visitors: 1 },
    { subject: "page", views: 2, visitors: 1 },
  ]);
  expect(sources).toContainEqual({
    creatorId: ana.id,
    day: TODAY,
    dimension: "referrer",
    value: "instagram.com",
    timeZone: SAO_PAULO,
    views: 3,
    visitors: 2,
  });
  expect(people).toEqual([{ creatorId: ana.id, day: TODAY, follows: 1, trials: 0 }]);
});

test("reading time and retention are summed with their post, and a rebuild changes nothing", async () => {
  const { ctx } = world;
  const at = { postId: "p1" };
  await visit({ ...at, kind: "read", value: 30 });
  await visit({ ...at, kind: "read", value: 90, ip: "203.0.113.8" });
  await visit({ ...at, kind: "reach", value: 20 });
  await visit({ ...at, kind: "reach", value: 3 });
  await visit(at);
  await rollUpDay(ctx, { timeZone: SAO_PAULO, day: TODAY });
  const rows = async () => ({
    days: (await summed()).days,
    steps: await ctx.db.select().from(analyticsRetention).orderBy(analyticsRetention.step),
  });
  const before = await rows();
  expect(before.days.find(({ subject }) => subject === "p1")).toMatchObject({
    views: 1,
    reads: 2,
    readSeconds: 120,
  });
  expect(before.steps.map(({ subject, step, plays }) => [subject, step, plays])).toEqual([
    ["p1", 3, 1],
    ["p1", 20, 1],
  ]);
  await rebuildDays(ctx, { from: TODAY });
  expect(await rows()).toEqual(before);
});

test("a day of many creators is read and written some at a time", async () => {
  for (let creator = 0; creator < 450; creator += 1)
    await visit({ creatorId: `creator-${creator}` });
  const most: number[] = [];
  const views = {
    ...world.ctx.views,
    sums: (range: Parameters<typeof world.ctx.views.sums>[0], ids: readonly string[]) => {
      most.push(ids.length);
      return world.ctx.views.sums(range, ids);
    },
  };
  await rollUpDay({ ...world.ctx, views }, { timeZone: SAO_PAULO, day: TODAY });
  expect(most).toEqual([200, 200, 50]);
  expect((await summed()).days.filter(({ subject }) => subject === "all")).toHaveLength(450);
});

test("what is stored names nobody, and the secret of a day goes with it", async () => {
  // A day whose secret no earlier test stored.
  await world.advance(40 * DAY_MS);
  await visit({ ip: "203.0.113.99" });
  const stored = JSON.stringify(await world.ctx.db.select().from(coretoViews));
  expect(stored).not.toMatch(/203\.0\.113|Firefox|\/ana|utm/);
  expect(await world.ctx.db.$count(viewSalts)).toBe(1);
  await world.advance(DAY_MS);
  await forgetSalts(world.ctx);
  expect(await world.ctx.db.$count(viewSalts)).toBe(0);
});

test("a visitor of two creators, or of two days, is never the same digest", async () => {
  const bia = await createSeller(world.ctx);
  await visit();
  await visit({ creatorId: bia.id });
  await world.advance(DAY_MS);
  await visit();
  const digests = await world.ctx.db.select({ visitor: coretoViews.blob4 }).from(coretoViews);
  expect(new Set(digests.map(({ visitor }) => visitor)).size).toBe(3);
});

test("a sale is counted with its post, to the centavo, and stays when the post is deleted", async () => {
  const { postId } = await soldPost(world.ctx, ana, { rules: [priceRule(1_990)] });
  await paidPurchase(world, await createPerson(world.ctx, "Bia"), postId);
  await visit({ postId });
  await rollUpDay(world.ctx, { timeZone: SAO_PAULO, day: TODAY });
  const before = await summed();
  expect(before.sales).toEqual([
    expect.objectContaining({
      creatorId: ana.id,
      day: TODAY,
      itemId: postId,
      kind: "post",
      count: 1,
      amountCents: 1_990,
    }),
  ]);
  await world.ctx.db.update(posts).set({ deletedAt: world.ctx.now() }).where(eq(posts.id, postId));
  await rebuildDays(world.ctx, { from: TODAY });
  expect(await summed()).toEqual(before);
});

test("who unfollows was there: a rebuild keeps the follows of a day", async () => {
  const bia = await createPerson(world.ctx, "Bia");
  await follow(world.ctx, { followerId: bia.id, creatorId: ana.id });
  await unfollow(world.ctx, { followerId: bia.id, creatorId: ana.id });
  await rebuildDays(world.ctx, { from: TODAY });
  expect((await summed()).people).toMatchObject([{ day: TODAY, follows: 1 }]);
});

test("a creator who changes the time zone loses no view, and a rebuild from before keeps them", async () => {
  const kei = await createSeller(world.ctx);
  await visit({ creatorId: kei.id });
  await world.ctx.db.insert(notificationHours).values({ personId: kei.id, timeZone: "Asia/Tokyo" });
  // A zone is remembered for ten minutes.
  await world.advance(HOUR_MS);
  await visit({ creatorId: kei.id });
  await rollUpDue(world.ctx, () => true);
  const before = await summed();
  const all = before.days.filter(({ subject }) => subject === "all");
  expect(all.map(({ timeZone, views }) => [timeZone, views])).toEqual([
    [SAO_PAULO, 1],
    ["Asia/Tokyo", 1],
  ]);
  await rebuildDays(world.ctx, { from: TODAY - 1 });
  expect(await summed()).toEqual(before);
});

test("a store that does not answer keeps no secret longer than its day", async () => {
  await world.advance(80 * DAY_MS);
  await visit();
  expect(await world.ctx.db.$count(viewSalts)).toBe(1);
  await world.advance(DAY_MS);
  const refused = () => Promise.reject(new Error("503"));
  const views = { ...world.ctx.views, creators: refused, sums: refused };
  await runWebCron({ ...world.ctx, views });
  expect(await world.ctx.db.$count(viewSalts)).toBe(0);
  expect(world.logged.map(({ event }) => event)).toContain("analytics.rollup_failed");
});

test("a rebuild changes nothing", async () => {
  await visit();
  await visit({ postId: "p1", ip: "203.0.113.9" });
  await world.advance(DAY_MS);
  await visit();
  await rollUpDue(world.ctx, () => true);
  const before = await summed();
  expect(before.days.length).toBeGreaterThan(3);
  expect(await rebuildDays(world.ctx, { from: TODAY - 3 })).toBe(5);
  expect(await summed()).toEqual(before);
});

test("a rollup that is killed in the middle and run twice counts once", async () => {
  for (let creator = 0; creator < 250; creator += 1)
    await visit({ creatorId: `creator-${creator}` });
  for (let crashAt = 1; crashAt <= 3; crashAt += 1) {
    let batches = 0;
    const db = Object.assign(Object.create(world.ctx.db) as typeof world.ctx.db, {
      batch: (...asked: Parameters<typeof world.ctx.db.batch>) => {
        batches += 1;
        if (batches === crashAt) throw new Error("killed");
        return world.ctx.db.batch(...asked);
      },
    });
    await rollUpDay({ ...world.ctx, db }, { timeZone: SAO_PAULO, day: TODAY }).catch(
      () => undefined,
    );
  }
  await rollUpDay(world.ctx, { timeZone: SAO_PAULO, day: TODAY });
  await rollUpDay(world.ctx, { timeZone: SAO_PAULO, day: TODAY });
  const { days } = await summed();
  expect(days).toHaveLength(500);
  expect(days.every(({ views, visitors }) => views === 1 && visitors === 1)).toBe(true);
});

test("a creator in Tokyo has the days of Tokyo", async () => {
  const tokyo = "Asia/Tokyo";
  const kei = await createSeller(world.ctx);
  await world.ctx.db.insert(notificationHours).values({ personId: kei.id, timeZone: tokyo });
  // 15:00 UTC is noon in São Paulo, and midnight of the next day in Tokyo.
  await visit({ creatorId: kei.id });
  await visit();
  await world.advance(2 * HOUR_MS);
  await rollUpDue(world.ctx, () => true);
  const { days } = await summed();
  const dayOf = (id: string) => days.find(({ creatorId }) => creatorId === id)?.day;
  expect(dayOf(kei.id)).toBe(TODAY + 1);
  expect(dayOf(ana.id)).toBe(TODAY);
  expect(startOfZonedDay(tokyo, TODAY + 1)).toBe(Date.parse(NOON_OF_NOVEMBER_11));
});

test("a day that is made again a year later keeps its views, whose points are gone", async () => {
  await visit();
  await rollUpDay(world.ctx, { timeZone: SAO_PAULO, day: TODAY });
  const before = await summed();
  await world.advance(365 * DAY_MS);
  await rollUpDue(world.ctx, () => true);
  expect(await world.ctx.db.$count(coretoViews)).toBe(0);
  await rollUpDay(world.ctx, { timeZone: SAO_PAULO, day: TODAY });
  expect(await summed()).toEqual(before);
});

test("days that the cron missed are summed when it runs again", async () => {
  await visit();
  await rollUpDue(world.ctx, () => true);
  await world.advance(DAY_MS);
  await visit();
  await rollUpDue(world.ctx, () => true);
  await world.advance(5 * DAY_MS);
  await rollUpDue(world.ctx, () => true);
  const { days } = await summed();
  expect(days.filter(({ subject }) => subject === "all").map(({ day }) => day)).toEqual([
    TODAY,
    TODAY + 1,
  ]);
});

test("months without anything cost nothing and leave no rows", async () => {
  await world.advance(90 * DAY_MS);
  await rollUpDue(world.ctx, () => true);
  expect(await summed()).toEqual({ days: [], sources: [], people: [], sales: [] });
});
