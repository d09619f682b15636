import { eq } from "drizzle-orm";
import { afterEach, beforeAll, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { createEvent, deleteDraft, updateEvent } from "#app/domain/events/commands.server.ts";
import { cancelSeats } from "#app/domain/events/commands/cancellation.server.ts";
import { eraseEventsStatements, eraseSeats } from "#app/domain/events/commands/erasure.server.ts";
import { chooseTickets } from "#app/domain/events/tickets/commands/orders.server.ts";
import { joinWaitingList } from "#app/domain/events/seats/commands.server.ts";
import { retireTicketKind } from "#app/domain/events/tickets/commands/ticket-kinds.server.ts";
import { eventFor } from "#app/domain/events/queries.server.ts";
import { editableEvent } from "#app/domain/events/queries/editable.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { startPurchase } from "#app/domain/purchases/single-purchases/commands/checkout.server.ts";
import { PaymentDeclined } from "#app/domain/subscriptions/errors.ts";
import { HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { eventOrders, eventTicketKinds } from "#drizzle/schema/events.ts";
import { APPROVED_CARD } from "#tests/support/dunning.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import {
  eventInput,
  paidTickets,
  pendingTickets,
  seatCounts,
  sellingEvent,
  ticketKind,
} from "#tests/support/events.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { cardToken, payAtBank } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { purchaseCheckoutInput } from "#tests/support/purchases.ts";
import { TRIAL_DECLINED_CARD } from "#tests/support/trials.ts";

let world: World;
let ana: Seller;
beforeAll(async () => {
  world = await testContext({ uncompletedFeatures: true });
  ana = await createSeller(world.ctx);
});
afterEach(() => expectInvariantsToHold(world.ctx));

const person = (name = "Bia"): Promise<TestPerson> => createPerson(world.ctx, name);
const counts = async (eventId: string) => (await seatCounts(world.ctx, eventId)).stored;
const orderRow = async (id: string) =>
  (await world.ctx.db.select().from(eventOrders).where(eq(eventOrders.id, id)))[0];

async function setRefundRule(eventId: string, refundHours: number | null) {
  const saved = await editableEvent(world.ctx, { eventId, creatorId: ana.id });
  if (!saved) throw new Error("no event");
  const { startsAt, endsAt, maxPerPerson, revision } = saved;
  await updateEvent(world.ctx, {
    eventId,
    creatorId: ana.id,
    ...eventInput(world.ctx, { startsAt, endsAt, maxPerPerson, refundHours }),
    revision,
  });
}

test("a choice that is not paid for follows the refund rule; a running payment and a ticket keep theirs", async () => {
  const { ctx } = world;
  const [bia, caio, dora] = [await person(), await person("Caio"), await person("Dora")];
  const tickets = await sellingEvent(ctx, ana, { refundHours: null });
  const chosen = await chooseTickets(ctx, { ...tickets, personId: bia.id, quantity: 1 });
  const running = await pendingTickets(world, caio, tickets);
  const paid = await paidTickets(world, dora, tickets);
  await setRefundRule(tickets.eventId, 0);
  expect(await orderRow(chosen.orderId)).toMatchObject({ status: "open", refundHours: 0 });
  expect(await orderRow(running.orderId)).toMatchObject({ status: "held", refundHours: null });
  expect(await orderRow(paid.orderId)).toMatchObject({ status: "paid", refundHours: null });
});

test("a code of before another refund rule, paid late, buys nothing", async () => {
  const { ctx } = world;
  const bia = await person();
  const tickets = await sellingEvent(ctx, ana, { refundHours: 0 });
  const late = await pendingTickets(world, bia, tickets);
  await world.advance(31 * MINUTE_MS);
  await world.tick();
  await setRefundRule(tickets.eventId, null);
  await payAtBank(world, late);
  await world.drain();
  expect((await chargeRow(ctx, late))?.status).toBe("refunded");
});

test("an event whose kinds all left the sale still counts as one with paid tickets", async () => {
  const { ctx } = world;
  const bia = await person();
  const { eventId, kindId } = await sellingEvent(ctx, ana);
  await paidTickets(world, bia, { eventId, kindId });
  await retireTicketKind(ctx, { eventId, kindId, creatorId: ana.id });
  expect(await eventFor(ctx, { eventId, viewerId: null })).toMatchObject({
    ticketKinds: [],
    hasKinds: true,
    isPaid: true,
  });
  expect(await editableEvent(ctx, { eventId, creatorId: ana.id })).toMatchObject({ isSold: true });
});

test("an event with only free kinds has no paid tickets", async () => {
  const { ctx } = world;
  const { eventId } = await sellingEvent(ctx, ana, {}, { price: 0 });
  expect(await eventFor(ctx, { eventId, viewerId: null })).toMatchObject({ isPaid: false });
  expect(await editableEvent(ctx, { eventId, creatorId: ana.id })).toMatchObject({ isSold: false });
});

/** A full event: Caio has an offer, and Dora waits after him. */
async function offeredSeat() {
  const { ctx } = world;
  const [bia, caio, dora] = [await person(), await person("Caio"), await person("Dora")];
  const tickets = await sellingEvent(ctx, ana, { capacity: 1 });
  const { eventId } = tickets;
  await paidTickets(world, bia, tickets);
  for (const { id } of [caio, dora])
    await joinWaitingList(ctx, { eventId, personId: id, quantity: 1 });
  await cancelSeats(ctx, { eventId, personId: bia.id });
  expect(await counts(eventId)).toEqual({ taken: 0, held: 0, offered: 1, waiting: 1 });
  return { tickets, eventId, caio, dora };
}

test("a payment that fails gives the offer back until its end", async () => {
  const { ctx } = world;
  const { tickets, eventId, caio, dora } = await offeredSeat();
  await pendingTickets(world, caio, tickets);
  expect(await counts(eventId)).toEqual({ taken: 0, held: 1, offered: 0, waiting: 1 });
  await world.advance(31 * MINUTE_MS);
  await world.tick();
  expect(await counts(eventId)).toEqual({ taken: 0, held: 0, offered: 1, waiting: 1 });
  await paidTickets(world, caio, tickets);
  expect(await counts(eventId)).toEqual({ taken: 1, held: 0, offered: 0, waiting: 1 });
  await cancelSeats(ctx, { eventId, personId: caio.id });
  expect((await eventFor(ctx, { eventId, viewerId: dora.id }))?.offer?.quantity).toBe(1);
});

test("an offer that was given back ends when it would have, and goes to the next", async () => {
  const { ctx } = world;
  const { tickets, eventId, caio, dora } = await offeredSeat();
  await world.advance(12 * HOUR_MS - 10 * MINUTE_MS);
  await pendingTickets(world, caio, tickets);
  await world.advance(15 * MINUTE_MS);
  await world.tick();
  expect(await counts(eventId)).toEqual({ taken: 0, held: 1, offered: 0, waiting: 1 });
  await world.advance(16 * MINUTE_MS);
  for (let runs = 0; runs < 3; runs += 1) {
    await world.advance(MINUTE_MS);
    await world.tick();
  }
  expect(await eventFor(ctx, { eventId, viewerId: caio.id })).toMatchObject({
    offer: null,
    isWaiting: false,
  });
  expect((await eventFor(ctx, { eventId, viewerId: dora.id }))?.offer?.quantity).toBe(1);
});

async function payByCard(buyer: TestPerson, orderId: string, number: string) {
  const token = await cardToken(world, number);
  await startPurchase(
    world.ctx,
    purchaseCheckoutInput(buyer, orderId, { kind: "event", method: "card", cardToken: token }),
  );
  await world.drain();
}

test("a declined card leaves the offer for another card", async () => {
  const { ctx } = world;
  const { tickets, eventId, caio } = await offeredSeat();
  const { orderId } = await chooseTickets(ctx, { ...tickets, personId: caio.id, quantity: 1 });
  await expect(payByCard(caio, orderId, TRIAL_DECLINED_CARD)).rejects.toThrow(PaymentDeclined);
  expect(await counts(eventId)).toEqual({ taken: 0, held: 0, offered: 1, waiting: 1 });
  await payByCard(caio, orderId, APPROVED_CARD);
  expect(await counts(eventId)).toEqual({ taken: 1, held: 0, offered: 0, waiting: 1 });
});

test("who pays by another method keeps their seat although others wait", async () => {
  const { ctx } = world;
  const [bia, dora] = [await person(), await person("Dora")];
  const tickets = await sellingEvent(ctx, ana, { capacity: 1 });
  const { orderId } = await pendingTickets(world, bia, tickets);
  await joinWaitingList(ctx, { eventId: tickets.eventId, personId: dora.id, quantity: 1 });
  await payByCard(bia, orderId, APPROVED_CARD);
  expect(await counts(tickets.eventId)).toEqual({ taken: 1, held: 0, offered: 0, waiting: 1 });
});

test("choices that nobody paid for go with an erased person, and kinds with their event", async () => {
  const { ctx } = world;
  const [bia, creator] = [await person(), await createSeller(ctx)];
  const erase = async (personId: string) => {
    while ((await eraseSeats(ctx, { personId, limit: 10 })) > 0);
    await commit(ctx.db, eraseEventsStatements(ctx, { personId }));
  };
  const tickets = await sellingEvent(ctx, creator);
  const { orderId } = await chooseTickets(ctx, { ...tickets, personId: bia.id, quantity: 1 });
  await erase(bia.id);
  expect(await orderRow(orderId)).toBeUndefined();
  const caio = await person("Caio");
  const other = await chooseTickets(ctx, { ...tickets, personId: caio.id, quantity: 1 });
  await erase(creator.id);
  expect(await orderRow(other.orderId)).toBeUndefined();
  expect(await kindsOf(tickets.eventId)).toEqual([]);
});

test("the kinds of a draft are deleted with it", async () => {
  const { ctx } = world;
  const { eventId } = await createEvent(ctx, { creatorId: ana.id, ...eventInput(ctx) });
  await ticketKind(ctx, eventId, ana);
  await deleteDraft(ctx, { eventId, creatorId: ana.id });
  expect(await kindsOf(eventId)).toEqual([]);
});

const kindsOf = (eventId: string) =>
  world.ctx.db.select().from(eventTicketKinds).where(eq(eventTicketKinds.eventId, eventId));
