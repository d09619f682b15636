import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { eraseSeats } from "#app/domain/events/commands/erasure.server.ts";
import { takeSeats } from "#app/domain/events/seats/commands.server.ts";
import { calendarEvents } from "#app/domain/events/calendar/queries.server.ts";
import {
  dueReminders,
  eventsWithEndedOffers,
  eventsWithFreeSeats,
} from "#app/domain/events/queries/due.server.ts";
import { eventFor } from "#app/domain/events/queries.server.ts";
import {
  eventsBetween,
  ticketsOfPerson,
  upcomingEvents,
} from "#app/domain/events/queries/lists.server.ts";
import { attendees } from "#app/domain/events/attendees/queries.server.ts";
import { futureEventsOfZone, zonesToCheck } from "#app/domain/events/times/queries.server.ts";
import {
  changingSeries,
  datesAhead,
  modelDate,
  seriesExtent,
  seriesOf,
  seriesToExtend,
} from "#app/domain/events/series/queries.server.ts";
import { follow } from "#app/domain/profiles/commands.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { recordDatabase } from "#tests/support/d1-recorder.ts";
import type { DatabaseRecorder } from "#tests/support/d1-recorder.ts";
import { publishedEvent } from "#tests/support/events.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import { wholeTableReads } from "#tests/support/query-plan.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let world: World;
let recorder: DatabaseRecorder;
let ana: TestPerson;
let fan: TestPerson;
let eventId: string;
beforeAll(async () => {
  world = await testContext({
    uncompletedFeatures: true,
    database: (binding) => {
      recorder = recordDatabase(binding);
      return recorder.database;
    },
  });
  ana = await createSeller(world.ctx);
  fan = await createPerson(world.ctx, "Bia");
  await follow(world.ctx, { followerId: fan.id, creatorId: ana.id });
  eventId = await publishedEvent(world.ctx, ana, { capacity: 5 });
});

/** Runs `act`, and returns the statements it sent. */
async function recorded(act: () => Promise<unknown>) {
  recorder.trips.length = 0;
  await act();
  return [...recorder.trips];
}

const month = () => {
  const now = world.ctx.now();
  return eventsBetween(world.ctx, {
    personId: fan.id,
    scope: "mine",
    from: now - 10 * DAY_MS,
    to: now + 30 * DAY_MS,
    limit: 300,
  });
};

test("no read of events, seats or lists goes through a whole table", async () => {
  const { ctx } = world;
  const everybody = { cursor: null, limit: 30 } as const;
  const trips = await recorded(async () => {
    await month();
    await upcomingEvents(ctx, { personId: fan.id, scope: "mine", ...everybody });
    await upcomingEvents(ctx, { personId: null, scope: "explore", ...everybody });
    await eventFor(ctx, { eventId, viewerId: fan.id });
    await attendees(ctx, { eventId, creatorId: ana.id, ...everybody });
    await calendarEvents(ctx, { personId: fan.id });
    await ticketsOfPerson(ctx, { personId: fan.id });
    await eventsWithEndedOffers(ctx, { limit: 100 });
    await eventsWithFreeSeats(ctx, { limit: 100 });
    await zonesToCheck(ctx, { limit: 100 });
    await futureEventsOfZone(ctx, { zone: "UTC", after: { at: 0, id: "" }, limit: 100 });
    await seriesToExtend(ctx, { limit: 100 });
    await changingSeries(ctx, { limit: 100 });
    await seriesOf(ctx, { event: { id: eventId, seriesId: "none" }, viewerId: fan.id });
    await seriesExtent(ctx, { seriesId: "none", fromDay: "" });
    await datesAhead(ctx, { seriesId: "none" });
    await modelDate(ctx, { seriesId: "none" });
    for (const ahead of ["day", "start"] as const) await dueReminders(ctx, { ahead, limit: 100 });
    await eraseSeats(ctx, { personId: "nobody", limit: 10 });
  });
  const statements = trips.flat();
  expect(statements.length).toBeGreaterThan(11);
  for (const statement of statements)
    expect([statement.query, await wholeTableReads(testEnv.DB, statement)]).toEqual([
      statement.query,
      [],
    ]);
});

test("an event is one read, and a seat is a read, one batch and the look at the waiting list", async () => {
  const { ctx } = world;
  const person = await createPerson(ctx, "Caio");
  expect(await recorded(() => eventFor(ctx, { eventId, viewerId: person.id }))).toHaveLength(1);
  expect(
    await recorded(() => takeSeats(ctx, { eventId, personId: person.id, quantity: 1 })),
  ).toHaveLength(3);
});

