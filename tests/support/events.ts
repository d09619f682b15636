import { eq } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { createEvent, publishEvent } from "#app/domain/events/commands.server.ts";
import { takeSeats } from "#app/domain/events/commands/seats.server.ts";
import { NoSeat } from "#app/domain/events/errors.ts";
import type { EventInput } from "#app/domain/events/schema.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { events, eventSeats, eventWaiting } from "#drizzle/schema/events.ts";

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
    capacity: null,
    maxPerPerson: 1,
    access: "public",
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
  const stored = {
    taken: event?.seatsTaken,
    offered: event?.seatsOffered,
    waiting: event?.waitingCount,
  };
  const summed = {
    taken: seats.filter(({ status }) => status === "taken").length,
    offered: waiting.reduce((sum, { offeredQuantity }) => sum + offeredQuantity, 0),
    waiting: waiting.filter(({ offerEndsAt }) => offerEndsAt === null).length,
  };
  return { stored, summed, capacity: event?.capacity ?? null };
}
