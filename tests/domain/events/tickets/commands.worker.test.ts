import { eq } from "drizzle-orm";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { cancelSeats } from "#app/domain/events/commands/cancellation.server.ts";
import { chooseTickets } from "#app/domain/events/tickets/commands/orders.server.ts";
import { joinWaitingList, takeSeats } from "#app/domain/events/seats/commands.server.ts";
import {
  createTicketKind,
  restoreTicketKind,
  retireTicketKind,
  updateTicketKind,
} from "#app/domain/events/tickets/commands/ticket-kinds.server.ts";
import {
  NoSeat,
  NoTicketKind,
  PaymentIsRunning,
  TicketKindNamed,
  TicketKindNotFound,
} from "#app/domain/events/errors.ts";
import { eventFor, ticketsOf } from "#app/domain/events/queries.server.ts";
import { ticketKindsOf } from "#app/domain/events/tickets/queries/ticket-kinds.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { PriceChanged, TicketsGone } from "#app/domain/purchases/errors.ts";
import { startPurchase } from "#app/domain/purchases/single-purchases/commands/checkout.server.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, UNDO_MS } from "#app/domain/time.ts";
import { purchases } from "#drizzle/schema/purchases.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import {
  paidTickets,
  pendingTickets,
  seatCounts,
  sellingEvent,
  ticketKind,
} from "#tests/support/events.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { payAtBank } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import {
  expectBoughtOnce,
  purchaseCheckoutInput,
  purchaseEndsOf,
} from "#tests/support/purchases.ts";

let world: World;
let ana: Seller;
beforeAll(async () => {
  world = await testContext({ uncompletedFeatures: true });
  ana = await createSeller(world.ctx);
});
afterEach(() => expectInvariantsToHold(world.ctx));

const person = (name = "Bia"): Promise<TestPerson> => createPerson(world.ctx, name);
const taken = async (eventId: string) => (await seatCounts(world.ctx, eventId)).stored;
const pay = (buyer: TestPerson, orderId: string, amountCents?: number) =>
  startPurchase(world.ctx, {
    ...purchaseCheckoutInput(buyer, orderId, { kind: "event" }),
    amountCents,
  });
/** The outcome of choosing and beginning to pay one ticket. */
async function tryToBuy(buyer: TestPerson, tickets: { eventId: string; kindId: string }) {
  try {
    await pendingTickets(world, buyer, tickets);
    return "held";
  } catch (error) {
    if (error instanceof TicketsGone) return "gone";
    if (error instanceof NoSeat) return error.why;
    throw error;
  }
}

