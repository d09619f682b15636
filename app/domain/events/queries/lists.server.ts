import { and, asc, desc, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { eventListableTo, givesAccess } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { cardColumns } from "#app/domain/events/queries.server.ts";
import { EVENT_DAYS_MAX } from "#app/domain/events/rules.ts";
import type { EventCard } from "#app/domain/events/schema.ts";
import { pageOf } from "#app/domain/page.ts";
import type { Cursor, Page } from "#app/domain/page.ts";
import { DAY_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { events, eventSeats } from "#drizzle/schema/events.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

const TICKETS_MAX = 500;
const LONGEST_MS = EVENT_DAYS_MAX * DAY_MS;

/** Whose events a list has: of the person and their creators, or of everybody, for a visitor too. */
export type EventScope = "mine" | "explore";

type Listed = { personId: string; scope: "mine" } | { personId: string | null; scope: "explore" };

/**
 * Reads the events that take place between two instants, soonest first, at most `limit`: the
 * person's own, those of creators they follow or subscribe to, and those with their seat; or
 * everybody's. Drafts are in no calendar.
 */
export async function eventsBetween(
  ctx: Context,
  { from, to, limit, ...whose }: Listed & { from: Instant; to: Instant; limit: number },
): Promise<EventCard[]> {
  return await listed(
    ctx,
    whose.personId,
    and(inScope(ctx, { ...whose, from, to }), sql`events.ends_at > ${from}`),
    limit,
  );
}

/** Reads a page of the events that are not over, soonest first. */
export async function upcomingEvents(
  ctx: Context,
  { cursor, limit, ...whose }: Listed & { cursor: Cursor | null; limit: number },
): Promise<Page<EventCard>> {
  const now = ctx.now();
  const after = cursor
    ? sql`(events.starts_at, events.id) > (${cursor.at}, ${cursor.id})`
    : undefined;
  const rows = await listed(
    ctx,
    whose.personId,
    and(
      inScope(ctx, { ...whose, from: now, to: null }),
      sql`events.ends_at > ${now}`,
      sql`events.status = 'published'`,
      after,
    ),
    limit + 1,
  );
  return pageOf(rows, limit, ({ startsAt, id }) => ({ at: startsAt, id }));
}

function listed(
  ctx: Context,
  personId: string | null,
  condition: SQL | undefined,
  limit: number,
): Promise<EventCard[]> {
  return ctx.db
    .select(cardColumns(personId))
    .from(events)
    .innerJoin(profiles, eq(profiles.personId, events.creatorId))
    .where(
      and(
        condition,
        sql`events.status <> 'draft'`,
        eventListableTo(personId, ctx.settings.adultSpaces),
      ),
    )
    .orderBy(asc(events.startsAt), sql`events.id`)
    .limit(limit)
    .all();
}

/** Reads by the creators of the person, so that the cost does not grow with everybody's events. */
function inScope(
  ctx: Context,
  { personId, scope, from, to }: Listed & { from: Instant; to: Instant | null },
): SQL {
  const range = (alias: string): SQL => {
    const at = sql.raw(`${alias}.starts_at`);
    const end = to === null ? sql`` : sql` AND ${at} < ${to}`;
    return sql`${at} > ${from - LONGEST_MS}${end}`;
  };
  if (scope === "explore") return range("events");
  const near = sql`SELECT f.creator_id FROM follows f WHERE f.follower_id = ${personId}
    UNION SELECT s.creator_id FROM subscriptions s WHERE s.fan_id = ${personId} AND ${givesAccess(ctx.now())}
    UNION SELECT ${personId}`;
  return sql`events.id IN (SELECT e.id FROM events e WHERE e.creator_id IN (${near}) AND ${range("e")}
    UNION SELECT e.id FROM event_seats own CROSS JOIN events e ON e.id = own.event_id WHERE own.person_id = ${personId} AND own.status = 'taken' AND ${range("e")})`;
}

/** Reads a creator's own events in any state, the latest first. */
export async function eventsOfCreator(
  ctx: Context,
  { creatorId, limit }: { creatorId: string; limit: number },
): Promise<(EventCard & { waitingCount: number })[]> {
  return await ctx.db
    .select({ ...cardColumns(creatorId), waitingCount: events.waitingCount })
    .from(events)
    .innerJoin(profiles, eq(profiles.personId, events.creatorId))
    .where(eq(events.creatorId, creatorId))
    .orderBy(desc(events.startsAt), sql`events.id`)
    .limit(limit);
}

/** Reads a person's seats at events that are not over, soonest first, with the events' links. */
export async function ticketsOfPerson(ctx: Context, { personId }: { personId: string }) {
  const rows = await ctx.db
    .select({
      ...cardColumns(personId),
      link: events.link,
      code: eventSeats.code,
      checkedInAt: eventSeats.checkedInAt,
    })
    .from(eventSeats)
    .innerJoin(events, eq(events.id, eventSeats.eventId))
    .innerJoin(profiles, eq(profiles.personId, events.creatorId))
    .where(
      and(
        eq(eventSeats.personId, personId),
        eq(eventSeats.status, "taken"),
        sql`events.ends_at > ${ctx.now()}`,
        eventListableTo(personId, ctx.settings.adultSpaces),
      ),
    )
    .orderBy(asc(events.startsAt), sql`events.id`)
    .limit(TICKETS_MAX);
  return rows.map(({ link, code, checkedInAt, ...event }) => ({ event, link, code, checkedInAt }));
}
