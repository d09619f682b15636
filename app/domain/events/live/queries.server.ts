import { and, asc, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { eventListableTo } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { managesEventsOf, ownSeatsSql } from "#app/domain/events/queries.server.ts";
import { ofPerson } from "#app/domain/events/queries/lists.server.ts";
import type { EventStatus } from "#app/domain/events/rules.ts";
import { liveState, liveVideo } from "./rules.ts";
import type { LiveState, LiveVideo } from "./rules.ts";
import type { Instant } from "#app/domain/time.ts";
import { events } from "#drizzle/schema/events.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

/** An event as its live page shows it. */
export type LiveEvent = {
  id: string;
  creatorId: string;
  creatorName: string;
  title: string;
  startsAt: Instant;
  endsAt: Instant;
  /** From how many minutes before the start its link is shown; null with the seat. */
  linkMinutes: number | null;
  timeZone: string;
  status: EventStatus;
  /** Of the event's page, or a team that manages its events. */
  runsIt: boolean;
  /** Has a seat, or runs it. */
  mayWatch: boolean;
  /** Its link is a video that our page can show. */
  hasVideo: boolean;
  state: LiveState;
  /** Null unless `state` is `open`. */
  video: LiveVideo | null;
};

/** Builds the statement behind `liveEvent`. */
export function liveEventStatement(
  ctx: Context,
  { eventId, viewerId }: { eventId: string; viewerId: string },
) {
  const { adultSpaces } = ctx.settings;
  return ctx.db
    .select({
      id: sql<string>`events.id`.as("event_id"),
      creatorId: events.creatorId,
      creatorName: profiles.name,
      title: events.title,
      startsAt: events.startsAt,
      endsAt: events.endsAt,
      timeZone: events.timeZone,
      status: sql<EventStatus>`events.status`.as("event_status"),
      link: events.link,
      linkMinutes: events.linkMinutes,
      ownSeats: ownSeatsSql(viewerId).as("own_seats"),
      runsIt: runsEventSql(ctx, viewerId).as("runs_it"),
    })
    .from(events)
    .innerJoin(profiles, eq(profiles.personId, events.creatorId))
    .where(and(eq(events.id, eventId), eventListableTo(viewerId, adultSpaces)))
    .limit(1);
}

/** True for rows of `events` of the viewer's page, or of one whose events their team role manages. */
const runsEventSql = (ctx: Context, viewerId: string): SQL<number> =>
  sql<number>`(events.creator_id = ${viewerId} OR ${managesEventsOf(viewerId, sql`events.creator_id`, ctx.settings.adultSpaces)})`;

/**
 * True while `viewerId` has a seat at the event, or runs it, and it ends after `endsAfter`. For the
 * batch of what only those may do.
 */
export const mayWatchSql = (
  ctx: Context,
  { eventId, viewerId, endsAfter }: { eventId: string; viewerId: string; endsAfter: Instant },
): SQL =>
  sql`EXISTS (SELECT 1 FROM events WHERE events.id = ${eventId} AND events.status = 'published' AND events.ends_at > ${endsAfter} AND ${eventListableTo(viewerId, ctx.settings.adultSpaces)}
    AND (${ownSeatsSql(viewerId)} > 0 OR ${runsEventSql(ctx, viewerId)}))`;

/** Reads the live page of an event as `viewerId` may see it now; null if the event is hidden. */
export async function liveEvent(
  ctx: Context,
  asked: { eventId: string; viewerId: string },
): Promise<LiveEvent | null> {
  return liveEventFrom(ctx, await liveEventStatement(ctx, asked));
}

/** Turns the row of `liveEventStatement` into the event; null without a row. */
export function liveEventFrom(
  ctx: Context,
  [row]: Awaited<ReturnType<typeof liveEventStatement>>,
): LiveEvent | null {
  if (!row) return null;
  const { link, ownSeats, ...event } = row;
  const runsIt = row.runsIt === 1;
  const mayWatch = runsIt || ownSeats > 0;
  const video = liveVideo(link);
  const state = liveState({ ...event, mayWatch, hasVideo: video !== null }, ctx.now());
  return {
    ...event,
    runsIt,
    mayWatch,
    hasVideo: video !== null,
    state,
    video: state === "open" ? video : null,
  };
}

/** Builds the statement of the events that take place now, of a person and of their creators. */
export function runningEventsStatement(
  ctx: Context,
  { personId, limit }: { personId: string; limit: number },
) {
  const now = ctx.now();
  return ctx.db
    .select({
      id: sql<string>`events.id`.as("event_id"),
      title: events.title,
      creatorName: profiles.name,
      ownSeats: ownSeatsSql(personId).as("own_seats"),
    })
    .from(events)
    .innerJoin(profiles, eq(profiles.personId, events.creatorId))
    .where(
      and(
        ofPerson(ctx, personId, { from: now, to: now + 1 }),
        sql`events.ends_at > ${now} AND events.status = 'published'`,
        eventListableTo(personId, ctx.settings.adultSpaces),
      ),
    )
    .orderBy(asc(events.startsAt), sql`events.id`)
    .limit(limit);
}