describe("a paid ticket", () => {
  test("is booked once as any sale, gives each seat a code, and both sides hear of it once", async () => {
    const bia = await person();
    const tickets = await sellingEvent(world.ctx, ana, { capacity: 10, maxPerPerson: 3 });
    const { chargeId } = await paidTickets(world, bia, { ...tickets, quantity: 2 });
    expect(await chargeRow(world.ctx, { chargeId })).toMatchObject({
      purchaseKind: "event",
      amountCents: 6_000,
      feeCents: 300,
      netCents: 5_700,
      description: "Evento “Roda de rabeca, 2 × Inteira”, de Ana Lira",
    });
    await expectBoughtOnce(world, { chargeId, buyer: bia, seller: ana });
    const seats = await ticketsOf(world.ctx, { eventId: tickets.eventId, personId: bia.id });
    expect(new Set(seats.map(({ code }) => code)).size).toBe(2);
    expect(seats.map(({ kindName }) => kindName)).toEqual(["Inteira", "Inteira"]);
    expect(await taken(tickets.eventId)).toEqual({ taken: 2, held: 0, offered: 0, waiting: 0 });
    expect((await seatCounts(world.ctx, tickets.eventId)).summed.taken).toBe(2);
  });

  test("holds its seat while it can be paid, and no longer", async () => {
    const [bia, caio] = [await person(), await person("Caio")];
    const tickets = await sellingEvent(world.ctx, ana, { capacity: 1 });
    await pendingTickets(world, bia, tickets);
    expect(await taken(tickets.eventId)).toMatchObject({ taken: 0, held: 1 });
    expect(await tryToBuy(caio, tickets)).toBe("full");
    await joinWaitingList(world.ctx, { eventId: tickets.eventId, personId: caio.id, quantity: 1 });
    await world.advance(31 * MINUTE_MS);
    await world.tick();
    await world.tick();
    expect(await taken(tickets.eventId)).toMatchObject({ taken: 0, held: 0, offered: 1 });
    expect(await tryToBuy(bia, tickets)).toBe("full");
    // The offer is taken by paying.
    expect(await tryToBuy(caio, tickets)).toBe("held");
    expect(await taken(tickets.eventId)).toEqual({ taken: 0, held: 1, offered: 0, waiting: 0 });
  });

  test("of twelve people who begin to pay for the last one at once, exactly one holds it", async () => {
    const tickets = await sellingEvent(world.ctx, ana, { capacity: 1 });
    const fans = await Promise.all(Array.from({ length: 12 }, (_, at) => person(`Fã ${at}`)));
    // All have chosen before the first begins to pay.
    const orders = await Promise.all(
      fans.map(({ id }) => chooseTickets(world.ctx, { ...tickets, personId: id, quantity: 1 })),
    );
    const outcomes = await Promise.allSettled(
      fans.map((fan, at) => pay(fan, orders[at]?.orderId ?? "")),
    );
    const refused = outcomes.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(11);
    for (const one of refused)
      expect((one as PromiseRejectedResult).reason).toBeInstanceOf(TicketsGone);
    expect(await taken(tickets.eventId)).toMatchObject({ taken: 0, held: 1 });
  });

  test("two tabs that pay for one choice make one charge", async () => {
    const bia = await person();
    const tickets = await sellingEvent(world.ctx, ana, { capacity: 1 });
    const { orderId } = await chooseTickets(world.ctx, {
      ...tickets,
      personId: bia.id,
      quantity: 1,
    });
    const both = await Promise.all([pay(bia, orderId), pay(bia, orderId)]);
    expect(both[0]?.chargeId).toBe(both[1]?.chargeId);
    expect(await taken(tickets.eventId)).toMatchObject({ held: 1 });
  });

  test("paid late is refunded by itself when the seat is gone, and bought when it is free", async () => {
    const [bia, caio] = [await person(), await person("Caio")];
    const tickets = await sellingEvent(world.ctx, ana, { capacity: 1 });
    const late = await pendingTickets(world, bia, tickets);
    await world.advance(31 * MINUTE_MS);
    await world.tick();
    const second = await pendingTickets(world, caio, tickets);
    await payAtBank(world, late);
    await world.drain();
    expect(await purchaseEndsOf(world.ctx, bia)).toEqual(["unpaid"]);
    expect((await chargeRow(world.ctx, late))?.status).toBe("refunded");
    expect(await taken(tickets.eventId)).toMatchObject({ taken: 0, held: 1 });
    await world.advance(31 * MINUTE_MS);
    await world.tick();
    await payAtBank(world, second);
    await world.drain();
    expect(await purchaseEndsOf(world.ctx, caio)).toEqual([null]);
    expect(await taken(tickets.eventId)).toMatchObject({ taken: 1, held: 0 });
  });
});

