import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { publishEvent } from "#app/domain/events/commands.server.ts";
import { joinWaitingList, takeSeats } from "#app/domain/events/seats/commands.server.ts";
import { eventNotifications } from "#app/domain/events/rules/notifications.ts";
import { applySeriesChange, cancelDates } from "#app/domain/events/series/commands.server.ts";
import { seriesExtent, seriesToExtend } from "#app/domain/events/series/queries.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { eventTicketKinds } from "#drizzle/schema/events.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { seriesHelpers, SERIES_START as START } from "#tests/support/event-series.ts";
import { paidTickets, ticketKind, tryToTake } from "#tests/support/events.ts";
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

describe("a change of several dates", () => {
  test("is told once to who comes at many dates, with a line for each, when all are reached", async () => {
    const { ctx } = world;
    const { seriesId, eventId } = await publishedSeries({ times: 40 });
    const dates = await datesOf(seriesId);
    const fan = await createPerson(ctx, "Bia");
    for (const at of [0, 20, 39])
      await takeSeats(ctx, { eventId: dates[at]?.id ?? "", personId: fan.id, quantity: 1 });
    await change(eventId, { scope: "all", place: "Na escola" });
    expect(await messagesTo(fan, "event.changed")).toEqual([]);
    for (let round = 0; round < 4; round += 1)
      await Promise.all([1, 2].map(() => applySeriesChange(ctx, { seriesId })));
    const [told, ...others] = await messagesTo(fan, "event.changed");
    expect(others).toEqual([]);
    expect(told).toMatchObject({
      eventId,
      place: "Na escola",
      changed: ["place"],
      startsAt: START,
    });
    expect(told?.dates.map(({ startsAt }) => startsAt)).toEqual(
      [0, 20, 39].map((at) => START + at * DAY_MS),
    );
  });

  test("that other dates notice only is told to their people", async () => {
    const { ctx } = world;
    const { seriesId } = await publishedSeries();
    const [, second, third] = await datesOf(seriesId);
    await change(second?.id ?? "", { scope: "one", place: "Na escola" });
    const fan = await createPerson(ctx, "Bia");
    await takeSeats(ctx, { eventId: third?.id ?? "", personId: fan.id, quantity: 1 });
    // The form of the second date has the place already.
    await change(second?.id ?? "", { scope: "all" });
    const told = await messagesTo(fan, "event.changed");
    expect(told).toMatchObject([{ eventId: third?.id, place: "Na escola", changed: ["place"] }]);
  });
});

describe("a cancellation", () => {
  test("of one date leaves the others", async () => {
    const { ctx } = world;
    const { seriesId, own } = await publishedSeries();
    await cancelDates(ctx, { ...own, scope: "one" });
    expect((await datesOf(seriesId)).map(({ status }) => status)).toEqual([
      "canceled",
      ...Array<string>(4).fill("published"),
    ]);
  });

  test("of this and the next is of all of them at once, ends the repetition, and tells each person once", async () => {
    const { ctx } = world;
    const { seriesId } = await publishedSeries({ times: 100 });
    const dates = await datesOf(seriesId);
    const fan = await createPerson(ctx, "Bia");
    for (const at of [0, 10, 50])
      await takeSeats(ctx, { eventId: dates[at]?.id ?? "", personId: fan.id, quantity: 1 });
    const scope = { eventId: dates[1]?.id ?? "", creatorId: ana.id, scope: "next" } as const;
    expect(await seriesExtent(ctx, { seriesId, fromDay: dates[1]?.seriesDay ?? "" })).toEqual({
      dates: 59,
      seatsTaken: 2,
    });
    await cancelDates(ctx, scope);
    await cancelDates(ctx, scope);
    const after = await datesOf(seriesId);
    expect(after.filter(({ status }) => status === "published")).toHaveLength(1);
    expect(after.map(({ revision }) => revision)).toEqual([0, ...Array<number>(59).fill(1)]);
    const [told, ...others] = await messagesTo(fan, "event.canceled");
    expect(others).toEqual([]);
    expect(told).toMatchObject({ eventId: dates[10]?.id, hasPaid: 0 });
    expect(told?.dates.map(({ startsAt }) => startsAt)).toEqual(
      [10, 50].map((at) => START + at * DAY_MS),
    );
    expect(
      await seriesToExtend({ ...ctx, now: () => START + 90 * DAY_MS }, { limit: 100 }),
    ).not.toContain(seriesId);
  });
});

