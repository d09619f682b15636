import { and, eq, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { cancelEvent, updateEvent } from "#app/domain/events/commands.server.ts";
import { editableEvent } from "#app/domain/events/queries/editable.server.ts";
import { cancelSeats } from "#app/domain/events/commands/cancellation.server.ts";
import {
  joinWaitingList,
  leaveWaitingList,
  takeSeats,
} from "#app/domain/events/seats/commands.server.ts";
import { eventFor, ticketsOf } from "#app/domain/events/queries.server.ts";
import { OFFER_LIFE_MS } from "#app/domain/events/rules.ts";
import { block, follow } from "#app/domain/profiles/commands.server.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import { events } from "#drizzle/schema/events.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { eventInput, publishedEvent, seatCounts, tryToTake } from "#tests/support/events.ts";
import { interleaveBeforeWrite } from "#tests/support/interleave.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: TestPerson;
beforeAll(async () => {
  world = await testContext({ uncompletedFeatures: true });
  ana = await createSeller(world.ctx);
});

const people = (count: number): Promise<TestPerson[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => createPerson(world.ctx, `Fã ${at}`)));

test("of a thousand people who want the last seat at once, exactly one gets it, and a list is offered to the others", async () => {
  const { ctx } = world;
  const eventId = await publishedEvent(ctx, ana, { capacity: 1 });
  const fans = await people(1_000);
  const results = await Promise.all(fans.map((fan) => tryToTake(ctx, eventId, fan)));
  expect(results.filter((result) => result === "taken")).toHaveLength(1);
  expect(results.filter((result) => result === "full")).toHaveLength(999);
  const { stored, summed } = await seatCounts(ctx, eventId);
  expect(stored).toEqual({ taken: 1, held: 0, offered: 0, waiting: 0 });
  expect(summed).toEqual(stored);
});

test("a seat that goes between the read and the write is not taken twice", async () => {
  const eventId = await publishedEvent(world.ctx, ana, { capacity: 1 });
  const [bia, caio] = await people(2);
  if (!bia || !caio) throw new Error("two people");
  const late = interleaveBeforeWrite(
    world.ctx,
    () => takeSeats(world.ctx, { eventId, personId: bia.id, quantity: 1 }),
    /"event_seats"/,
  );
  expect(await tryToTake(late, eventId, caio)).toBe("full");
  expect((await seatCounts(world.ctx, eventId)).stored.taken).toBe(1);
});

test("the database refuses a seat above the capacity even without the command's guard", async () => {
  const { ctx } = world;
  const eventId = await publishedEvent(ctx, ana, { capacity: 1 });
  const fan = await createPerson(ctx, "Fã");
  await takeSeats(ctx, { eventId, personId: fan.id, quantity: 1 });
  await expect(
    commit(ctx.db, [ctx.db.update(events).set({ seatsTaken: 2 }).where(eq(events.id, eventId))]),
  ).rejects.toThrow("event_full");
});

test("several seats are taken together or not at all, and never more than a person may have", async () => {
  const { ctx } = world;
  const eventId = await publishedEvent(ctx, ana, { capacity: 3, maxPerPerson: 2 });
  const [bia, caio] = await people(2);
  if (!bia || !caio) throw new Error("two people");
  expect(await tryToTake(ctx, eventId, bia, 2)).toBe("taken");
  expect(await tryToTake(ctx, eventId, bia)).toBe("too_many");
  expect(await tryToTake(ctx, eventId, caio, 2)).toBe("few");
  const tickets = await ticketsOf(ctx, { eventId, personId: bia.id });
  expect(new Set(tickets.map(({ code }) => code)).size).toBe(2);
});

