import { and, asc, desc, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { eventListableTo, givesAccess } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { cardColumns } from "#app/domain/events/queries.server.ts";
import { EVENT_DAYS_MAX } from "#app/domain/events/rules.ts";
import { linkAt, linkOpensAt } from "#app/domain/events/rules/link.ts";
import type { EventCard } from "#app/domain/events/schema.ts";
import { pageOf } from "#app/domain/page.ts";
import type { Cursor, Page } from "#app/domain/page.ts";
import { DAY_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { events, eventSeats } from "#drizzle/schema/events.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

const TICKETS_MAX = 500;
/** Of everybody's events that started, a list looks at this many, the latest first. */
const RUNNING_LOOKS_AT = 500;
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
  return await listed(ctx, whose, { from, to, limit });
}

/** Reads a page of the events that are not over, soonest first. */
export async function upcomingEvents(
  ctx: Context,
  { cursor, limit, ...whose }: Listed & { cursor: Cursor | null; limit: number },
): Promise<Page<EventCard>> {
  const now = ctx.now();
  const after = cursor
    ? sql` AND (events.starts_at, events.id) > (${cursor.at}, ${cursor.id})`
    : sql``;
  const rows = await listed(ctx, whose, {
    from: now,
    to: null,
    limit: limit + 1,
    startsFrom: cursor?.at,
    condition: sql`events.status = 'published'${after}`,
  });
  return pageOf(rows, limit, ({ startsAt, id }) => ({ at: startsAt, id }));
}

type Range = {
  from: Instant;
  to: Instant | null;
  limit: number;
  /** Where a page goes on; before it no event starts. */
  startsFrom?: Instant | undefined;
  condition?: SQL;
};

/**
 * Reads the events of a list that are not over at `from`. For everybody's, one read has those that
 * run at `from` and another those that start later, so that neither goes through what is over.
 */
async function listed(ctx: Context, whose: Listed, range: Range): Promise<EventCard[]> {
  const read = (condition: SQL) => {
    const { personId } = whose;
    return ctx.db
      .select(cardColumns(personId))
      .from(events)
      .innerJoin(profiles, eq(profiles.personId, events.creatorId))
      .where(
        and(
          condition,
          sql`events.ends_at > ${range.from}`,
          sql`events.status <> 'draft' AND ${isListed(personId)}`,
          range.condition,
          eventListableTo(personId, ctx.settings.adultSpaces),
        ),
      )
      .orderBy(asc(events.startsAt), sql`events.id`)
      .limit(range.limit);
  };
  if (whose.scope === "mine") return await read(ofPerson(ctx, whose.personId, range));
  const { from, startsFrom = 0 } = range;
  const end = range.to === null ? sql`` : sql` AND events.starts_at < ${range.to}`;
  const later = sql`events.starts_at >= ${Math.max(from, startsFrom)}${end}`;
  const [running, next] = await ctx.db.batch([read(runningAt(from)), read(later)]);
  return [...running, ...next].slice(0, range.limit);
}

/** A hidden event is in the calendar of its creator and of who has a seat only, staff included. */
const isListed = (personId: string | null): SQL =>
  sql`(events.held_at IS NULL OR events.creator_id = ${personId} OR EXISTS (SELECT 1 FROM event_seats held WHERE held.person_id = ${personId} AND held.status = 'taken' AND held.event_id = events.id))`;

/** The last events that started before `at`: with no more of them is the read's cost bounded. */
const runningAt = (at: Instant): SQL =>
  sql`events.id IN (SELECT e.id FROM events e WHERE e.starts_at < ${at} AND e.starts_at > ${at - LONGEST_MS} ORDER BY e.starts_at DESC LIMIT ${RUNNING_LOOKS_AT})`;

/** Reads by the creators of the person, so that the cost does not grow with everybody's events. */
export function ofPerson(
  ctx: Context,
  personId: string,
  { from, to }: { from: Instant; to: Instant | null },
): SQL {
  const range = (alias: string): SQL => {
    const at = sql.raw(`${alias}.starts_at`);
    const end = to === null ? sql`` : sql` AND ${at} < ${to}`;
    return sql`${at} > ${from - LONGEST_MS}${end}`;
  };
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

/**
 * Reads a person's seats at events that are not over, soonest first, with the events' links that
 * are shown by now.
 */
export async function ticketsOfPerson(ctx: Context, { personId }: { personId: string }) {
  const rows = await ctx.db
    .select({
      ...cardColumns(personId),
      link: events.link,
      linkMinutes: events.linkMinutes,
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
  const now = ctx.now();
  return rows.map(({ link, linkMinutes, code, checkedInAt, ...event }) => {
    const timed = { link, linkMinutes, startsAt: event.startsAt };
    return {
      event,
      link: linkAt(timed, now),
      linkOpensAt: linkOpensAt(timed, now),
      code,
      checkedInAt,
    };
  });
}
