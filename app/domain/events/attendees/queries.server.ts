import { and, asc, eq, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { answersSql } from "#app/domain/events/queries.server.ts";
import type { Attendee } from "./schema.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Cursor, Page } from "#app/domain/page.ts";
import { events, eventSeats } from "#drizzle/schema/events.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

type OwnEvent = { eventId: string; creatorId: string };

/** Reads a page of the seats of a creator's own event, in the order in which they were taken. */
export async function attendees(
  ctx: Context,
  { eventId, creatorId, cursor, limit }: OwnEvent & { cursor: Cursor | null; limit: number },
): Promise<Page<Attendee>> {
  const rows = await ctx.db
    .select({
      seatId: sql<string>`event_seats.id`.as("seat_id"),
      name: sql<string>`COALESCE(${eventSeats.holderName}, ${profiles.name})`.as("ticket_name"),
      personName: sql<string>`${profiles.name}`.as("person_name"),
      username: profiles.username,
      code: eventSeats.code,
      answers: answersSql,
      kindName: sql<
        string | null
      >`(SELECT kind.name FROM event_ticket_kinds kind WHERE kind.id = event_seats.ticket_kind_id)`.as(
        "kind_name",
      ),
      takenAt: eventSeats.takenAt,
      checkedInAt: eventSeats.checkedInAt,
    })
    .from(eventSeats)
    .innerJoin(events, eq(events.id, eventSeats.eventId))
    .innerJoin(profiles, eq(profiles.personId, eventSeats.personId))
    .where(
      and(
        eq(eventSeats.eventId, eventId),
        eq(eventSeats.status, "taken"),
        eq(events.creatorId, creatorId),
        cursor
          ? sql`(event_seats.taken_at, event_seats.id) > (${cursor.at}, ${cursor.id})`
          : undefined,
      ),
    )
    .orderBy(asc(eventSeats.takenAt), sql`event_seats.id`)
    .limit(limit + 1);
  return pageOf(rows, limit, ({ takenAt, seatId }) => ({ at: takenAt, id: seatId }));
}

/** Reads all seats of a creator's own event, `pageRows` at a time. */
export async function* allAttendees(
  ctx: Context,
  { pageRows, ...own }: OwnEvent & { pageRows: number },
): AsyncGenerator<Attendee[]> {
  let cursor: Cursor | null = null;
  do {
    const page: Page<Attendee> = await attendees(ctx, { ...own, cursor, limit: pageRows });
    yield page.items;
    cursor = decodeCursor(page.next);
  } while (cursor !== null);
}

/** Builds the statement that counts the seats of an own event whose person is inside. */
export function checkedInStatement(ctx: Context, { eventId, creatorId }: OwnEvent) {
  return ctx.db
    .select({
      inside: sql<number>`COALESCE(SUM(event_seats.checked_in_at IS NOT NULL), 0)`.as(
        "inside_count",
      ),
    })
    .from(eventSeats)
    .innerJoin(events, eq(events.id, eventSeats.eventId))
    .where(
      and(
        eq(eventSeats.eventId, eventId),
        eq(eventSeats.status, "taken"),
        eq(events.creatorId, creatorId),
      ),
    );
}

/** Counts the seats of an event whose person is inside. */
export async function checkedInCount(ctx: Context, own: OwnEvent): Promise<number> {
  const row = await checkedInStatement(ctx, own).get();
  return row?.inside ?? 0;
}
