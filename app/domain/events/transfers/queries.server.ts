import { and, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Transfer } from "./schema.ts";
import { sha256Hex } from "#app/lib/digest.ts";
import { events, eventSeats, eventTransfers } from "#drizzle/schema/events.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

/** SQL condition on `event_transfers`: neither accepted nor withdrawn. */
export const isUnanswered: SQL = sql`(event_transfers.accepted_at IS NULL AND event_transfers.withdrawn_at IS NULL)`;

/**
 * SQL condition on `event_seats` and `events`: the ticket is its person's, nobody entered with it,
 * and the event has not begun.
 */
export const isPassable = (personId: SQL, ctx: Context): SQL =>
  sql`(event_seats.person_id = ${personId} AND event_seats.status = 'taken' AND event_seats.checked_in_at IS NULL AND events.status = 'published' AND events.starts_at > ${ctx.now()})`;

/**
 * Reads the ticket that a link (`key`: its token) or a notification (`key`: the id) offers to a
 * member; null for who it is not offered to.
 */
export async function transferFor(
  ctx: Context,
  { key, viewerId }: { key: string; viewerId: string },
): Promise<Transfer | null> {
  const [row] = await ctx.db
    .select({
      id: sql<string>`event_transfers.id`.as("transfer_id"),
      eventId: sql<string>`events.id`.as("event_id"),
      eventTitle: events.title,
      startsAt: events.startsAt,
      endsAt: events.endsAt,
      timeZone: events.timeZone,
      place: events.place,
      status: sql<Transfer["status"]>`events.status`.as("event_status"),
      kindName: sql<
        string | null
      >`(SELECT kind.name FROM event_ticket_kinds kind WHERE kind.id = event_seats.ticket_kind_id)`.as(
        "kind_name",
      ),
      giverId: sql<string>`event_transfers.person_id`.as("giver_id"),
      giverName: profiles.name,
      isOpen:
        sql<number>`(${isUnanswered} AND ${isPassable(sql`event_transfers.person_id`, ctx)})`.as(
          "is_open",
        ),
    })
    .from(eventTransfers)
    .innerJoin(eventSeats, eq(eventSeats.id, eventTransfers.seatId))
    .innerJoin(events, eq(events.id, eventTransfers.eventId))
    .innerJoin(profiles, eq(profiles.personId, eventTransfers.personId))
    .where(
      and(
        sql`((event_transfers.id = ${key} AND event_transfers.to_id = ${viewerId}) OR event_transfers.token_hash = ${await sha256Hex(key)})`,
      ),
    )
    .limit(1);
  return row ? { ...row, isOpen: row.isOpen === 1 } : null;
}
