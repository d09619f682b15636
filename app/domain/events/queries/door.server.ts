import { and, eq, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { events, eventSeats } from "#drizzle/schema/events.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

/** The door of a creator's own event. */
export type Door = { eventId: string; creatorId: string };

/** Reads a seat of the event by its code or id, with the name on its ticket; null if it has none. */
export async function seatAtDoor(
  ctx: Context,
  { eventId, creatorId }: Door,
  which: { code: string } | { seatId: string },
) {
  const isIt = "code" in which ? eq(eventSeats.code, which.code) : eq(eventSeats.id, which.seatId);
  const [row] = await ctx.db
    .select({
      seatId: sql<string>`event_seats.id`.as("seat_id"),
      status: sql<"taken" | "canceled">`event_seats.status`.as("seat_status"),
      code: eventSeats.code,
      checkedInAt: eventSeats.checkedInAt,
      isCanceled: sql<number>`(events.status = 'canceled')`.as("is_canceled"),
      name: sql<string>`COALESCE(${eventSeats.holderName}, ${profiles.name})`.as("ticket_name"),
      kindName: sql<
        string | null
      >`(SELECT kind.name FROM event_ticket_kinds kind WHERE kind.id = event_seats.ticket_kind_id)`.as(
        "kind_name",
      ),
    })
    .from(eventSeats)
    .innerJoin(events, eq(events.id, eventSeats.eventId))
    .innerJoin(profiles, eq(profiles.personId, eventSeats.personId))
    .where(and(isIt, eq(eventSeats.eventId, eventId), eq(events.creatorId, creatorId)))
    .limit(1);
  return row ?? null;
}
