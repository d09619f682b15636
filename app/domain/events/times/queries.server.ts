import { and, asc, eq, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { events, eventZones } from "#drizzle/schema/events.ts";

/** Reads the zones that no check looked at for a day, or whose check is not through. */
export async function zonesToCheck(ctx: Context, { limit }: { limit: number }): Promise<string[]> {
  const rows = await ctx.db
    .select({ zone: eventZones.zone })
    .from(eventZones)
    .where(
      and(
        sql`${eventZones.checkedAt} <= ${ctx.now() - DAY_MS}`,
        isRetryDue(ctx, eventZones.zone, "event_zone"),
      ),
    )
    .orderBy(asc(eventZones.checkedAt))
    .limit(limit);
  return rows.map(({ zone }) => zone);
}

/** Reads a page of the events of a zone that have not started, soonest first. */
export async function futureEventsOfZone(
  ctx: Context,
  { zone, after, limit }: { zone: string; after: { at: number; id: string }; limit: number },
) {
  return await ctx.db
    .select({
      id: events.id,
      startsAt: events.startsAt,
      endsAt: events.endsAt,
      startsWall: events.startsWall,
      endsWall: events.endsWall,
      timeZone: events.timeZone,
      revision: events.revision,
    })
    .from(events)
    .where(
      and(
        eq(events.timeZone, zone),
        sql`${events.startsAt} >= ${after.at} AND (${events.startsAt}, ${events.id}) > (${after.at}, ${after.id})`,
        sql`${events.status} <> 'canceled'`,
      ),
    )
    .orderBy(asc(events.startsAt), asc(events.id))
    .limit(limit);
}
