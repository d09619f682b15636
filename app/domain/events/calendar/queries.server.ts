import { and, asc, eq, sql } from "drizzle-orm";
import { eventListableTo } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { linkAt, linkOpensAt } from "#app/domain/events/rules/link.ts";
import type { CalendarEvent } from "#app/domain/events/calendar/rules/calendar-file.ts";
import { DAY_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { eventCalendars, events } from "#drizzle/schema/events.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

/** Calendar programs keep what they read; older events need not be sent again. */
const PAST_MS = 90 * DAY_MS;
const CALENDAR_EVENTS_MAX = 500;

/** Finds the person of a calendar address by the hash of its token; null once it was revoked. */
export async function calendarOwner(
  ctx: Context,
  { tokenHash }: { tokenHash: string },
): Promise<{ personId: string } | null> {
  const [row] = await ctx.db
    .select({ personId: eventCalendars.personId })
    .from(eventCalendars)
    .innerJoin(profiles, eq(profiles.personId, eventCalendars.personId))
    .where(
      and(
        eq(eventCalendars.tokenHash, tokenHash),
        sql`EXISTS (SELECT 1 FROM people p WHERE p.id = ${eventCalendars.personId} AND p.banned_at IS NULL AND p.deleted_at IS NULL)`,
      ),
    )
    .limit(1);
  return row ?? null;
}

/** Since when a person has a calendar address; null without one. */
export async function calendarSince(
  ctx: Context,
  { personId }: { personId: string },
): Promise<Instant | null> {
  const row = await ctx.db
    .select({ createdAt: eventCalendars.createdAt })
    .from(eventCalendars)
    .where(eq(eventCalendars.personId, personId))
    .get();
  return row?.createdAt ?? null;
}

/** Reads the events for which a person has a seat, canceled ones too, with the links shown by now. */
export async function calendarEvents(
  ctx: Context,
  { personId }: { personId: string },
): Promise<CalendarEvent[]> {
  const now = ctx.now();
  const rows = await ctx.db
    .select({
      id: sql<string>`events.id`.as("event_id"),
      title: events.title,
      description: events.description,
      place: events.place,
      link: events.link,
      linkMinutes: events.linkMinutes,
      startsAt: events.startsAt,
      endsAt: events.endsAt,
      timeZone: events.timeZone,
      status: sql<CalendarEvent["status"]>`events.status`.as("event_status"),
      revision: events.revision,
      updatedAt: events.updatedAt,
      creatorName: profiles.name,
    })
    .from(events)
    .innerJoin(profiles, eq(profiles.personId, events.creatorId))
    .where(
      and(
        sql`events.id IN (SELECT own.event_id FROM event_seats own WHERE own.person_id = ${personId} AND own.status = 'taken')`,
        sql`${events.endsAt} > ${ctx.now() - PAST_MS}`,
        eventListableTo(personId, ctx.settings.adultSpaces),
      ),
    )
    .orderBy(asc(events.startsAt))
    .limit(CALENDAR_EVENTS_MAX);
  return rows.map(({ linkMinutes, ...event }) => ({
    ...event,
    link: linkAt({ ...event, linkMinutes }, now),
    linkOpensAt: linkOpensAt({ ...event, linkMinutes }, now),
  }));
}