test("a freed seat goes to the waiting list in its order, and nobody passes it", async () => {
  const { ctx } = world;
  const eventId = await publishedEvent(ctx, ana, { capacity: 1 });
  const [bia, caio, dora] = await people(3);
  if (!bia || !caio || !dora) throw new Error("three people");
  await takeSeats(ctx, { eventId, personId: bia.id, quantity: 1 });
  await joinWaitingList(ctx, { eventId, personId: caio.id, quantity: 1 });
  await world.advance(1_000);
  await joinWaitingList(ctx, { eventId, personId: dora.id, quantity: 1 });
  const before = ctx.now();
  await cancelSeats(ctx, { eventId, personId: bia.id });
  const offer = (await eventFor(ctx, { eventId, viewerId: caio.id }))?.offer;
  expect(offer?.quantity).toBe(1);
  expect(offer?.endsAt).toBeGreaterThanOrEqual(before + OFFER_LIFE_MS);
  expect(offer?.endsAt).toBeLessThanOrEqual(ctx.now() + OFFER_LIFE_MS);
  expect((await eventFor(ctx, { eventId, viewerId: dora.id }))?.offer).toBeNull();
  expect(await tryToTake(ctx, eventId, bia)).toBe("full");
  expect(await tryToTake(ctx, eventId, dora)).toBe("full");
  expect(await tryToTake(ctx, eventId, caio)).toBe("taken");
  const { stored, summed } = await seatCounts(ctx, eventId);
  expect(stored).toEqual({ taken: 1, held: 0, offered: 0, waiting: 1 });
  expect(summed).toEqual(stored);
});

test("an offer that nobody takes within 12 hours goes to the next person by itself", async () => {
  const { ctx } = world;
  const eventId = await publishedEvent(ctx, ana, { capacity: 1 });
  const [bia, caio, dora] = await people(3);
  if (!bia || !caio || !dora) throw new Error("three people");
  await takeSeats(ctx, { eventId, personId: bia.id, quantity: 1 });
  await joinWaitingList(ctx, { eventId, personId: caio.id, quantity: 1 });
  await world.advance(1_000);
  await joinWaitingList(ctx, { eventId, personId: dora.id, quantity: 1 });
  await cancelSeats(ctx, { eventId, personId: bia.id });
  await world.advance(OFFER_LIFE_MS - 60_000);
  await world.tick();
  expect((await eventFor(ctx, { eventId, viewerId: caio.id }))?.offer).not.toBeNull();
  await world.advance(120_000);
  await world.tick();
  const gone = await eventFor(ctx, { eventId, viewerId: caio.id });
  expect([gone?.offer, gone?.isWaiting]).toEqual([null, false]);
  expect((await eventFor(ctx, { eventId, viewerId: dora.id }))?.offer?.quantity).toBe(1);
});

test("an offer ends at the start of an event that is nearer than 12 hours", async () => {
  const { ctx } = world;
  const startsAt = ctx.now() + 5 * HOUR_MS;
  const eventId = await publishedEvent(ctx, ana, {
    capacity: 1,
    startsAt,
    endsAt: startsAt + HOUR_MS,
  });
  const [bia, caio] = await people(2);
  if (!bia || !caio) throw new Error("two people");
  await takeSeats(ctx, { eventId, personId: bia.id, quantity: 1 });
  await joinWaitingList(ctx, { eventId, personId: caio.id, quantity: 1 });
  await cancelSeats(ctx, { eventId, personId: bia.id });
  expect((await eventFor(ctx, { eventId, viewerId: caio.id }))?.offer?.endsAt).toBe(startsAt);
});

test("with free seats nobody waits, and leaving the list passes the offer on", async () => {
  const { ctx } = world;
  const eventId = await publishedEvent(ctx, ana, { capacity: 1 });
  const [bia, caio, dora] = await people(3);
  if (!bia || !caio || !dora) throw new Error("three people");
  await expect(joinWaitingList(ctx, { eventId, personId: bia.id, quantity: 1 })).rejects.toThrow(
    "Ainda há vagas",
  );
  await takeSeats(ctx, { eventId, personId: bia.id, quantity: 1 });
  await joinWaitingList(ctx, { eventId, personId: caio.id, quantity: 1 });
  await world.advance(1_000);
  await joinWaitingList(ctx, { eventId, personId: dora.id, quantity: 1 });
  await cancelSeats(ctx, { eventId, personId: bia.id });
  await leaveWaitingList(ctx, { eventId, personId: caio.id });
  expect((await eventFor(ctx, { eventId, viewerId: dora.id }))?.offer?.quantity).toBe(1);
});

