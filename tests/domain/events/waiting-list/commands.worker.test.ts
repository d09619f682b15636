import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import {
  cancelEvent,
  createEvent,
  deleteDraft,
  updateEvent,
} from "#app/domain/events/commands.server.ts";
import { cancelSeats } from "#app/domain/events/commands/cancellation.server.ts";
import { joinWaitingList, takeSeats } from "#app/domain/events/seats/commands.server.ts";
import { eventFor } from "#app/domain/events/queries.server.ts";
import { follow, unfollow } from "#app/domain/profiles/commands.server.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import { events, eventWaiting } from "#drizzle/schema/events.ts";
import { people as peopleRows } from "#drizzle/schema/identity.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { eventInput, publishedEvent, seatCounts, tryToTake } from "#tests/support/events.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: TestPerson;
beforeAll(async () => {
  world = await testContext({ uncompletedFeatures: true });
  ana = await createSeller(world.ctx);
});

/** A full event of one seat: who has it, and who waits, in this order. */
async function full(input: Parameters<typeof publishedEvent>[2] = {}) {
  const { ctx } = world;
  const eventId = await publishedEvent(ctx, ana, { capacity: 1, ...input });
  const [bia, caio, dora] = [
    await createPerson(ctx, "Bia"),
    await createPerson(ctx, "Caio"),
    await createPerson(ctx, "Dora"),
  ];
  if (input.access === "followers")
    for (const { id } of [bia, caio, dora])
      await follow(ctx, { followerId: id, creatorId: ana.id });
  await takeSeats(ctx, { eventId, personId: bia.id, quantity: 1 });
  for (const { id } of [caio, dora]) {
    await joinWaitingList(ctx, { eventId, personId: id, quantity: 1 });
    await world.advance(1_000);
  }
  return { eventId, bia, caio, dora, own: { eventId, creatorId: ana.id } };
}

const offerOf = async (eventId: string, person: { id: string }) =>
  (await eventFor(world.ctx, { eventId, viewerId: person.id }))?.offer ?? null;

test("from the start on, a freed seat is anybody's, whoever waited", async () => {
  const startsAt = world.ctx.now() + HOUR_MS;
  const { eventId, bia } = await full({ startsAt, endsAt: startsAt + HOUR_MS });
  await world.advance(HOUR_MS + 1_000);
  await cancelSeats(world.ctx, { eventId, personId: bia.id });
  const late = await createPerson(world.ctx, "Eva");
  expect(await tryToTake(world.ctx, eventId, late)).toBe("taken");
});

test("who lost access while waiting leaves the list and closes no seat to others", async () => {
  const { eventId, bia, caio, dora } = await full({ access: "followers" });
  for (const { id } of [caio, dora])
    await unfollow(world.ctx, { followerId: id, creatorId: ana.id });
  await cancelSeats(world.ctx, { eventId, personId: bia.id });
  expect((await seatCounts(world.ctx, eventId)).stored).toEqual({
    taken: 0,
    held: 0,
    offered: 0,
    waiting: 0,
  });
  expect(await tryToTake(world.ctx, eventId, bia)).toBe("taken");
});

test("a banned person is passed over, and the next gets the offer", async () => {
  const { eventId, bia, caio, dora } = await full();
  await world.ctx.db
    .update(peopleRows)
    .set({ bannedAt: world.ctx.now() })
    .where(eq(peopleRows.id, caio.id));
  await cancelSeats(world.ctx, { eventId, personId: bia.id });
  expect(await offerOf(eventId, dora)).toMatchObject({ quantity: 1 });
});

test("an event that moves forward ends its offers by its new start", async () => {
  const { ctx } = world;
  const { eventId, bia, caio, own } = await full();
  await cancelSeats(ctx, { eventId, personId: bia.id });
  const startsAt = ctx.now() + 2 * HOUR_MS;
  const moved = eventInput(ctx, { startsAt, endsAt: startsAt + HOUR_MS, capacity: 1 });
  await updateEvent(ctx, { ...own, revision: 0, ...moved });
  expect((await offerOf(eventId, caio))?.endsAt).toBe(startsAt);
});

test("who had an offer at a canceled event hears of the cancellation only", async () => {
  const { ctx } = world;
  const { eventId, bia, caio, own } = await full();
  await cancelSeats(ctx, { eventId, personId: bia.id });
  await cancelEvent(ctx, own);
  expect(await ctx.db.select().from(eventWaiting).where(eq(eventWaiting.eventId, eventId))).toEqual(
    [],
  );
  await world.advance(13 * HOUR_MS);
  await world.tick();
  const told = await ctx.db.all<{ type: string }>(
    sql`SELECT type FROM outbox WHERE json_extract(payload, '$.eventId') = ${eventId} AND json_extract(payload, '$.personId') = ${caio.id} ORDER BY type`,
  );
  expect(told.map(({ type }) => type)).toEqual(["event.canceled", "event.seat_offered"]);
});

test("a draft is deleted, never canceled, so that nobody else sees it; a published event the other way", async () => {
  const { ctx } = world;
  const { eventId } = await createEvent(ctx, { creatorId: ana.id, ...eventInput(ctx) });
  const draft = { eventId, creatorId: ana.id };
  await expect(cancelEvent(ctx, draft)).rejects.toThrow("ainda é um rascunho");
  expect(await eventFor(ctx, { eventId, viewerId: null })).toBeNull();
  await deleteDraft(ctx, draft);
  expect(await ctx.db.select().from(events).where(eq(events.id, eventId))).toEqual([]);
  const published = { eventId: await publishedEvent(ctx, ana), creatorId: ana.id };
  await expect(deleteDraft(ctx, published)).rejects.toThrow("já foi publicado");
});

test("an offer and a free seat besides are taken together, and nothing stays held", async () => {
  const { ctx } = world;
  const eventId = await publishedEvent(ctx, ana, { capacity: 1, maxPerPerson: 2 });
  const own = { eventId, creatorId: ana.id };
  const [bia, caio] = [await createPerson(ctx, "Bia"), await createPerson(ctx, "Caio")];
  await takeSeats(ctx, { eventId, personId: bia.id, quantity: 1 });
  await joinWaitingList(ctx, { eventId, personId: caio.id, quantity: 1 });
  await cancelSeats(ctx, { eventId, personId: bia.id });
  expect((await offerOf(eventId, caio))?.quantity).toBe(1);
  expect(await tryToTake(ctx, eventId, caio, 2)).toBe("few");
  await updateEvent(ctx, {
    ...own,
    revision: 0,
    ...eventInput(ctx, { capacity: 2, maxPerPerson: 2 }),
  });
  expect(await tryToTake(ctx, eventId, caio, 2)).toBe("taken");
  expect((await seatCounts(ctx, eventId)).stored).toEqual({
    taken: 2,
    held: 0,
    offered: 0,
    waiting: 0,
  });
});

test("taking and canceling a seat has a limit an hour, which says so and passes", async () => {
  const { ctx } = world;
  const eventId = await publishedEvent(ctx, ana);
  const personId = (await createPerson(ctx, "Bia")).id;
  for (let times = 0; times < 60; times += 1) {
    await takeSeats(ctx, { eventId, personId, quantity: 1 });
    await cancelSeats(ctx, { eventId, personId });
  }
  const again = () => takeSeats(ctx, { eventId, personId, quantity: 1 });
  await expect(again()).rejects.toThrow("Você pegou e cancelou muitas vagas");
  await world.advance(HOUR_MS + 1_000);
  await again();
});
