import { and, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { events } from "#drizzle/schema/events.ts";

/**
 * Builds the statement that sets the seats of an event, of the drafts of a series, or of the events
 * of `which` (a condition on `events`): the typed number, or the sum of its ticket kinds where each
 * of them has a number and the sum is lower. Tickets that were given before, of retired kinds or
 * without a kind, count as they are. A trigger refuses less than the seats that are gone
 * (`event_full`).
 */
export function effectiveCapacityStatement(
  ctx: Context,
  whose: { eventId: string } | { draftsOf: string } | { which: SQL },
): BatchWrite {
  const kinds = sql`FROM event_ticket_kinds kind WHERE kind.event_id = events.id`;
  const sum = sql`(SELECT SUM(iif(kind.retired_at IS NULL, kind.capacity, kind.seats_taken + kind.seats_held)) + events.seats_taken - SUM(kind.seats_taken) ${kinds})`;
  const isBounded = sql`(EXISTS (SELECT 1 ${kinds} AND kind.retired_at IS NULL) AND NOT EXISTS (SELECT 1 ${kinds} AND kind.retired_at IS NULL AND kind.capacity IS NULL))`;
  return ctx.db
    .update(events)
    .set({
      capacity: sql`CASE WHEN ${isBounded} THEN MIN(COALESCE(events.typed_capacity, ${sum}), ${sum}) ELSE events.typed_capacity END`,
    })
    .where(
      "which" in whose
        ? whose.which
        : "eventId" in whose
          ? eq(events.id, whose.eventId)
          : and(eq(events.seriesId, whose.draftsOf), eq(events.status, "draft")),
    );
}
