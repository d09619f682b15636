import { and, asc, eq, gt, sql } from "drizzle-orm";
import {
  isHiddenByAge,
  isBlockedBetween,
  personIdByKey,
  subscribesTo,
} from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Instant } from "#app/domain/time.ts";
import { events } from "#drizzle/schema/events.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

export type UpcomingEvent = {
  id: string;
  title: string;
  place: string;
  startsAt: Instant;
  creatorName: string;
  creatorUsername: string;
};

function upcoming(ctx: Context) {
  return ctx.db
    .select({
      id: sql<string>`events.id`.as("event_id"),
      title: events.title,
      place: events.place,
      startsAt: events.startsAt,
      creatorName: profiles.name,
      creatorUsername: profiles.username,
    })
    .from(events)
    .innerJoin(profiles, eq(profiles.personId, events.creatorId));
}

/** Builds the statement that reads a creator's (id or username) upcoming events, soonest first. */
export function upcomingEventsOfStatement(
  ctx: Context,
  { creatorKey, viewerId, limit }: { creatorKey: string; viewerId: string | null; limit: number },
) {
  return upcoming(ctx)
    .where(
      and(
        gt(events.startsAt, ctx.now()),
        sql`events.creator_id = ${personIdByKey(creatorKey)}`,
        sql`NOT ${isHiddenByAge(viewerId, sql`events.creator_id`, ctx.settings.adultSpaces)}`,
      ),
    )
    .orderBy(asc(events.startsAt))
    .limit(limit);
}

/**
 * Builds the statement that reads upcoming events of the person and of creators they follow or
 * subscribe to, soonest first.
 */
function upcomingEventsForStatement(
  ctx: Context,
  { personId, limit }: { personId: string; limit: number },
) {
  const now = ctx.now();
  const near = sql`(events.creator_id = ${personId}
    OR EXISTS (SELECT 1 FROM follows f WHERE f.follower_id = ${personId} AND f.creator_id = events.creator_id)
    OR ${subscribesTo(personId, sql`events.creator_id`, now)})`;
  return upcoming(ctx)
    .where(
      and(
        gt(events.startsAt, now),
        near,
        sql`NOT ${isBlockedBetween(personId, sql`events.creator_id`)}`,
        sql`NOT ${isHiddenByAge(personId, sql`events.creator_id`, ctx.settings.adultSpaces)}`,
      ),
    )
    .orderBy(asc(events.startsAt))
    .limit(limit);
}

/** Reads the upcoming events of a person and of their creators, soonest first. */
export async function upcomingEventsFor(
  ctx: Context,
  input: { personId: string; limit: number },
): Promise<UpcomingEvent[]> {
  return upcomingEventsForStatement(ctx, input);
}
