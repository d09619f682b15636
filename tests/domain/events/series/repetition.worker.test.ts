import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { addQuestion } from "#app/domain/events/questions/commands.server.ts";
import { cancelSeats } from "#app/domain/events/commands/cancellation.server.ts";
import {
  holdEventStatement,
  releaseEventStatement,
} from "#app/domain/events/seats/commands/holds.server.ts";
import { takeSeats } from "#app/domain/events/seats/commands.server.ts";
import {
  createTicketKind,
  retireTicketKind,
  updateTicketKind,
} from "#app/domain/events/tickets/commands/ticket-kinds.server.ts";
import { TicketKindNamed } from "#app/domain/events/errors.ts";
import { editableEvent } from "#app/domain/events/queries/editable.server.ts";
import { extendSeries } from "#app/domain/events/series/commands/dates.server.ts";
import { repeatEvent } from "#app/domain/events/series/commands/repetition.server.ts";
import {
  DateIsTaken,
  HiddenDateRepeats,
  TooFewSeatsOnOtherDate,
} from "#app/domain/events/series/errors.ts";
import { seriesById, seriesToExtend } from "#app/domain/events/series/queries.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { events, eventTicketKinds } from "#drizzle/schema/events.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { DAILY, seriesHelpers, SERIES_START as START } from "#tests/support/event-series.ts";
import { kindInput, paidTickets, publishedEvent, ticketKind } from "#tests/support/events.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: TestPerson;
beforeAll(async () => {
  world = await testContext({ uncompletedFeatures: true });
  ana = await createSeller(world.ctx);
});

const { publishedSeries, datesOf } = seriesHelpers(() => ({ world, creator: ana }));
const daysOf = async (seriesId: string) =>
  (await datesOf(seriesId))
    .filter(({ status }) => status !== "canceled")
    .map(({ seriesDay }) => seriesDay?.slice(5));
const repeat = (eventId: string, rule: Partial<typeof DAILY>) =>
  repeatEvent(world.ctx, { eventId, creatorId: ana.id, rule: { ...DAILY, ...rule } });

const kindsOf = async (seriesId: string) =>
  await world.ctx.db
    .select({
      id: eventTicketKinds.id,
      eventId: eventTicketKinds.eventId,
      name: eventTicketKinds.name,
      priceCents: eventTicketKinds.priceCents,
      retiredAt: eventTicketKinds.retiredAt,
      saleEndsAt: eventTicketKinds.saleEndsAt,
      startsAt: events.startsAt,
    })
    .from(eventTicketKinds)
    .innerJoin(events, eq(events.id, eventTicketKinds.eventId))
    .where(eq(events.seriesId, seriesId))
    .orderBy(events.startsAt);

describe("a single event", () => {
  test("begins to repeat with what it has, and keeps who has a seat", async () => {
    const { ctx } = world;
    const eventId = await publishedEvent(ctx, ana, { startsAt: START, capacity: 9 });
    await addQuestion(ctx, {
      eventId,
      creatorId: ana.id,
      scope: "one",
      text: "Vem de onde?",
      kind: "short",
      options: [],
      isRequired: false,
    });
    const kindId = await ticketKind(ctx, eventId, ana, { price: 0 });
    const bia = await createPerson(ctx, "Bia");
    await takeSeats(ctx, { eventId, personId: bia.id, quantity: 1, kindId });
    await repeat(eventId, { times: 3 });
    const saved = await editableEvent(ctx, { eventId, creatorId: ana.id });
    const dates = await datesOf(saved?.seriesId ?? "");
    expect(dates.map(({ startsAt }) => startsAt - START)).toEqual([0, DAY_MS, 2 * DAY_MS]);
    expect(dates.map(({ seatsTaken }) => seatsTaken)).toEqual([1, 0, 0]);
    for (const date of dates)
      expect(date).toMatchObject({ status: "published", capacity: 9, questions: [{}] });
    expect(await kindsOf(saved?.seriesId ?? "")).toHaveLength(3);
  });
});

