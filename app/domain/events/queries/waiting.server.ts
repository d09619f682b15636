import { and, eq, isNull, sql } from "drizzle-orm";
import { eventListableTo, eventOpenTo } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { remainingSeats } from "#app/domain/events/rules.ts";
import { events, eventWaiting } from "#drizzle/schema/events.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

/** Reads the first person who waits without an offer, if the event has a seat for them. */
export async function nextInLine(ctx: Context, { eventId }: { eventId: string }) {
  const now = ctx.now();
  const waiter = sql`${eventWaiting.personId}`;
  const [row] = await ctx.db
    .select({
      eventId: eventWaiting.eventId,
      personId: eventWaiting.personId,
      quantity: eventWaiting.quantity,
      joinedAt: eventWaiting.joinedAt,
      title: events.title,
      startsAt: events.startsAt,
      capacity: events.capacity,
      seatsTaken: events.seatsTaken,
      seatsOffered: events.seatsOffered,
      creatorName: profiles.name,
    })
    .from(events)
    .innerJoin(eventWaiting, eq(eventWaiting.eventId, events.id))
    .innerJoin(profiles, eq(profiles.personId, events.creatorId))
    .where(
      and(
        eq(events.id, eventId),
        eq(events.status, "published"),
        sql`${events.waitingCount} > 0`,
        sql`${events.startsAt} > ${now}`,
        sql`(${events.capacity} IS NULL OR ${events.capacity} > ${events.seatsTaken} + ${events.seatsOffered})`,
        isNull(eventWaiting.offerEndsAt),
        eventListableTo(waiter, ctx.settings.adultSpaces),
        eventOpenTo(waiter, now),
      ),
    )
    .orderBy(eventWaiting.joinedAt, eventWaiting.personId)
    .limit(1);
  if (!row) return null;
  const offered = Math.min(row.quantity, remainingSeats(row) ?? row.quantity);
  return offered > 0 ? { ...row, offered } : null;
}

export type NextInLine = NonNullable<Awaited<ReturnType<typeof nextInLine>>>;

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
      creatorName: profiles.name,
    })
    .from(eventWaiting)
    .innerJoin(events, eq(events.id, eventWaiting.eventId))
    .innerJoin(profiles, eq(profiles.personId, events.creatorId))
    .where(and(eq(eventWaiting.eventId, eventId), sql`${eventWaiting.offerEndsAt} <= ${ctx.now()}`))
    .limit(limit);
}