test("the capacity is not lowered below the seats that are gone, and a raised one goes to the list", async () => {
  const { ctx } = world;
  const eventId = await publishedEvent(ctx, ana, { capacity: 2 });
  const [bia, caio, dora] = await people(3);
  if (!bia || !caio || !dora) throw new Error("three people");
  for (const { id } of [bia, caio]) await takeSeats(ctx, { eventId, personId: id, quantity: 1 });
  await joinWaitingList(ctx, { eventId, personId: dora.id, quantity: 1 });
  const own = { eventId, creatorId: ana.id };
  const saved = await editableEvent(ctx, own);
  if (!saved) throw new Error("no event");
  const changed = (capacity: number) =>
    updateEvent(ctx, {
      ...own,
      revision: saved.revision,
      ...eventInput(ctx, { startsAt: saved.startsAt, endsAt: saved.endsAt, capacity }),
    });
  await expect(changed(1)).rejects.toThrow("Já há 2 vagas ocupadas ou oferecidas");
  await changed(3);
  expect((await eventFor(ctx, { eventId, viewerId: dora.id }))?.offer?.quantity).toBe(1);
  await expect(changed(4)).rejects.toThrow("mudou em outra aba");
});

test("a block in either direction frees the seat, hides the event and lets nobody back in", async () => {
  const { ctx } = world;
  const creator = await createSeller(ctx);
  const eventId = await publishedEvent(ctx, creator, { capacity: 2 });
  const [bia, caio] = await people(2);
  if (!bia || !caio) throw new Error("two people");
  for (const { id } of [bia, caio]) await takeSeats(ctx, { eventId, personId: id, quantity: 1 });
  await block(ctx, { personId: creator.id, otherId: bia.id });
  await block(ctx, { personId: caio.id, otherId: creator.id });
  expect((await seatCounts(ctx, eventId)).stored.taken).toBe(0);
  for (const { id } of [bia, caio]) {
    expect(await eventFor(ctx, { eventId, viewerId: id })).toBeNull();
    await expect(takeSeats(ctx, { eventId, personId: id, quantity: 1 })).rejects.toThrow(
      "Não encontramos este evento",
    );
  }
});

test("an event for followers lets in who follows, and a stranger sees it without its link", async () => {
  const { ctx } = world;
  const eventId = await publishedEvent(ctx, ana, {
    access: "followers",
    link: "https://sala.exemplo.test/roda",
  });
  const [bia] = await people(1);
  if (!bia) throw new Error("a person");
  expect(await tryToTake(ctx, eventId, bia)).toBe("closed");
  await follow(ctx, { followerId: bia.id, creatorId: ana.id });
  expect((await eventFor(ctx, { eventId, viewerId: bia.id }))?.link).toBeNull();
  expect(await tryToTake(ctx, eventId, bia)).toBe("taken");
  expect((await eventFor(ctx, { eventId, viewerId: bia.id }))?.link).toContain("sala.exemplo");
});

test("a canceled event takes nobody, and tells each person with a seat or in the list once", async () => {
  const { ctx } = world;
  const eventId = await publishedEvent(ctx, ana, { capacity: 1 });
  const [bia, caio] = await people(2);
  if (!bia || !caio) throw new Error("two people");
  await takeSeats(ctx, { eventId, personId: bia.id, quantity: 1 });
  await joinWaitingList(ctx, { eventId, personId: caio.id, quantity: 1 });
  const own = { eventId, creatorId: ana.id };
  await Promise.all([cancelEvent(ctx, own), cancelEvent(ctx, own)]);
  expect(await tryToTake(ctx, eventId, caio)).toBe("canceled");
  const told = await ctx.db.all<{ person: string }>(
    sql`SELECT json_extract(payload, '$.personId') AS person FROM outbox WHERE type = 'event.canceled' AND json_extract(payload, '$.eventId') = ${eventId}`,
  );
  expect(told.map(({ person }) => person).toSorted()).toEqual([bia.id, caio.id].toSorted());
  const [row] = await ctx.db
    .select()
    .from(events)
    .where(and(eq(events.id, eventId), eq(events.status, "canceled")));
  expect(row?.revision).toBe(1);
});