describe("a date that a moderator hid", () => {
  const hide = async (eventId: string) =>
    await commit(world.ctx.db, [holdEventStatement(world.ctx, { eventId })]);
  const inAMonth = () => ({ ...world.ctx, now: () => START + 30 * DAY_MS });

  test("is not copied by a new rule, which says why", async () => {
    const { ctx } = world;
    const single = await publishedEvent(ctx, ana, { startsAt: START });
    await hide(single);
    const { seriesId, eventId } = await publishedSeries();
    await hide(eventId);
    for (const hidden of [single, eventId])
      await expect(repeat(hidden, { times: 3 })).rejects.toBeInstanceOf(HiddenDateRepeats);
    expect(await daysOf(seriesId)).toHaveLength(5);
    const second = (await datesOf(seriesId))[1]?.id ?? "";
    await repeat(second, { times: 8 });
    expect((await datesOf(seriesId)).filter(({ heldAt }) => heldAt !== null)).toMatchObject([
      { id: eventId },
    ]);
  });

  test("is no model for the next dates: they are made as the last one that is shown", async () => {
    const { ctx } = world;
    const { seriesId } = await publishedSeries({ times: 100 });
    const last = (await datesOf(seriesId)).at(-1)?.id ?? "";
    await ctx.db.update(events).set({ title: "Oculto" }).where(eq(events.id, last));
    await hide(last);
    await extendSeries(inAMonth(), { seriesId });
    const made = (await datesOf(seriesId)).slice(60);
    expect(made.length).toBeGreaterThan(20);
    expect(new Set(made.map(({ title }) => title))).toEqual(new Set(["Roda de rabeca"]));
  });

  test("ends nothing: where all are hidden, dates are made once a moderator shows one again", async () => {
    const { ctx } = world;
    const { seriesId } = await publishedSeries({ times: 100 });
    const dates = await datesOf(seriesId);
    for (const { id } of dates) await hide(id);
    await extendSeries(inAMonth(), { seriesId });
    expect(await datesOf(seriesId)).toHaveLength(60);
    expect(await seriesToExtend(inAMonth(), { limit: 100 })).not.toContain(seriesId);
    const release = { eventId: dates[5]?.id ?? "" };
    await commit(ctx.db, [releaseEventStatement(ctx, release)]);
    const nextDay = { ...ctx, now: () => START + 31 * DAY_MS };
    expect(await seriesToExtend(nextDay, { limit: 100 })).toContain(seriesId);
    await extendSeries(nextDay, { seriesId });
    expect((await datesOf(seriesId)).slice(60).every(({ heldAt }) => heldAt === null)).toBe(true);
    expect((await datesOf(seriesId)).length).toBeGreaterThan(60);
  });
});

describe("seats that were sold of a kind that left the sale", () => {
  /** 2 of the retired kind are taken at the date, and 5 of the other are on sale. */
  async function withRetiredKind(eventId: string): Promise<void> {
    const { ctx } = world;
    const retired = await ticketKind(ctx, eventId, ana, { price: 0, kindCapacity: 3 });
    for (const name of ["Bia", "Caio"]) {
      const { id: personId } = await createPerson(ctx, name);
      await takeSeats(ctx, { eventId, personId, quantity: 1, kindId: retired });
    }
    await retireTicketKind(ctx, { eventId, creatorId: ana.id, kindId: retired });
    await ticketKind(ctx, eventId, ana, { name: "Meia", price: 0, kindCapacity: 5 });
    expect(await editableEvent(ctx, { eventId, creatorId: ana.id })).toMatchObject({ capacity: 7 });
  }
  const capacities = async (seriesId: string) =>
    (await datesOf(seriesId)).map(({ capacity }) => capacity);

  test("are no seats of the dates that are copied from it", async () => {
    const { ctx } = world;
    const single = await publishedEvent(ctx, ana, { startsAt: START });
    await withRetiredKind(single);
    await repeat(single, { times: 3 });
    const saved = await editableEvent(ctx, { eventId: single, creatorId: ana.id });
    expect(await capacities(saved?.seriesId ?? "")).toEqual([7, 5, 5]);
    await repeat(single, { times: 5 });
    expect((await capacities(saved?.seriesId ?? "")).slice(3)).toEqual([5, 5]);
  });

  test("are none of the dates that a step makes", async () => {
    const { ctx } = world;
    const { seriesId } = await publishedSeries({ times: 100 });
    const last = (await datesOf(seriesId)).at(-1)?.id ?? "";
    await withRetiredKind(last);
    await extendSeries({ ...ctx, now: () => START + 30 * DAY_MS }, { seriesId });
    const made = (await capacities(seriesId)).slice(60);
    expect(made.length).toBeGreaterThan(20);
    expect(new Set(made)).toEqual(new Set([5]));
  });
});

describe("the rule of a series", () => {
  test("changes from a date on: other days go, new ones come, and the days of both stay", async () => {
    const { seriesId } = await publishedSeries();
    const before = await datesOf(seriesId);
    // From Tuesday on: Tuesdays and Fridays.
    await repeat(before[1]?.id ?? "", { repeat: "weekly", weekdays: [1, 4], times: 4 });
    expect(await daysOf(seriesId)).toEqual(["01-04", "01-05", "01-08", "01-12", "01-15"]);
    const after = await datesOf(seriesId);
    expect(after.find(({ seriesDay }) => seriesDay === "2027-01-08")?.id).toBe(before[4]?.id);
    expect(after.every(({ status }) => status === "published")).toBe(true);
    expect(after.at(-1)?.startsAt).toBe(START + 11 * DAY_MS);
    expect(await seriesById(world.ctx, { seriesId })).toMatchObject({ madeUntil: "2027-01-15" });
  });

  test("stays where somebody has a seat on a day that it would leave out", async () => {
    const { ctx } = world;
    const { seriesId, eventId } = await publishedSeries();
    const taken = (await datesOf(seriesId))[2]?.id ?? "";
    const bia = await createPerson(ctx, "Bia");
    await takeSeats(ctx, { eventId: taken, personId: bia.id, quantity: 1 });
    const weekly = { repeat: "weekly", weekdays: [0], times: 3 } as const;
    await expect(repeat(eventId, { ...weekly, weekdays: [0] })).rejects.toBeInstanceOf(DateIsTaken);
    expect(await daysOf(seriesId)).toHaveLength(5);
    await repeat(eventId, { ...weekly, weekdays: [0, 2], times: 3 });
    expect(await daysOf(seriesId)).toEqual(["01-04", "01-06", "01-11"]);
  });

  test("keeps as canceled the date at which somebody had a seat once", async () => {
    const { ctx } = world;
    const { seriesId, eventId } = await publishedSeries();
    const left = (await datesOf(seriesId))[1]?.id ?? "";
    const bia = await createPerson(ctx, "Bia");
    await takeSeats(ctx, { eventId: left, personId: bia.id, quantity: 1 });
    await cancelSeats(ctx, { eventId: left, personId: bia.id });
    await repeat(eventId, { repeat: "weekly", weekdays: [0], times: 2 });
    expect(await daysOf(seriesId)).toEqual(["01-04", "01-11"]);
    expect((await datesOf(seriesId)).map(({ id, status }) => [id, status])).toContainEqual([
      left,
      "canceled",
    ]);
  });
});

