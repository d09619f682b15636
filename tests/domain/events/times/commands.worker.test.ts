import { eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { cancelEvent } from "#app/domain/events/commands.server.ts";
import { takeSeats } from "#app/domain/events/seats/commands.server.ts";
import { checkZone } from "#app/domain/events/times/commands.server.ts";
import { dueReminders } from "#app/domain/events/queries/due.server.ts";
import { zonesToCheck } from "#app/domain/events/times/queries.server.ts";
import { REMINDERS } from "#app/domain/events/rules.ts";
import { zoneOffsetMs } from "#app/domain/events/times/rules/wall-time.ts";
import type { OffsetOf } from "#app/domain/events/times/rules/wall-time.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { events, eventZones } from "#drizzle/schema/events.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { recordDatabase } from "#tests/support/d1-recorder.ts";
import type { DatabaseRecorder } from "#tests/support/d1-recorder.ts";
import { publishedEvent } from "#tests/support/events.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";

const ZONE = "America/Sao_Paulo";

let world: World;
let recorder: DatabaseRecorder;
let ana: TestPerson;
beforeAll(async () => {
  world = await testContext({
    uncompletedFeatures: true,
    database: (binding) => {
      recorder = recordDatabase(binding);
      return recorder.database;
    },
  });
  ana = await createSeller(world.ctx);
});

beforeEach(async () => {
  await world.ctx.db.delete(events);
  await checkZone(world.ctx, { zone: ZONE });
});

/** From a day after now on, the zone's clocks are an hour ahead of what they are. */
const summerTime = (): OffsetOf => {
  const from = world.ctx.now() + DAY_MS;
  return (at, zone) => zoneOffsetMs(at, zone) + (zone === ZONE && at >= from ? HOUR_MS : 0);
};

const minuteOf = (at: number): number => Math.floor(at / MINUTE_MS) * MINUTE_MS;

async function eventOf(eventId: string) {
  const [event] = await world.ctx.db.select().from(events).where(eq(events.id, eventId));
  if (!event) throw new Error("no event");
  return event;
}

const told = async (): Promise<number> => {
  const [row] = await world.ctx.db.all<{ times: number }>(
    sql`SELECT COUNT(*) AS times FROM outbox WHERE type = 'event.changed'`,
  );
  return row?.times ?? 0;
};

test("an event keeps its hour when its zone's clock rules change, and tells nobody", async () => {
  const { ctx } = world;
  const eventId = await publishedEvent(ctx, ana, { startsAt: minuteOf(ctx.now() + 3 * DAY_MS) });
  const fan = await createPerson(ctx, "Bia");
  await takeSeats(ctx, { eventId, personId: fan.id, quantity: 1 });
  const elsewhere = await publishedEvent(ctx, ana, { timeZone: "America/Manaus" });
  const canceled = await publishedEvent(ctx, ana);
  await cancelEvent(ctx, { eventId: canceled, creatorId: ana.id });
  const soon = await publishedEvent(ctx, ana, { startsAt: ctx.now() + HOUR_MS });
  const before = new Map<string, Awaited<ReturnType<typeof eventOf>>>();
  for (const id of [eventId, elsewhere, canceled, soon]) before.set(id, await eventOf(id));
  await checkZone(ctx, { zone: ZONE, offsetOf: summerTime() });
  const moved = await eventOf(eventId);
  expect(moved).toMatchObject({
    startsAt: (before.get(eventId)?.startsAt ?? 0) - HOUR_MS,
    endsAt: (before.get(eventId)?.endsAt ?? 0) - HOUR_MS,
    startsWall: before.get(eventId)?.startsWall,
    revision: 1,
    movedAt: null,
  });
  for (const id of [elsewhere, canceled, soon]) expect(await eventOf(id)).toEqual(before.get(id));
  expect(await told()).toBe(0);
});

test("a check that finds the same rules reads one row and writes no event", async () => {
  const { ctx } = world;
  await publishedEvent(ctx, ana);
  const before = await ctx.db.select().from(events);
  recorder.trips.length = 0;
  await checkZone(ctx, { zone: ZONE });
  expect(recorder.trips).toHaveLength(2);
  expect(recorder.trips.flat().map(({ query }) => /"event_zones"/.test(query))).toEqual([
    true,
    true,
  ]);
  expect(await ctx.db.select().from(events)).toEqual(before);
});

test("the same change of rules moves an event once", async () => {
  const { ctx } = world;
  const eventId = await publishedEvent(ctx, ana);
  const offsetOf = summerTime();
  await checkZone(ctx, { zone: ZONE, offsetOf });
  const moved = await eventOf(eventId);
  await checkZone(ctx, { zone: ZONE, offsetOf });
  expect(await eventOf(eventId)).toEqual(moved);
});

test("a reminder that is to come follows the event, and one that was sent is not repeated", async () => {
  const { ctx } = world;
  const startsAt = minuteOf(ctx.now() + DAY_MS + 12 * HOUR_MS);
  const eventId = await publishedEvent(ctx, ana, { startsAt });
  const reminded = await publishedEvent(ctx, ana, { startsAt });
  await ctx.db.update(events).set({ dayReminderAt: ctx.now() }).where(eq(events.id, reminded));
  await checkZone(ctx, { zone: ZONE, offsetOf: summerTime() });
  expect((await eventOf(eventId)).startsAt).toBe(startsAt - HOUR_MS);
  const due = async (at: number) =>
    await dueReminders({ ...ctx, now: () => at }, { ahead: "day", limit: 100 });
  const dueAt = startsAt - HOUR_MS - REMINDERS.day;
  expect(await due(dueAt - MINUTE_MS)).toEqual([]);
  expect(await due(dueAt)).toEqual([eventId]);
});

test("a zone with many events goes on where a check stopped, and all keep their hour", async () => {
  const { ctx } = world;
  const startsAt = Math.floor(ctx.now() / DAY_MS + 9) * DAY_MS;
  await ctx.db.run(sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 240)
    INSERT INTO events (id, creator_id, title, place, starts_at, ends_at, starts_wall, ends_wall, status, created_at)
    SELECT 'many-' || i, ${ana.id}, 'Roda', '', ${startsAt}, ${startsAt + HOUR_MS}, ${wall(startsAt)}, ${wall(startsAt + HOUR_MS)}, 'published', 0 FROM n`);
  const offsetOf = summerTime();
  await checkZone(ctx, { zone: ZONE, offsetOf });
  const zone = () => ctx.db.select().from(eventZones).where(eq(eventZones.zone, ZONE)).get();
  expect((await zone())?.cursorAt).toBe(startsAt);
  await checkZone(ctx, { zone: ZONE, offsetOf });
  expect((await zone())?.cursorAt).toBeNull();
  const times = await ctx.db
    .selectDistinct({ startsAt: events.startsAt, revision: events.revision })
    .from(events);
  expect(times).toEqual([{ startsAt: startsAt - HOUR_MS, revision: 1 }]);
});

/** The wall time in São Paulo, three hours behind UTC. */
const wall = (at: number): string => new Date(at - 3 * HOUR_MS).toISOString().slice(0, 16);

test("a zone is checked once a day, and a new event's zone at once", async () => {
  const { ctx } = world;
  await publishedEvent(ctx, ana, { timeZone: "Asia/Kathmandu" });
  expect(await zonesToCheck(ctx, { limit: 10 })).toContain("Asia/Kathmandu");
  await checkZone(ctx, { zone: "Asia/Kathmandu" });
  expect(await zonesToCheck(ctx, { limit: 10 })).not.toContain("Asia/Kathmandu");
  const tomorrow = { ...ctx, now: () => ctx.now() + DAY_MS };
  expect(await zonesToCheck(tomorrow, { limit: 10 })).toContain("Asia/Kathmandu");
});

test("an event of before wall times were stored gets them, and stays where it is", async () => {
  const { ctx } = world;
  const eventId = await publishedEvent(ctx, ana);
  const known = await eventOf(eventId);
  await ctx.db.update(events).set({ startsWall: null, endsWall: null });
  await ctx.db.update(eventZones).set({ year: null, rules: null });
  await checkZone(ctx, { zone: ZONE });
  expect(await eventOf(eventId)).toEqual(known);
});
