import { eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { cancelEvent } from "#app/domain/events/commands.server.ts";
import { moveWaitingList } from "#app/domain/events/waiting-list/commands.server.ts";
import { hasPurchase } from "#app/domain/events/tickets/commands/orders.server.ts";
import { eventAnswers, eventRequests } from "#drizzle/schema/events-people.ts";
import {
  eventCalendars,
  eventEntries,
  eventOrders,
  events,
  eventSeats,
  eventSeries,
  eventTicketKinds,
  eventTransfers,
  eventWaiting,
} from "#drizzle/schema/events.ts";

/**
 * Erases up to `limit` rows of a person: first cancels their events that are not over, with a
 * notice to everybody; then their seats, which free up, their places in waiting lists, answers and
 * requests, and their choices that nobody began to pay, and those of others at their own events.
 * Returns the number.
 */
export async function eraseSeats(
  ctx: Context,
  { personId, limit }: { personId: string; limit: number },
): Promise<number> {
  const canceledCount = await cancelLivingEvents(ctx, { personId, limit });
  const own = sql`(SELECT e.id FROM events e WHERE e.creator_id = ${personId})`;
  const whose = (alias: string) =>
    sql`${sql.raw(alias)}.person_id = ${personId} OR ${sql.raw(alias)}.event_id IN ${own}`;
  const [scans, seats, waiting, chosen, doors, named, passed, scanners, ...asked] =
    await ctx.db.batch([
      ctx.db
        .delete(eventEntries)
        .where(
          sql`rowid IN (SELECT entry.rowid FROM event_seats s CROSS JOIN event_entries entry ON entry.seat_id = s.id WHERE ${whose("s")} LIMIT ${limit})`,
        )
        .returning({ eventId: eventEntries.eventId }),
      ctx.db
        .delete(eventSeats)
        .where(
          sql`rowid IN (SELECT s.rowid FROM event_seats s WHERE (${whose("s")}) AND NOT EXISTS (SELECT 1 FROM event_entries entry WHERE entry.seat_id = s.id) LIMIT ${limit})`,
        )
        .returning({ eventId: eventSeats.eventId }),
      ctx.db
        .delete(eventWaiting)
        .where(
          sql`rowid IN (SELECT w.rowid FROM event_waiting w WHERE ${whose("w")} LIMIT ${limit})`,
        )
        .returning({ eventId: eventWaiting.eventId }),
      ctx.db
        .delete(eventOrders)
        .where(
          sql`rowid IN (SELECT event_orders.rowid FROM event_orders WHERE (${whose("event_orders")}) AND event_orders.status IN ('open', 'canceled') AND NOT ${hasPurchase} LIMIT ${limit})`,
        )
        .returning({ id: eventOrders.id }),
      ctx.db
        .update(eventSeats)
        .set({ checkedInBy: null })
        .where(
          sql`rowid IN (SELECT s.rowid FROM event_seats s WHERE s.checked_in_by = ${personId} LIMIT ${limit})`,
        )
        .returning({ eventId: eventSeats.eventId }),
      // A paid order stays with its purchase, without the names of others.
      ctx.db
        .update(eventOrders)
        .set({ names: [] })
        .where(
          sql`rowid IN (SELECT o.rowid FROM event_orders o WHERE (${whose("o")}) AND o.names <> '[]' LIMIT ${limit})`,
        )
        .returning({ id: eventOrders.id }),
      ctx.db
        .delete(eventTransfers)
        .where(
          sql`rowid IN (SELECT t.rowid FROM event_transfers t WHERE ${whose("t")} OR t.to_id = ${personId} OR t.email = (SELECT gone.email FROM people gone WHERE gone.id = ${personId}) LIMIT ${limit})`,
        )
        .returning({ id: eventTransfers.id }),
      ctx.db
        .update(eventEntries)
        .set({ scannedBy: null })
        .where(
          sql`rowid IN (SELECT entry.rowid FROM event_entries entry WHERE entry.scanned_by = ${personId} LIMIT ${limit})`,
        )
        .returning({ eventId: eventEntries.eventId }),
      ...askedStatements(ctx, { whose, limit }),
    ]);
  const freed = new Set([...seats, ...waiting].map(({ eventId }) => eventId));
  for (const eventId of freed) await moveWaitingList(ctx, { eventId });
  const erased = [scans, seats, waiting, chosen, doors, named, passed, scanners, ...asked];
  return erased.reduce((sum, rows) => sum + rows.length, canceledCount);
}

/** Builds the statements that erase up to `limit` answers and requests of a person. */
function askedStatements(
  ctx: Context,
  { whose, limit }: { whose: (alias: string) => SQL; limit: number },
) {
  return [
    ctx.db
      .delete(eventAnswers)
      .where(sql`rowid IN (SELECT a.rowid FROM event_answers a WHERE ${whose("a")} LIMIT ${limit})`)
      .returning({ eventId: eventAnswers.eventId }),
    ctx.db
      .delete(eventRequests)
      .where(
        sql`rowid IN (SELECT r.rowid FROM event_requests r WHERE ${whose("r")} LIMIT ${limit})`,
      )
      .returning({ eventId: eventRequests.eventId }),
  ] as const;
}

/** Cancels up to `limit` events of a creator that are not over. Returns the number. */
async function cancelLivingEvents(
  ctx: Context,
  { personId, limit }: { personId: string; limit: number },
): Promise<number> {
  const living = await ctx.db
    .select({ id: events.id })
    .from(events)
    .where(
      sql`${events.creatorId} = ${personId} AND ${events.status} = 'published' AND ${events.endsAt} > ${ctx.now()}`,
    )
    .limit(limit);
  for (const { id } of living) await cancelEvent(ctx, { eventId: id, creatorId: personId });
  return living.length;
}

/**
 * Builds the statements that delete a person's events with their kinds and series, and their
 * calendar address.
 */
export function eraseEventsStatements(
  ctx: Context,
  { personId }: { personId: string },
): BatchWrite[] {
  return [
    ctx.db
      .delete(eventTicketKinds)
      .where(
        sql`${eventTicketKinds.eventId} IN (SELECT e.id FROM events e WHERE e.creator_id = ${personId})`,
      ),
    ctx.db
      .delete(eventEntries)
      .where(
        sql`${eventEntries.eventId} IN (SELECT e.id FROM events e WHERE e.creator_id = ${personId})`,
      ),
    ctx.db.delete(events).where(eq(events.creatorId, personId)),
    ctx.db.delete(eventSeries).where(eq(eventSeries.creatorId, personId)),
    ctx.db.delete(eventCalendars).where(eq(eventCalendars.personId, personId)),
  ];
}
