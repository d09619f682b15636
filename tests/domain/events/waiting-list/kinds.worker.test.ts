import { beforeAll, expect, test } from "vitest";
import { cancelSeats } from "#app/domain/events/commands/cancellation.server.ts";
import { joinWaitingList } from "#app/domain/events/seats/commands.server.ts";
import {
  retireTicketKind,
  updateTicketKind,
} from "#app/domain/events/tickets/commands/ticket-kinds.server.ts";
import { eventFor } from "#app/domain/events/queries.server.ts";
import { eventsWithFreeSeats } from "#app/domain/events/queries/due.server.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidTickets, seatCounts, sellingEvent, ticketKind } from "#tests/support/events.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
beforeAll(async () => {
  world = await testContext({ uncompletedFeatures: true });
  ana = await createSeller(world.ctx);
});

/** A sold out event of two seats and the kind "Inteira", with a person who waits for two. */
async function soldOut(kind: Parameters<typeof ticketKind>[3] = {}) {
  const { ctx } = world;
  const tickets = await sellingEvent(ctx, ana, { capacity: 2, maxPerPerson: 2 }, kind);
  const { eventId } = tickets;
  const [bia, caio] = [await createPerson(ctx, "Bia"), await createPerson(ctx, "Caio")];
  await paidTickets(world, bia, { ...tickets, quantity: 2 });
  await joinWaitingList(ctx, { eventId, personId: caio.id, quantity: 2 });
  return { ...tickets, own: { eventId, creatorId: ana.id }, bia, caio };
}

const offerOf = async (eventId: string, person: { id: string }) =>
  (await eventFor(world.ctx, { eventId, viewerId: person.id }))?.offer?.quantity ?? 0;
const isDue = async (eventId: string) =>
  (await eventsWithFreeSeats(world.ctx, { limit: 1_000 })).includes(eventId);

test("a seat that no kind on sale can give is not offered, and is once a kind can", async () => {
  const { ctx } = world;
  const { eventId, kindId, own, bia, caio } = await soldOut();
  await retireTicketKind(ctx, { ...own, kindId });
  await cancelSeats(ctx, { eventId, personId: bia.id });
  expect(await offerOf(eventId, caio)).toBe(0);
  expect(await isDue(eventId)).toBe(false);
  await ticketKind(ctx, eventId, ana, {
    name: "Meia",
    saleStartsAt: ctx.now() + HOUR_MS,
  });
  await world.tick();
  expect(await offerOf(eventId, caio)).toBe(0);
  await world.advance(HOUR_MS + 1_000);
  await world.tick();
  expect(await offerOf(eventId, caio)).toBe(2);
});

test("no more seats are offered than the kinds have left, also beside another offer", async () => {
  const { ctx } = world;
  const { eventId, kindId, own, bia, caio } = await soldOut();
  const eva = await createPerson(ctx, "Eva");
  await world.advance(1_000);
  await joinWaitingList(ctx, { eventId, personId: eva.id, quantity: 2 });
  await retireTicketKind(ctx, { ...own, kindId });
  await ticketKind(ctx, eventId, ana, { name: "Convidado", price: 0, kindCapacity: 1 });
  await cancelSeats(ctx, { eventId, personId: bia.id });
  expect((await seatCounts(ctx, eventId)).stored).toMatchObject({ offered: 1, waiting: 1 });
  expect(await offerOf(eventId, caio)).toBe(1);
  expect(await offerOf(eventId, eva)).toBe(0);
});

test("a kind whose sale is over gives nothing to the list", async () => {
  const { ctx } = world;
  const { eventId, kindId, own, bia, caio } = await soldOut();
  await updateTicketKind(ctx, {
    ...own,
    kindId,
    name: "Inteira",
    price: 3_000,
    kindCapacity: null,
    saleStartsAt: null,
    saleEndsAt: ctx.now() + 1_000,
  });
  await world.advance(2_000);
  await cancelSeats(ctx, { eventId, personId: bia.id });
  expect(await offerOf(eventId, caio)).toBe(0);
  expect(await isDue(eventId)).toBe(false);
});

test("a page that may not sell offers no paid seat until it may", async () => {
  const { ctx } = world;
  const { eventId, bia, caio } = await soldOut();
  await ctx.db.run(`UPDATE documents SET status = 'rejected' WHERE person_id = '${ana.id}'`);
  await cancelSeats(ctx, { eventId, personId: bia.id });
  expect(await offerOf(eventId, caio)).toBe(0);
  await ctx.db.run(`UPDATE documents SET status = 'approved' WHERE person_id = '${ana.id}'`);
  await world.tick();
  expect(await offerOf(eventId, caio)).toBe(2);
});
