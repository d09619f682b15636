import { and, eq, isNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { eventListableTo, eventOpenTo } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { canSellSql } from "#app/domain/documents/queries.server.ts";
import { remainingSeats } from "#app/domain/events/rules.ts";
import { events, eventWaiting } from "#drizzle/schema/events.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

/** True for rows of `events` (under its own name) that have a free seat and have not started. */
export const hasFreeSeat = (ctx: Context): SQL =>
  sql`events.status = 'published' AND events.starts_at > ${ctx.now()} AND (events.capacity IS NULL OR events.capacity > events.seats_taken + events.seats_held + events.seats_offered)`;

/**
 * True for rows of `events` (under its own name) at which `personId` (an SQL expression) could take
 * a seat that is offered: they may know of it, its rule admits them, they have not all their seats,
 * and their account is a living one.
 */
export function canAccept(ctx: Context, personId: SQL): SQL {
  return sql`(${ownSeats(personId)} < events.max_per_person
    AND EXISTS (SELECT 1 FROM people living WHERE living.id = ${personId} AND living.banned_at IS NULL AND living.leaving_at IS NULL AND living.deleted_at IS NULL)
    AND ${eventListableTo(personId, ctx.settings.adultSpaces)} AND ${eventOpenTo(personId, ctx.now())})`;
}

/**
 * How many seats the kinds of ticket of `events` (under its own name) can still give to `personId`
 * (an SQL expression): those on sale now, less what is offered already. NULL without a limit. Kinds
 * with a price are not sold to the creator, nor by who may not sell yet.
 */
function seatsOfKinds(ctx: Context, personId: SQL | null): SQL<number | null> {
  const now = ctx.now();
  const own = personId === null ? sql`` : sql` AND events.creator_id <> ${personId}`;
  const onSale = sql`FROM event_ticket_kinds kind WHERE kind.event_id = events.id AND kind.retired_at IS NULL AND (kind.sale_starts_at IS NULL OR kind.sale_starts_at <= ${now}) AND (kind.sale_ends_at IS NULL OR kind.sale_ends_at > ${now})
    AND (kind.price_cents = 0 OR (${canSellSql(sql`events.creator_id`, now)}${own}))`;
  return sql`CASE WHEN NOT EXISTS (SELECT 1 FROM event_ticket_kinds kind WHERE kind.event_id = events.id) OR EXISTS (SELECT 1 ${onSale} AND kind.capacity IS NULL) THEN NULL
    ELSE (SELECT COALESCE(SUM(MAX(0, kind.capacity - kind.seats_taken - kind.seats_held)), 0) ${onSale}) - events.seats_offered END`;
}

/** True for rows of `events` with a seat that a kind of ticket can give to `personId`. */
export const hasKindSeat = (ctx: Context, personId: SQL | null, atLeast = 1): SQL =>
  sql`COALESCE(${seatsOfKinds(ctx, personId)}, ${atLeast}) >= ${atLeast}`;

/** Seats that the person has, and those that their running payment holds. */
export const ownSeats = (personId: SQL): SQL<number> =>
  sql<number>`((SELECT COUNT(*) FROM event_seats own WHERE own.person_id = ${personId} AND own.status = 'taken' AND own.event_id = events.id)
    + COALESCE((SELECT SUM(paying.quantity) FROM event_orders paying WHERE paying.event_id = events.id AND paying.person_id = ${personId} AND paying.status = 'held'), 0))`;

/**
 * Builds the statement that reads the first person who waits without an offer, if the event has a
 * seat for them. `nextFrom` reads its row.
 */
export function nextInLineStatement(ctx: Context, { eventId }: { eventId: string }) {
  const waiter = sql`${eventWaiting.personId}`;
  return ctx.db
    .select({
      eventId: eventWaiting.eventId,
      personId: eventWaiting.personId,
      quantity: eventWaiting.quantity,
      joinedAt: eventWaiting.joinedAt,
      title: events.title,
      creatorId: events.creatorId,
      maxPerPerson: events.maxPerPerson,
      ownSeats: ownSeats(sql`${eventWaiting.personId}`).as("waiter_seats"),
      ofKinds: seatsOfKinds(ctx, waiter).as("seats_of_kinds"),
      startsAt: events.startsAt,
      capacity: events.capacity,
      seatsTaken: events.seatsTaken,
      seatsHeld: events.seatsHeld,
      seatsOffered: events.seatsOffered,
      creatorName: profiles.name,
    })
    .from(events)
    .innerJoin(eventWaiting, eq(eventWaiting.eventId, events.id))
    .innerJoin(profiles, eq(profiles.personId, events.creatorId))
    .where(
      and(
        eq(events.id, eventId),
        hasFreeSeat(ctx),
        isNull(eventWaiting.offerEndsAt),
        canAccept(ctx, waiter),
        hasKindSeat(ctx, waiter),
      ),
    )
    .orderBy(eventWaiting.joinedAt, eventWaiting.personId)
    .limit(1);
}

type WaitingRow = Awaited<ReturnType<typeof nextInLineStatement>>[number];

/**
 * Returns the person with the number of seats to offer: what they want, as far as it is free and a
 * kind of ticket can give it.
 */
export function nextFrom(row: WaitingRow | undefined): NextInLine | null {
  if (!row) return null;
  const { quantity, maxPerPerson, ownSeats: own, ofKinds } = row;
  const free = Math.min(remainingSeats(row) ?? quantity, ofKinds ?? quantity);
  const offered = Math.min(quantity, free, maxPerPerson - own);
  return offered > 0 ? { ...row, offered } : null;
}

export type NextInLine = WaitingRow & { offered: number };

/** True for rows of `event_waiting` whose offer's time is over, and that no running payment uses. */
export const isOfferOver = (ctx: Context): SQL =>
  sql`(${eventWaiting.offerEndsAt} <= ${ctx.now()} AND ${eventWaiting.offeredQuantity} > 0)`;

/** Reads the offers of an event whose time is over. */
export async function endedOffers(
  ctx: Context,
  { eventId, limit }: { eventId: string; limit: number },
) {
  return await ctx.db
    .select({
      personId: eventWaiting.personId,
      offerEndsAt: sql<number>`${eventWaiting.offerEndsAt}`.as("ended_at"),
      title: events.title,
      creatorId: events.creatorId,
      creatorName: profiles.name,
      isPassedOn: sql<number>`(events.status = 'published' AND events.starts_at > ${ctx.now()})`.as(
        "is_passed_on",
      ),
    })
    .from(eventWaiting)
    .innerJoin(events, eq(events.id, eventWaiting.eventId))
    .innerJoin(profiles, eq(profiles.personId, events.creatorId))
    .where(and(eq(eventWaiting.eventId, eventId), isOfferOver(ctx)))
    .limit(limit);
}