describe("a kind of ticket of a published series", () => {
  test("is made for the chosen dates, on sale as long before each, and once each", async () => {
    const { ctx } = world;
    const { seriesId } = await publishedSeries();
    const third = (await datesOf(seriesId))[2]?.id ?? "";
    const own = { eventId: third, creatorId: ana.id };
    const sale = { saleStartsAt: null, saleEndsAt: START + 2 * DAY_MS - HOUR_MS };
    await createTicketKind(ctx, { ...own, ...kindInput(sale), scope: "next" });
    const made = await kindsOf(seriesId);
    expect(made.map(({ startsAt }) => (startsAt - START) / DAY_MS)).toEqual([2, 3, 4]);
    for (const { startsAt, saleEndsAt } of made) expect(saleEndsAt).toBe(startsAt - HOUR_MS);
    expect((await datesOf(seriesId)).map(({ priceFromCents }) => priceFromCents)).toEqual([
      null,
      null,
      3_000,
      3_000,
      3_000,
    ]);
    const again = createTicketKind(ctx, { ...own, ...kindInput(), scope: "all" });
    await expect(again).rejects.toBeInstanceOf(TicketKindNamed);
    await createTicketKind(ctx, { ...own, ...kindInput({ name: "Meia", price: 1_000 }) });
    expect(await kindsOf(seriesId)).toHaveLength(4);
  });

  test("changes and leaves the sale at the chosen dates, and who bought keeps the ticket", async () => {
    const { ctx } = world;
    const { seriesId, eventId, own } = await publishedSeries();
    const { kindId } = await createTicketKind(ctx, { ...own, ...kindInput(), scope: "all" });
    const last = (await kindsOf(seriesId)).at(-1);
    const bia = await createPerson(ctx, "Bia");
    await paidTickets(world, bia, { eventId: last?.eventId ?? "", kindId: last?.id ?? "" });
    const dearer = kindInput({ name: "Antecipada", price: 5_000 });
    await updateTicketKind(ctx, { ...own, kindId, ...dearer, scope: "all" });
    const changed = await kindsOf(seriesId);
    expect(new Set(changed.map(({ name, priceCents }) => `${name} ${priceCents}`))).toEqual(
      new Set(["Antecipada 5000"]),
    );
    await updateTicketKind(ctx, { ...own, kindId, ...kindInput(), scope: "one" });
    expect((await kindsOf(seriesId)).map(({ name }) => name)).toEqual([
      "Inteira",
      ...Array<string>(4).fill("Antecipada"),
    ]);
    await updateTicketKind(ctx, { ...own, kindId, ...dearer, scope: "one" });
    await retireTicketKind(ctx, { ...own, kindId, scope: "all" });
    expect((await kindsOf(seriesId)).every(({ retiredAt }) => retiredAt !== null)).toBe(true);
    const [seat] = await ctx.db.all<{ status: string }>(
      sql`SELECT status FROM event_seats WHERE person_id = ${bia.id}`,
    );
    expect(seat?.status).toBe("taken");
    expect((await datesOf(seriesId)).map(({ id }) => id)).toContain(eventId);
  });

  test("never gets fewer tickets than one of the dates sold", async () => {
    const { ctx } = world;
    const { seriesId, own } = await publishedSeries();
    const { kindId } = await createTicketKind(ctx, { ...own, ...kindInput(), scope: "all" });
    const last = (await kindsOf(seriesId)).at(-1);
    for (const name of ["Bia", "Caio"])
      await paidTickets(world, await createPerson(ctx, name), {
        eventId: last?.eventId ?? "",
        kindId: last?.id ?? "",
      });
    const fewer = { ...own, kindId, ...kindInput({ kindCapacity: 1 }), scope: "all" as const };
    await expect(updateTicketKind(ctx, fewer)).rejects.toBeInstanceOf(TooFewSeatsOnOtherDate);
  });
});