describe("kinds of tickets", () => {
  test("each has its own limit, besides that of the event, and their sum is the event's", async () => {
    const { ctx } = world;
    const [bia, caio, dora] = [await person(), await person("Caio"), await person("Dora")];
    const tickets = await sellingEvent(ctx, ana, { capacity: 9 }, { kindCapacity: 1 });
    const { eventId } = tickets;
    const half = await ticketKind(ctx, eventId, ana, {
      name: "Meia",
      price: 1_500,
      kindCapacity: 1,
    });
    expect((await eventFor(ctx, { eventId, viewerId: bia.id }))?.capacity).toBe(2);
    await paidTickets(world, bia, tickets);
    expect(await tryToBuy(caio, tickets)).toBe("kind_few");
    expect(await tryToBuy(caio, { eventId, kindId: half })).toBe("held");
    expect(await tryToBuy(dora, { eventId, kindId: half })).toBe("full");
    await joinWaitingList(ctx, { eventId, personId: dora.id, quantity: 1 });
    await expect(
      updateTicketKind(ctx, {
        eventId,
        kindId: half,
        creatorId: ana.id,
        name: "Meia",
        price: 1_500,
        kindCapacity: 2,
        saleStartsAt: null,
        saleEndsAt: null,
      }),
    ).resolves.toBeUndefined();
    expect(await taken(eventId)).toMatchObject({ taken: 1, held: 1, offered: 1 });
  });

  test("a free kind is taken at once, a paid one never; outside of its sale none is", async () => {
    const { ctx } = world;
    const bia = await person();
    const { eventId, kindId } = await sellingEvent(ctx, ana, { maxPerPerson: 3 });
    const free = await ticketKind(ctx, eventId, ana, { name: "Criança", price: 0 });
    const later = await ticketKind(ctx, eventId, ana, {
      name: "Segundo lote",
      saleStartsAt: ctx.now() + DAY_MS,
    });
    const take = (chosen: string | null) =>
      takeSeats(ctx, { eventId, personId: bia.id, quantity: 1, kindId: chosen });
    for (const refused of [null, kindId, later, "of-another-event"])
      await expect(take(refused)).rejects.toThrow(NoTicketKind);
    await take(free);
    expect(await taken(eventId)).toMatchObject({ taken: 1 });
    expect(await tryToBuy(bia, { eventId, kindId: later })).toBe("kind_soon");
    await world.advance(DAY_MS + HOUR_MS);
    expect(await tryToBuy(bia, { eventId, kindId: later })).toBe("held");
    await expect(
      chooseTickets(ctx, { eventId, kindId, personId: bia.id, quantity: 1 }),
    ).rejects.toThrow(PaymentIsRunning);
  });

  test("a kind that left the sale sells no more, and its event never becomes free", async () => {
    const { ctx } = world;
    const [bia, caio] = [await person(), await person("Caio")];
    const { eventId, kindId } = await sellingEvent(ctx, ana);
    await paidTickets(world, bia, { eventId, kindId });
    await retireTicketKind(ctx, { eventId, kindId, creatorId: ana.id });
    await expect(takeSeats(ctx, { eventId, personId: caio.id, quantity: 1 })).rejects.toThrow(
      "não estão mais à venda",
    );
    expect(await ticketsOf(ctx, { eventId, personId: bia.id })).toHaveLength(1);
  });

  test("a buyer never pays another price than the one shown", async () => {
    const { ctx } = world;
    const bia = await person();
    const { eventId, kindId } = await sellingEvent(ctx, ana);
    const { orderId } = await chooseTickets(ctx, {
      eventId,
      kindId,
      personId: bia.id,
      quantity: 1,
    });
    await updateTicketKind(ctx, {
      eventId,
      kindId,
      creatorId: ana.id,
      name: "Inteira",
      price: 4_000,
      kindCapacity: null,
      saleStartsAt: null,
      saleEndsAt: null,
    });
    await expect(pay(bia, orderId, 3_000)).rejects.toThrow(PriceChanged);
    await pay(bia, orderId, 4_000);
    const [bought] = await ctx.db.select().from(purchases).where(eq(purchases.targetId, orderId));
    expect(bought?.amountCents).toBe(4_000);
  });
});