test("a person's month costs the same with 20 and with 2,000 events of strangers", async () => {
  const rows = async () => {
    const [[statement] = []] = await recorded(month);
    return statement?.rowsRead ?? 0;
  };
  await addStrangers({ from: 1, to: 20 });
  const before = await rows();
  await addStrangers({ from: 21, to: 2_000 });
  expect(before).toBeGreaterThan(0);
  expect(await rows()).toBe(before);
});

test.each(["list", "month"])(
  "everybody's %s costs the same with 600 and with 3,000 events that ended in the last days",
  async (which) => {
    const { ctx } = world;
    const now = ctx.now();
    const explore = { personId: null, scope: "explore" } as const;
    const range = { from: now, to: now + 30 * DAY_MS };
    const rows = async () => {
      const trips = await recorded(() =>
        which === "list"
          ? upcomingEvents(ctx, { ...explore, cursor: null, limit: 30 })
          : eventsBetween(ctx, { ...explore, ...range, limit: 30 }),
      );
      expect(trips).toHaveLength(1);
      return trips.flat().reduce((sum, { rowsRead }) => sum + (rowsRead ?? 0), 0);
    };
    await addEnded({ which, from: 1, to: 600 });
    const before = await rows();
    await addEnded({ which, from: 601, to: 3_000 });
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(5_000);
    expect(Math.abs((await rows()) - before)).toBeLessThan(20);
  },
);

test("list, week and month of everybody read the same rows with 400 and with 100,000 events to come", async () => {
  const { ctx } = world;
  const explore = { personId: null, scope: "explore" } as const;
  // After the other tests' events, and with more than a view shows from the start.
  const from = ctx.now() + 200 * DAY_MS;
  const at = { ...ctx, now: () => from };
  const views = {
    list: () => upcomingEvents(at, { ...explore, cursor: null, limit: 30 }),
    week: () => eventsBetween(at, { ...explore, from, to: from + 7 * DAY_MS, limit: 201 }),
    month: () => eventsBetween(at, { ...explore, from, to: from + 35 * DAY_MS, limit: 301 }),
  };
  const rows = async () => {
    const counts: Record<string, number> = {};
    for (const [name, view] of Object.entries(views))
      counts[name] = (await recorded(view))
        .flat()
        .reduce((sum, { rowsRead }) => sum + (rowsRead ?? 0), 0);
    return counts;
  };
  await addLater({ after: from, from: 1, to: 400 });
  const before = await rows();
  await addLater({ after: from, from: 401, to: 100_000 });
  expect(Object.values(before).every((count) => count > 0 && count < 5_000)).toBe(true);
  expect(await rows()).toEqual(before);
});

/** Adds events of 20 minutes, each 10 minutes after the one before. */
async function addLater({ after, from, to }: { after: number; from: number; to: number }) {
  await world.ctx.db.run(
    sql`WITH RECURSIVE n(i) AS (SELECT CAST(${from} AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < ${to})
      INSERT INTO events (id, creator_id, title, place, starts_at, ends_at, status, created_at)
      SELECT 'later-' || i, ${ana.id}, 'Roda', '', CAST(${after} AS INTEGER) + i * 600000, CAST(${after} AS INTEGER) + i * 600000 + 1200000, 'published', 0 FROM n`,
  );
}

/** Adds events that started and ended within the last days, a minute apart. */
async function addEnded({ which, from, to }: { which: string; from: number; to: number }) {
  const now = world.ctx.now();
  await world.ctx.db.run(
    sql`WITH RECURSIVE n(i) AS (SELECT CAST(${from} AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < ${to})
      INSERT INTO events (id, creator_id, title, place, starts_at, ends_at, status, created_at)
      SELECT ${`ended-${which}-`} || i, ${ana.id}, 'Roda', '', CAST(${now} AS INTEGER) - i * 60000 - 1, CAST(${now} AS INTEGER) - i * 60000, 'published', CAST(${now} AS INTEGER) FROM n`,
  );
}

/** Adds events of 20 other creators, a minute apart. */
async function addStrangers({ from, to }: { from: number; to: number }): Promise<void> {
  const now = world.ctx.now();
  await world.ctx.db.run(
    sql`WITH RECURSIVE n(i) AS (SELECT CAST(${from} AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < ${to})
      INSERT INTO events (id, creator_id, title, place, starts_at, ends_at, status, created_at)
      SELECT 'stranger-' || i, 'creator-' || (i % 20), 'Roda', '', CAST(${now} AS INTEGER) + i * 60000, CAST(${now} AS INTEGER) + i * 60000 + 3600000, 'published', CAST(${now} AS INTEGER) FROM n`,
  );
}
