import { and, asc, count, eq, gt, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Context } from "#app/domain/context.ts";
import { eventListableTo } from "#app/domain/access/sql.server.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import { repeatText } from "./rules.ts";
import type { SeriesDate } from "./rules.ts";
import { events, eventSeries } from "#drizzle/schema/events.ts";

const DATES_SHOWN = 6;

/** Reads a repeating event; null if it is gone. */
export async function seriesById(ctx: Context, { seriesId }: { seriesId: string }) {
  const row = await ctx.db.select().from(eventSeries).where(eq(eventSeries.id, seriesId)).get();
  return row ?? null;
}
export type Series = NonNullable<Awaited<ReturnType<typeof seriesById>>>;

/**
 * Reads what the page of one date says of the others, as `viewerId` sees them: how it repeats, and
 * the next dates that are not over or canceled, at most 6. Null for an event that does not repeat.
 */
export async function seriesOf(
  ctx: Context,
  { event, viewerId }: { event: { id: string; seriesId: string | null }; viewerId: string | null },
): Promise<{ repeats: string; dates: SeriesDate[] } | null> {
  const { id, seriesId } = event;
  if (seriesId === null) return null;
  const [[series], dates] = await ctx.db.batch([
    ctx.db
      .select({ rule: eventSeries.rule, startsWall: eventSeries.startsWall })
      .from(eventSeries)
      .where(eq(eventSeries.id, seriesId)),
    ctx.db
      .select({
        id: events.id,
        startsAt: events.startsAt,
        endsAt: events.endsAt,
        timeZone: events.timeZone,
      })
      .from(events)
      .where(
        and(
          eq(events.seriesId, seriesId),
          sql`${events.id} <> ${id}`,
          gt(events.endsAt, ctx.now()),
          sql`${events.status} = 'published'`,
          eventListableTo(viewerId, ctx.settings.adultSpaces),
        ),
      )
      .orderBy(asc(events.startsAt), asc(events.id))
      .limit(DATES_SHOWN),
  ]);
  return series
    ? { repeats: repeatText(series.rule, series.startsWall.slice(0, 10)), dates }
    : null;
}

/** Counts the dates of a repeating event that are not over or canceled, and their seats. */
export async function seriesExtent(
  ctx: Context,
  { seriesId, fromDay }: { seriesId: string; fromDay: string },
): Promise<{ dates: number; seatsTaken: number }> {
  const [row] = await ctx.db
    .select({
      dates: count().as("dates"),
      seatsTaken: sql<number>`COALESCE(SUM(${events.seatsTaken}), 0)`.as("series_seats"),
    })
    .from(events)
    .where(
      and(
        eq(events.seriesId, seriesId),
        sql`${events.seriesDay} >= ${fromDay}`,
        gt(events.endsAt, ctx.now()),
        sql`${events.status} <> 'canceled'`,
      ),
    );
  return row ?? { dates: 0, seatsTaken: 0 };
}

/**
 * Reads the dates that a change has not reached, soonest first. Leaves out those that were changed
 * on their own, and the one it was made on.
 */
export async function datesToChange(ctx: Context, { id, version, change }: Series, limit: number) {
  if (change === null) return [];
  return await ctx.db
    .select({
      id: events.id,
      status: events.status,
      seriesDay: events.seriesDay,
      revision: events.revision,
      coverMediaId: events.coverMediaId,
    })
    .from(events)
    .where(
      and(
        eq(events.seriesId, id),
        sql`${events.seriesDay} >= ${change.fromDay}`,
        gt(events.endsAt, ctx.now()),
        sql`${events.status} <> 'canceled' AND ${events.seriesVersion} < ${version}`,
        sql`${events.isChangedAlone} = 0 AND ${events.id} <> ${change.sourceId}`,
      ),
    )
    .orderBy(asc(events.seriesDay))
    .limit(limit);
}

/**
 * Reads the date with the most seats gone, among those that an update would reach: a lower capacity
 * has to hold them.
 */
export async function fullestDate(
  ctx: Context,
  { seriesId, fromDay, eventId }: { seriesId: string; fromDay: string; eventId: string },
) {
  const seats = sql<number>`${events.seatsTaken} + ${events.seatsHeld} + ${events.seatsOffered}`;
  const row = await ctx.db
    .select({ startsAt: events.startsAt, timeZone: events.timeZone, seats: seats.as("seats_gone") })
    .from(events)
    .where(
      and(
        eq(events.seriesId, seriesId),
        sql`${events.seriesDay} >= ${fromDay}`,
        gt(events.endsAt, ctx.now()),
        sql`${events.status} <> 'canceled' AND ${events.isChangedAlone} = 0 AND ${events.id} <> ${eventId}`,
      ),
    )
    .orderBy(sql`${seats} DESC`)
    .limit(1)
    .get();
  return row ?? null;
}

/**
 * Reads the date as which new ones are made: the last that was not changed on its own and that no
 * moderator hid. Null where all of those are hidden.
 */
export async function modelDate(ctx: Context, { seriesId }: { seriesId: string }) {
  const row = await ctx.db
    .select({ id: events.id, heldAt: events.heldAt })
    .from(events)
    .where(eq(events.seriesId, seriesId))
    .orderBy(
      asc(events.isChangedAlone),
      sql`${events.heldAt} IS NOT NULL`,
      sql`${events.seriesDay} DESC`,
    )
    .limit(1)
    .get();
  return row?.heldAt === null ? row.id : null;
}

/** Counts the dates of a repeating event that are not over. */
export async function datesAhead(
  ctx: Context,
  { seriesId }: { seriesId: string },
): Promise<number> {
  const [row] = await ctx.db
    .select({ dates: count().as("dates") })
    .from(events)
    .where(and(eq(events.seriesId, seriesId), gt(events.endsAt, ctx.now())));
  return row?.dates ?? 0;
}

/** Reads the repeating events of which more dates are to be made now. */
export async function seriesToExtend(
  ctx: Context,
  { limit }: { limit: number },
): Promise<string[]> {
  const isDue = and(
    sql`${eventSeries.extendAt} <= ${ctx.now()} AND ${eventSeries.change} IS NULL`,
    // Nothing new begins on the page of a creator who leaves or was banned.
    sql`NOT EXISTS (SELECT 1 FROM people gone WHERE gone.id = event_series.creator_id AND (gone.banned_at IS NOT NULL OR gone.leaving_at IS NOT NULL))`,
    isRetryDue(ctx, eventSeries.id, "event_series"),
  );
  return await seriesIds(ctx, { where: isDue, by: eventSeries.extendAt, limit });
}

/** Reads the repeating events with a change that has not reached all dates. */
export async function changingSeries(
  ctx: Context,
  { limit }: { limit: number },
): Promise<string[]> {
  const isDue = and(
    sql`${eventSeries.change} IS NOT NULL`,
    isRetryDue(ctx, eventSeries.id, "event_series_change"),
  );
  return await seriesIds(ctx, { where: isDue, by: eventSeries.updatedAt, limit });
}

async function seriesIds(
  ctx: Context,
  { where, by, limit }: { where: SQL | undefined; by: SQLiteColumn; limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: eventSeries.id })
    .from(eventSeries)
    .where(where)
    .orderBy(asc(by))
    .limit(limit);
  return rows.map(({ id }) => id);
}