test("canceled dates are refunded to who paid for them, and the date before is not", async () => {
  const { ctx } = world;
  const { seriesId, eventId, own } = await repeating({ times: 3 });
  await ticketKind(ctx, eventId, { id: ana.id });
  await publishEvent(ctx, own);
  const dates = await datesOf(seriesId);
  const buyer = await createPerson(ctx, "Bia");
  for (const { id } of dates) {
    const [kind] = await ctx.db
      .select()
      .from(eventTicketKinds)
      .where(eq(eventTicketKinds.eventId, id));
    await paidTickets(world, buyer, { eventId: id, kindId: kind?.id ?? "" });
  }
  await cancelDates(ctx, { eventId: dates[1]?.id ?? "", creatorId: ana.id, scope: "next" });
  const bought = await ctx.db.all<{ eventId: string; closes: number }>(
    sql`SELECT o.event_id AS eventId, p.closes_at IS NOT NULL AS closes FROM purchases p JOIN event_orders o ON o.id = p.target_id
      JOIN events e ON e.id = o.event_id WHERE e.series_id = ${seriesId} ORDER BY e.series_day`,
  );
  expect(bought.map(({ closes }) => closes)).toEqual([0, 1, 1]);
});

test("dates that are canceled together sell nothing more, and end their waiting lists", async () => {
  const { ctx } = world;
  const { seriesId, own } = await publishedSeries({ times: 40 }, { capacity: 1 });
  const last = (await datesOf(seriesId)).at(-1)?.id ?? "";
  const [bia, caio] = [await createPerson(ctx, "Bia"), await createPerson(ctx, "Caio")];
  await takeSeats(ctx, { eventId: last, personId: bia.id, quantity: 1 });
  await joinWaitingList(ctx, { eventId: last, personId: caio.id, quantity: 1 });
  await cancelDates(ctx, { ...own, scope: "all" });
  const dates = await datesOf(seriesId);
  expect(new Set(dates.map(({ status }) => status))).toEqual(new Set(["canceled"]));
  expect(dates.at(-1)).toMatchObject({ waitingCount: 0, seatsTaken: 1 });
  expect(await tryToTake(ctx, dates[38]?.id ?? "", caio)).toBe("canceled");
  expect(await messagesTo(caio, "event.canceled")).toHaveLength(1);
});

test("the texts list several dates, and speak of one as before", () => {
  const about = { personId: "p", eventId: "e", eventTitle: "Roda", creatorId: "c" };
  const at = (day: number) => ({
    startsAt: START + day * DAY_MS,
    endsAt: START + day * DAY_MS + 3_600_000,
    timeZone: "America/Sao_Paulo",
  });
  const message = { ...about, creatorName: "Ana", ...at(0), place: "", hasPaid: 1 };
  const canceled = (dates: ReturnType<typeof at>[]) =>
    JSON.stringify(
      eventNotifications["event.canceled"]({ type: "event.canceled", ...message, dates }),
    );
  expect(canceled([at(0)])).toContain('"“Roda” foi cancelado."');
  const several = canceled([at(0), at(2)]);
  expect(several).toContain('"“Roda” foi cancelado em 2 datas."');
  expect(several).toContain("Devolvemos tudo");
  expect(several.match(/\\n- /g)).toHaveLength(2);
  const changed = JSON.stringify(
    eventNotifications["event.changed"]({
      type: "event.changed",
      ...message,
      changed: ["start"],
      dates: [at(0), at(2)],
    }),
  );
  expect(changed).toContain("mudou em 2 datas: a hora do começo. A primeira começa");
  expect(changed.match(/\\n- /g)).toHaveLength(2);
});