test("a ticket that is paid for twice keeps its seats, once", async () => {
  const bia = await person();
  const tickets = await sellingEvent(world.ctx, ana, { capacity: 5 });
  const first = await pendingTickets(world, bia, tickets);
  await world.advance(31 * MINUTE_MS);
  await world.tick();
  const { chargeId } = await pay(bia, first.orderId);
  const second = await chargeRow(world.ctx, { chargeId });
  await payAtBank(world, first);
  await world.drain();
  await payAtBank(world, { providerChargeId: second?.providerChargeId ?? "" });
  await world.drain();
  const seats = await ticketsOf(world.ctx, { eventId: tickets.eventId, personId: bia.id });
  expect(seats).toHaveLength(1);
  expect(await taken(tickets.eventId)).toMatchObject({ taken: 1, held: 0 });
  expect((await chargeRow(world.ctx, { chargeId }))?.status).toBe("refunded");
  await cancelSeats(world.ctx, { eventId: tickets.eventId, personId: bia.id });
});

test("a code that is paid late buys nothing else than what it was for", async () => {
  const { ctx } = world;
  const bia = await person();
  const { eventId, kindId } = await sellingEvent(ctx, ana, { maxPerPerson: 5 });
  const dear = await ticketKind(ctx, eventId, ana, { name: "Camarote", price: 50_000 });
  const late = await pendingTickets(world, bia, { eventId, kindId });
  await world.advance(31 * MINUTE_MS);
  await world.tick();
  const other = { eventId, kindId: dear, quantity: 4, personId: bia.id };
  const { orderId } = await chooseTickets(ctx, other);
  expect(orderId).not.toBe(late.orderId);
  await payAtBank(world, late);
  await world.drain();
  expect((await chargeRow(ctx, late))?.status).toBe("refunded");
  expect(await ticketsOf(ctx, { eventId, personId: bia.id })).toEqual([]);
});

test("a late code of somebody with an offer takes the offered seat, once", async () => {
  const { ctx } = world;
  const [bia, caio] = [await person(), await person("Caio")];
  const tickets = await sellingEvent(ctx, ana, { capacity: 1 });
  const { eventId } = tickets;
  const late = await pendingTickets(world, bia, tickets);
  await world.advance(31 * MINUTE_MS);
  await world.tick();
  await paidTickets(world, caio, tickets);
  await joinWaitingList(ctx, { eventId, personId: bia.id, quantity: 1 });
  await cancelSeats(ctx, { eventId, personId: caio.id });
  expect(await taken(eventId)).toMatchObject({ taken: 0, offered: 1 });
  await payAtBank(world, late);
  await world.drain();
  expect(await taken(eventId)).toEqual({ taken: 1, held: 0, offered: 0, waiting: 0 });
  expect((await chargeRow(ctx, late))?.status).toBe("succeeded");
});

test("a kind that left the sale comes back within ten minutes, and not beside its namesake", async () => {
  const { ctx } = world;
  const bia = await person();
  const { eventId, kindId } = await sellingEvent(ctx, ana);
  const own = { eventId, kindId, creatorId: ana.id };
  await retireTicketKind(ctx, own);
  await restoreTicketKind(ctx, own);
  expect(await tryToBuy(bia, { eventId, kindId })).toBe("held");

  await retireTicketKind(ctx, own);
  const [retired] = await ticketKindsOf(ctx, { eventId });
  const { name = "" } = retired ?? {};
  const content = { price: 2_000, kindCapacity: null, saleStartsAt: null, saleEndsAt: null };
  const namesake = await createTicketKind(ctx, { ...own, ...content, name });
  await expect(restoreTicketKind(ctx, own)).rejects.toThrow(TicketKindNamed);
  await retireTicketKind(ctx, { ...own, ...namesake });
  await world.advance(UNDO_MS);
  await expect(restoreTicketKind(ctx, own)).rejects.toThrow(TicketKindNotFound);
});

test("a published event whose only kind left the sale unsold gives nothing away", async () => {
  const { ctx } = world;
  const bia = await person();
  const { eventId, kindId } = await sellingEvent(ctx, ana);
  await retireTicketKind(ctx, { eventId, kindId, creatorId: ana.id });
  await expect(takeSeats(ctx, { eventId, personId: bia.id, quantity: 1 })).rejects.toThrow(
    "não estão mais à venda",
  );
});
