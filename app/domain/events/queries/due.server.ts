import { and, eq, isNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import { hasKindSeat, isOfferOver } from "#app/domain/events/waiting-list/queries.server.ts";
import { REMINDERS } from "#app/domain/events/rules.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { eventOrders, events, eventSeats, eventWaiting } from "#drizzle/schema/events.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

/** Reads the events with an offer whose time is over. */
export async function eventsWithEndedOffers(
  ctx: Context,
  { limit }: { limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .selectDistinct({ eventId: eventWaiting.eventId })
    .from(eventWaiting)
    .where(
      and(
        sql`${eventWaiting.offerEndsAt} IS NOT NULL`,
        isOfferOver(ctx),
        isRetryDue(ctx, eventWaiting.eventId, "event_offers"),
      ),
    )
    .limit(limit);
  return rows.map(({ eventId }) => eventId);
}

/** Reads the orders whose change of payment method did not come to its end. */
export async function ordersWithEndedSwitches(
  ctx: Context,
  { limit }: { limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: eventOrders.id })
    .from(eventOrders)
    .where(
      and(
        sql`${eventOrders.switchEndsAt} IS NOT NULL AND ${eventOrders.switchEndsAt} <= ${ctx.now()}`,
        isRetryDue(ctx, eventOrders.id),
      ),
    )
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** How long the answers of a choice stay that nobody pays: a code may be paid a little late. */
const ANSWERS_RETAINED_MS = DAY_MS;

/**
 * SQL condition on `event_orders`: no payment of it runs, and its answers were retained long
 * enough.
 */
export const areAnswersOver = (ctx: Context): SQL =>
  sql`(event_orders.status = 'open' AND event_orders.answers_id IS NOT NULL AND event_orders.created_at <= ${ctx.now() - ANSWERS_RETAINED_MS})`;

/** Reads the orders that nobody paid and whose answers are to be erased. */
export async function ordersWithUnpaidAnswers(
  ctx: Context,
  { limit }: { limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: eventOrders.id })
    .from(eventOrders)
    .where(and(areAnswersOver(ctx), isRetryDue(ctx, eventOrders.id, "event_answers")))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Reads the tickets of people whom the creator blocked after somebody passed it to them. */
export async function blockedSeats(ctx: Context, { limit }: { limit: number }): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: eventSeats.id })
    .from(eventSeats)
    .where(
      and(
        sql`${eventSeats.cancelsAt} IS NOT NULL AND ${eventSeats.status} = 'taken'`,
        isRetryDue(ctx, eventSeats.id, "event_blocked_seat"),
      ),
    )
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Reads the events where people wait although a seat is free, soonest first. */
export async function eventsWithFreeSeats(
  ctx: Context,
  { limit }: { limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: events.id })
    .from(events)
    .where(
      and(
        sql`${events.status} = 'published' AND ${events.waitingCount} > 0 AND ${events.startsAt} > ${ctx.now()}
        AND (${events.capacity} IS NULL OR ${events.capacity} > ${events.seatsTaken} + ${events.seatsHeld} + ${events.seatsOffered})`,
        hasKindSeat(ctx, null),
        isRetryDue(ctx, events.id, "event_list"),
      ),
    )
    .orderBy(events.startsAt)
    .limit(limit);
  return rows.map(({ id }) => id);
}

export type Reminder = keyof typeof REMINDERS;

/** The column in which the announcement of each reminder is recorded. */
export const reminderStamps = { day: events.dayReminderAt, start: events.startReminderAt } as const;

/** Reads the events whose people are to be reminded now, soonest first. */
export async function dueReminders(
  ctx: Context,
  { ahead, limit }: { ahead: Reminder; limit: number },
): Promise<string[]> {
  const now = ctx.now();
  const rows = await ctx.db
    .select({ id: events.id })
    .from(events)
    .where(
      and(
        sql`${events.status} = 'published'`,
        isNull(reminderStamps[ahead]),
        sql`${events.startsAt} > ${now}`,
        sql`${events.startsAt} <= ${now + REMINDERS[ahead]}`,
        // The page of a creator who leaves or was banned is closed: nobody is sent there.
        sql`NOT EXISTS (SELECT 1 FROM people gone WHERE gone.id = events.creator_id AND (gone.banned_at IS NOT NULL OR gone.leaving_at IS NOT NULL))`,
        isRetryDue(ctx, events.id, "event_reminder"),
      ),
    )
    .orderBy(events.startsAt)
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Reads what a reminder of an event says; null once it is gone. */
export async function remindedEvent(ctx: Context, { eventId }: { eventId: string }) {
  const row = await ctx.db
    .select({
      title: events.title,
      place: events.place,
      startsAt: events.startsAt,
      timeZone: events.timeZone,
      link: events.link,
      linkMinutes: events.linkMinutes,
      creatorId: events.creatorId,
      creatorName: profiles.name,
    })
    .from(events)
    .innerJoin(profiles, eq(profiles.personId, events.creatorId))
    .where(eq(events.id, eventId))
    .get();
  return row ?? null;
}
