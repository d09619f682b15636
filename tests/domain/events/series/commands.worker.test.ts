import { eq, sql } from "drizzle-orm";
import ICAL from "ical.js";
import { convertIcsCalendar } from "ts-ics";
import { beforeAll, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { eraseEventsStatements } from "#app/domain/events/commands/erasure.server.ts";
import { deleteDraft, publishEvent } from "#app/domain/events/commands.server.ts";
import { takeSeats } from "#app/domain/events/seats/commands.server.ts";
import { EventIsPublished } from "#app/domain/events/errors.ts";
import { eventFor } from "#app/domain/events/queries.server.ts";
import { editableEvent } from "#app/domain/events/queries/editable.server.ts";
import { calendarFile } from "#app/domain/events/calendar/rules/calendar-file.ts";
import { applySeriesChange, cancelDates } from "#app/domain/events/series/commands.server.ts";
import { extendSeries } from "#app/domain/events/series/commands/dates.server.ts";
import {
  DateHasMoreSeats,
  SeriesDayChanged,
  SeriesIsChanging,
} from "#app/domain/events/series/errors.ts";
import {
  changingSeries,
  seriesOf,
  seriesToExtend,
} from "#app/domain/events/series/queries.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { eventSeries, eventTicketKinds } from "#drizzle/schema/events.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { seriesHelpers, SERIES_START as START } from "#tests/support/event-series.ts";
import { ticketKind } from "#tests/support/events.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: TestPerson;
beforeAll(async () => {
  world = await testContext({ uncompletedFeatures: true });
  ana = await createSeller(world.ctx);
});

const { repeating, publishedSeries, datesOf, change, messagesTo } = seriesHelpers(() => ({
  world,
  creator: ana,
}));

describe("a repeating event", () => {
  test("has a row for each date, which is published with the others", async () => {
    const { ctx } = world;
    const { seriesId, own } = await repeating({}, { capacity: 7, link: "https://a.test/x" });
    const drafts = await datesOf(seriesId);
    expect(drafts.map(({ seriesDay }) => seriesDay)).toEqual([
      "2027-01-04",
      "2027-01-05",
      "2027-01-06",
      "2027-01-07",
      "2027-01-08",
    ]);
    expect(new Set(drafts.map(({ status, capacity }) => `${status} ${capacity}`))).toEqual(
      new Set(["draft 7"]),
    );
    expect(drafts.map(({ startsAt }) => startsAt - START)).toEqual(
      [0, 1, 2, 3, 4].map((day) => day * DAY_MS),
    );
    await ticketKind(ctx, own.eventId, { id: ana.id });
    await publishEvent(ctx, own);
    const published = await datesOf(seriesId);
    expect(published.map(({ status }) => status)).toEqual(Array(5).fill("published"));
    expect(published.map(({ priceFromCents }) => priceFromCents)).toEqual(Array(5).fill(3_000));
    const kinds = await ctx.db
      .select()
      .from(eventTicketKinds)
      .where(sql`event_id IN (SELECT id FROM events WHERE series_id = ${seriesId})`);
    expect(new Set(kinds.map(({ eventId }) => eventId)).size).toBe(5);
  });

  test("has at most 60 dates ahead, and more as time passes, until its end", async () => {
    const { ctx } = world;
    const { seriesId } = await publishedSeries({ times: 100 });
    expect(await datesOf(seriesId)).toHaveLength(60);
    const at = (now: number) => ({ ...ctx, now: () => now });
    const later = START + 30 * DAY_MS + 12 * HOUR_MS;
    expect(await seriesToExtend(at(later), { limit: 100 })).toContain(seriesId);
    await extendSeries(at(later), { seriesId });
    await extendSeries(at(later), { seriesId });
    const extended = await datesOf(seriesId);
    expect(extended).toHaveLength(91);
    expect(extended.at(-1)).toMatchObject({ seriesDay: "2027-04-04", status: "published" });
    await extendSeries(at(later + 40 * DAY_MS), { seriesId });
    expect(await datesOf(seriesId)).toHaveLength(100);
    expect(await seriesToExtend(at(later + 400 * DAY_MS), { limit: 100 })).not.toContain(seriesId);
  });

  test("has dates of the next 12 months only", async () => {
    const { seriesId } = await publishedSeries({ repeat: "monthly_day", times: 30 });
    // The clock of the test stands in November 2026.
    const days = (await datesOf(seriesId)).map(({ seriesDay }) => seriesDay ?? "");
    const end = new Date(world.ctx.now() + 366 * DAY_MS).toISOString().slice(0, 10);
    expect(days.length).toBeGreaterThan(8);
    expect(days.every((day) => day <= end)).toBe(true);
  });

  test("lists its next dates on the page of each, for visitors too", async () => {
    const { ctx } = world;
    const { seriesId, eventId } = await publishedSeries();
    const series = await seriesOf(ctx, { event: { id: eventId, seriesId }, viewerId: null });
    expect(series?.repeats).toBe("Todo dia, 5 vezes");
    expect(series?.dates.map(({ startsAt }) => startsAt - START)).toEqual(
      [1, 2, 3, 4].map((day) => day * DAY_MS),
    );
    expect(await seriesOf(ctx, { event: { id: eventId, seriesId: null }, viewerId: null })).toBe(
      null,
    );
  });

  test("is in two calendar parsers an entry of its own for each date", async () => {
    const { ctx } = world;
    const { seriesId } = await publishedSeries();
    const views = await Promise.all(
      (await datesOf(seriesId)).map(async ({ id }) => {
        const view = await eventFor(ctx, { eventId: id, viewerId: null });
        if (!view) throw new Error("no date");
        return view;
      }),
    );
    const text = calendarFile(views, { origin: "https://coreto.test", name: "Eventos" });
    const root = new ICAL.Component(ICAL.parse(text) as unknown[]);
    for (const zone of root.getAllSubcomponents("vtimezone")) ICAL.TimezoneService.register(zone);
    const entries = root.getAllSubcomponents("vevent").map((one) => new ICAL.Event(one));
    expect(new Set(entries.map(({ uid }) => uid)).size).toBe(5);
    const starts = [0, 1, 2, 3, 4].map((day) => START + day * DAY_MS);
    expect(entries.map(({ startDate }) => startDate.toJSDate().getTime())).toEqual(starts);
    const other = convertIcsCalendar(undefined, text).events ?? [];
    expect(new Set(other.map(({ uid }) => uid)).size).toBe(5);
    expect(other.map(({ start }) => start.date.getTime())).toEqual(starts);
    expect(text).not.toContain("RRULE");
  });

  test("is deleted whole while it is a draft", async () => {
    const { ctx } = world;
    const { seriesId, own } = await repeating();
    await deleteDraft(ctx, own);
    expect(await datesOf(seriesId)).toEqual([]);
    expect(await ctx.db.select().from(eventSeries).where(eq(eventSeries.id, seriesId))).toEqual([]);
    const published = await publishedSeries();
    await expect(deleteDraft(ctx, published.own)).rejects.toBeInstanceOf(EventIsPublished);
  });
});

const titles = async (seriesId: string) => (await datesOf(seriesId)).map(({ title }) => title);
const hours = async (seriesId: string) =>
  (await datesOf(seriesId)).map(({ startsWall }) => startsWall?.slice(11));

describe("a change", () => {
  test("of one date leaves the others, and later changes leave it", async () => {
    const { seriesId } = await publishedSeries();
    const [, second, third] = await datesOf(seriesId);
    await change(second?.id ?? "", {
      scope: "one",
      title: "Especial",
      startsAt: START + DAY_MS + HOUR_MS,
      endsAt: START + DAY_MS + 3 * HOUR_MS,
    });
    await change(third?.id ?? "", { scope: "all", title: "Roda nova" });
    expect(await titles(seriesId)).toEqual([
      "Roda nova",
      "Especial",
      "Roda nova",
      "Roda nova",
      "Roda nova",
    ]);
    expect(await hours(seriesId)).toEqual(["20:00", "21:00", "20:00", "20:00", "20:00"]);
  });

  test("of this and the next moves their hour, keeps their days, and tells who comes", async () => {
    const { ctx } = world;
    const { seriesId } = await publishedSeries();
    const dates = await datesOf(seriesId);
    const fan = await createPerson(ctx, "Bia");
    for (const { id } of [dates[0], dates[4]].filter((date) => date !== undefined))
      await takeSeats(ctx, { eventId: id, personId: fan.id, quantity: 1 });
    const third = START + 2 * DAY_MS;
    await change(dates[2]?.id ?? "", {
      scope: "next",
      startsAt: third - HOUR_MS,
      endsAt: third + 2 * HOUR_MS,
    });
    expect(await hours(seriesId)).toEqual(["20:00", "20:00", "19:00", "19:00", "19:00"]);
    const told = await messagesTo(fan, "event.changed");
    expect(told.map(({ eventId }) => eventId)).toEqual([dates[4]?.id]);
    // A new date has the new hour.
    const [series] = await ctx.db.select().from(eventSeries).where(eq(eventSeries.id, seriesId));
    expect(series).toMatchObject({ startsWall: "2027-01-04T19:00", durationMinutes: 180 });
  });

  test("of many dates goes on where its request ended, once each", async () => {
    const { ctx } = world;
    const { seriesId, eventId } = await publishedSeries({ times: 40 });
    await change(eventId, { scope: "all", title: "Roda nova" });
    const changed = (await titles(seriesId)).filter((title) => title === "Roda nova");
    expect(changed).toHaveLength(16);
    expect(await changingSeries(ctx, { limit: 100 })).toContain(seriesId);
    // Two runs at once, as of a request and of the step.
    await Promise.all([1, 2].map(() => applySeriesChange(ctx, { seriesId })));
    for (let round = 0; round < 3; round += 1) await applySeriesChange(ctx, { seriesId });
    expect(new Set(await titles(seriesId))).toEqual(new Set(["Roda nova"]));
    expect(await changingSeries(ctx, { limit: 100 })).not.toContain(seriesId);
    expect(new Set((await datesOf(seriesId)).map(({ revision }) => revision))).toEqual(
      new Set([1]),
    );
  });

  test("of the day of several dates is refused beside its field", async () => {
    const { eventId } = await publishedSeries();
    const moved = { startsAt: START + DAY_MS, endsAt: START + DAY_MS + HOUR_MS };
    await expect(change(eventId, { scope: "all", ...moved })).rejects.toBeInstanceOf(
      SeriesDayChanged,
    );
    await change(eventId, { scope: "one", ...moved });
  });

  test("to fewer seats than one date has given changes none of them", async () => {
    const { ctx } = world;
    const { seriesId, eventId } = await publishedSeries({}, { capacity: 5 });
    const last = (await datesOf(seriesId)).at(-1)?.id ?? "";
    for (const name of ["Bia", "Caio"])
      await takeSeats(ctx, {
        eventId: last,
        personId: (await createPerson(ctx, name)).id,
        quantity: 1,
      });
    await expect(change(eventId, { scope: "all", capacity: 1 })).rejects.toThrow(DateHasMoreSeats);
    expect((await datesOf(seriesId)).map(({ capacity }) => capacity)).toEqual(Array(5).fill(5));
  });
});

test("a date in an hour that the clocks skip keeps the hour of its series when it is changed", async () => {
  const { ctx } = world;
  const timeZone = "America/New_York";
  const startsAt = Date.parse("2027-03-13T07:30:00Z");
  const { seriesId, own } = await publishedSeries({ times: 3 }, { startsAt, timeZone });
  expect(await hours(seriesId)).toEqual(["02:30", "02:30", "02:30"]);
  const skipped = (await datesOf(seriesId))[1];
  const form = { startsWall: skipped?.startsWall ?? null, endsWall: skipped?.endsWall ?? null };
  await change(skipped?.id ?? "", { scope: "all", place: "Na escola", ...form });
  expect(await hours(seriesId)).toEqual(["02:30", "02:30", "02:30"]);
  expect((await datesOf(seriesId)).map((date) => date.startsAt - startsAt)).toEqual([
    0,
    DAY_MS,
    2 * DAY_MS - HOUR_MS,
  ]);
  expect(await editableEvent(ctx, own)).toMatchObject({ place: "Na escola" });
});

test("a draft that was changed on its own keeps its seats when the series is published", async () => {
  const { ctx } = world;
  const { seriesId, own } = await repeating({}, { capacity: 50 });
  const second = (await datesOf(seriesId))[1]?.id ?? "";
  await change(second, { scope: "one", capacity: 10 });
  await ticketKind(ctx, own.eventId, { id: ana.id });
  await publishEvent(ctx, own);
  expect((await datesOf(seriesId)).map(({ capacity }) => capacity)).toEqual([50, 10, 50, 50, 50]);
});

test("a free date that people see stays free when more dates are made", async () => {
  const { ctx } = world;
  const { seriesId } = await publishedSeries({ times: 100 });
  const last = (await datesOf(seriesId)).at(-1)?.id ?? "";
  await ticketKind(ctx, last, { id: ana.id });
  const later = { ...ctx, now: () => START + 30 * DAY_MS };
  await extendSeries(later, { seriesId });
  const prices = (await datesOf(seriesId)).map(({ priceFromCents }) => priceFromCents);
  expect(prices.slice(0, 59).every((price) => price === null)).toBe(true);
  expect(prices.slice(59).every((price) => price === 3_000)).toBe(true);
  const kinds = await ctx.db
    .select()
    .from(eventTicketKinds)
    .where(sql`event_id IN (SELECT id FROM events WHERE series_id = ${seriesId})`);
  expect(kinds).toHaveLength(prices.length - 59);
});

test("during a change its source waits, and no dates are made", async () => {
  const { ctx } = world;
  const { seriesId, eventId, own } = await publishedSeries({ times: 100 });
  await change(eventId, { scope: "all", title: "Roda nova" });
  await expect(change(eventId, { scope: "one", title: "Só esta" })).rejects.toBeInstanceOf(
    SeriesIsChanging,
  );
  await expect(cancelDates(ctx, { ...own, scope: "one" })).rejects.toBeInstanceOf(SeriesIsChanging);
  const { length } = await datesOf(seriesId);
  await extendSeries({ ...ctx, now: () => START + 30 * DAY_MS }, { seriesId });
  expect(await datesOf(seriesId)).toHaveLength(length);
});

test("a creator's repeating events are erased with their dates", async () => {
  const { ctx } = world;
  const { seriesId } = await publishedSeries();
  await commit(ctx.db, eraseEventsStatements(ctx, { personId: ana.id }));
  expect(await datesOf(seriesId)).toEqual([]);
  expect(await ctx.db.select().from(eventSeries).where(eq(eventSeries.creatorId, ana.id))).toEqual(
    [],
  );
});
