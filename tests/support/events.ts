import { eq } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { createEvent, publishEvent } from "#app/domain/events/commands.server.ts";
import { chooseTickets } from "#app/domain/events/tickets/commands/orders.server.ts";
import { createTicketKind } from "#app/domain/events/tickets/commands/ticket-kinds.server.ts";
import { takeSeats } from "#app/domain/events/seats/commands.server.ts";
import { NoSeat } from "#app/domain/events/errors.ts";
import type { Answer } from "#app/domain/events/questions/rules.ts";
import type { EventInput } from "#app/domain/events/schema.ts";
import type { TicketKindInput } from "#app/domain/events/tickets/schema.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { eventOrders, events, eventSeats, eventWaiting } from "#drizzle/schema/events.ts";
import type { World } from "./context.ts";
import { payAtBank } from "./payments.ts";
import type { PendingCheckout } from "./payments.ts";
import type { TestPerson } from "./people.ts";
import { pendingPixPurchase } from "./purchases.ts";

/** A valid input: a free event in three days, of two hours, without a limit. */
export function eventInput(ctx: Context, input: Partial<EventInput> = {}): EventInput {
  const startsAt = input.startsAt ?? ctx.now() + 3 * DAY_MS;
  return {
    title: "Roda de rabeca",
    description: "",
    startsAt,
    endsAt: startsAt + 2 * HOUR_MS,
    timeZone: "America/Sao_Paulo",
    place: "Praça da Matriz",
    link: null,
    linkMinutes: null,
    capacity: null,
    maxPerPerson: 1,
    refundHours: 48,
    access: "public",
    needsApproval: false,
    planIds: [],
    cover: null,
    coverAlt: "",
    removesCover: false,
    ...input,
  };
}

/** Creates and publishes an event, and returns its id. */
export async function publishedEvent(
  ctx: Context,
  creator: { id: string },
  input: Partial<EventInput> = {},
): Promise<string> {
  const { eventId } = await createEvent(ctx, { creatorId: creator.id, ...eventInput(ctx, input) });
  await publishEvent(ctx, { eventId, creatorId: creator.id });
  return eventId;
}

/** Takes a seat; returns "taken", or why not. */
export async function tryToTake(
  ctx: Context,
  eventId: string,
  person: { id: string },
  quantity = 1,
): Promise<string> {
  try {
    await takeSeats(ctx, { eventId, personId: person.id, quantity });
    return "taken";
  } catch (error) {
    if (error instanceof NoSeat) return error.why;
    throw error;
  }
}

/** The counts of an event as stored, and as its rows give them. */
export async function seatCounts(ctx: Context, eventId: string) {
  const [event] = await ctx.db.select().from(events).where(eq(events.id, eventId));
  const seats = await ctx.db.select().from(eventSeats).where(eq(eventSeats.eventId, eventId));
  const waiting = await ctx.db.select().from(eventWaiting).where(eq(eventWaiting.eventId, eventId));
  const orders = await ctx.db.select().from(eventOrders).where(eq(eventOrders.eventId, eventId));
  const stored = {
    taken: event?.seatsTaken,
    held: event?.seatsHeld,
    offered: event?.seatsOffered,
    waiting: event?.waitingCount,
  };
  const summed = {
    taken: seats.filter(({ status }) => status === "taken").length,
    held: orders
      .filter(({ status }) => status === "held")
      .reduce((sum, { quantity }) => sum + quantity, 0),
    offered: waiting.reduce((sum, { offeredQuantity }) => sum + offeredQuantity, 0),
    waiting: waiting.filter(({ offerEndsAt }) => offerEndsAt === null).length,
  };
  return { stored, summed, capacity: event?.capacity ?? null };
}

/** A valid input: a kind of R$ 30,00, on sale at once and without a limit. */
export const kindInput = (input: Partial<TicketKindInput> = {}): TicketKindInput => ({
  name: "Inteira",
  price: 3_000,
  kindCapacity: null,
  saleStartsAt: null,
  saleEndsAt: null,
  ...input,
});

/** Adds a kind of ticket of R$ 30,00 to an event, and returns its id. */
export async function ticketKind(
  ctx: Context,
  eventId: string,
  creator: { id: string },
  input: Partial<TicketKindInput> = {},
): Promise<string> {
  const { kindId } = await createTicketKind(ctx, {
    eventId,
    creatorId: creator.id,
    ...kindInput(input),
  });
  return kindId;
}

/** Creates and publishes an event with one paid kind of ticket. */
export async function sellingEvent(
  ctx: Context,
  creator: { id: string },
  input: Partial<EventInput> = {},
  kind: Partial<TicketKindInput> = {},
): Promise<{ eventId: string; kindId: string }> {
  const eventId = await publishedEvent(ctx, creator, input);
  return { eventId, kindId: await ticketKind(ctx, eventId, creator, kind) };
}

type Tickets = {
  eventId: string;
  kindId: string;
  quantity?: number;
  names?: string[];
  answers?: Answer[];
};

/** Chooses tickets and opens their checkout by Pix, which holds the seats. */
export async function pendingTickets(
  world: World,
  buyer: TestPerson,
  { quantity = 1, ...tickets }: Tickets,
): Promise<PendingCheckout & { orderId: string }> {
  const { orderId } = await chooseTickets(world.ctx, {
    ...tickets,
    quantity,
    personId: buyer.id,
  });
  return { ...(await pendingPixPurchase(world, buyer, orderId, "event")), orderId };
}

/** Buys tickets by Pix, and applies the payment. */
export async function paidTickets(
  world: World,
  buyer: TestPerson,
  tickets: Tickets,
): Promise<PendingCheckout & { orderId: string }> {
  const pending = await pendingTickets(world, buyer, tickets);
  await payAtBank(world, pending);
  await world.drain();
  return pending;
}
