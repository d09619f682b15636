import { and, eq, sql } from "drizzle-orm";
import { commit, guardStatement, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { createEvent } from "#app/domain/events/commands.server.ts";
import {
  copiedKindsStatements,
  isShownDate,
  newDatesStatement,
} from "#app/domain/events/dates/commands.server.ts";
import { wallsOf } from "#app/domain/events/times/rules/zone-rules.ts";
import type { EventInput } from "#app/domain/events/schema.ts";
import { datesAhead, modelDate, seriesById } from "#app/domain/events/series/queries.server.ts";
import type { Series } from "#app/domain/events/series/queries.server.ts";
import {
  DATES_AHEAD_MAX,
  minutesBetween,
  MONTHS_AHEAD_MAX,
} from "#app/domain/events/series/rules.ts";
import type { SeriesRule } from "#app/domain/events/series/rules.ts";
import { seriesDays } from "#app/domain/events/series/rules/dates.ts";
import { addMonths, DAY_MS } from "#app/domain/time.ts";
import { events, eventSeries } from "#drizzle/schema/events.ts";

/**
 * Creates a draft of an event that repeats by `rule`, with its dates of the next 12 months, at most
 * 60, in one batch. Returns the id of the first date. Refuses what `createEvent` does.
 */
export async function createSeries(
  ctx: Context,
  { rule, ...input }: EventInput & { creatorId: string; rule: SeriesRule },
): Promise<{ eventId: string }> {
  const { startsWall, endsWall } = wallsOf(input);
  const firstDay = startsWall.slice(0, 10);
  const clock = {
    startsWall,
    durationMinutes: minutesBetween(startsWall, endsWall),
    timeZone: input.timeZone,
  };
  const seriesId = ctx.newId();
  const { days, extendAt } = daysAhead(ctx, {
    rule,
    firstDay,
    after: firstDay,
    room: DATES_AHEAD_MAX - 1,
  });
  return await createEvent(ctx, input, (eventId) => [
    ctx.db.insert(eventSeries).values({
      id: seriesId,
      creatorId: input.creatorId,
      ...clock,
      rule,
      madeUntil: days.at(-1) ?? firstDay,
      extendAt,
      createdAt: ctx.now(),
      updatedAt: ctx.now(),
    }),
    ctx.db.update(events).set({ seriesId, seriesDay: firstDay }).where(eq(events.id, eventId)),
    newDatesStatement(ctx, { seriesId, sourceId: eventId, days, clock, version: 0 }),
  ]);
}

/** Returns the days of a rule after `after` that are made now, and when more are to be. */
export function daysAhead(
  ctx: Context,
  {
    rule,
    firstDay,
    after,
    room,
  }: { rule: SeriesRule; firstDay: string; after: string; room: number },
): { days: string[]; extendAt: number | null } {
  const end = new Date(addMonths(ctx.now(), MONTHS_AHEAD_MAX)).toISOString().slice(0, 10);
  const left = seriesDays(rule, firstDay).filter((day) => day > after);
  const days = left.filter((day) => day <= end).slice(0, Math.max(0, room));
  return { days, extendAt: days.length < left.length ? ctx.now() + DAY_MS : null };
}

/**
 * Makes the dates of a repeating event that came within 12 months, up to 60 that are not over, each
 * as its last date that was not changed on its own, with its kinds of tickets. A date that a
 * moderator hid is not copied; with no other it asks again in a day. Safe to repeat.
 */
export async function extendSeries(
  ctx: Context,
  { seriesId }: { seriesId: string },
): Promise<void> {
  const series = await seriesById(ctx, { seriesId });
  // During a change the last dates are as they were before it.
  if (!series || series.extendAt === null || series.change !== null) return;
  const sourceId = await modelDate(ctx, { seriesId });
  if (sourceId === null) return await extendLater(ctx, series);
  const room = DATES_AHEAD_MAX - (await datesAhead(ctx, { seriesId }));
  const { days, extendAt } = daysAhead(ctx, {
    rule: series.rule,
    firstDay: series.startsWall.slice(0, 10),
    after: series.madeUntil,
    room,
  });
  try {
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(eventSeries)
          .set({ madeUntil: days.at(-1) ?? series.madeUntil, extendAt, updatedAt: ctx.now() })
          .where(isAsRead(series)),
      ),
      ...(days.length === 0
        ? []
        : [
            guardStatement(ctx.db, isShownDate(sourceId)),
            newDatesStatement(ctx, {
              seriesId,
              sourceId,
              days,
              clock: series,
              version: series.version,
            }),
            ...copiedKindsStatements(ctx, {
              seriesId,
              sourceId,
              made: { afterDay: series.madeUntil },
            }),
          ]),
    ]);
  } catch (error) {
    // Another run made them, the series changed, or a moderator hid the date that is copied.
    if (!(error instanceof StaleWrite)) throw error;
  }
}

/** Frees the turn of the series for others that are due. */
async function extendLater(ctx: Context, series: Series): Promise<void> {
  await commit(ctx.db, [
    ctx.db
      .update(eventSeries)
      .set({ extendAt: ctx.now() + DAY_MS })
      .where(isAsRead(series)),
  ]);
}

const isAsRead = ({ id, version, madeUntil }: Series) =>
  and(
    eq(eventSeries.id, id),
    eq(eventSeries.version, version),
    eq(eventSeries.madeUntil, madeUntil),
    sql`${eventSeries.extendAt} IS NOT NULL AND ${eventSeries.change} IS NULL`,
  );
