import { and, eq, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { Refusal } from "#app/domain/errors.ts";
import { cancelEvent, createEvent, updateEvent } from "#app/domain/events/commands.server.ts";
import { EventChangedElsewhere, EventNotFound } from "#app/domain/events/errors.ts";
import { editableEvent } from "#app/domain/events/queries/editable.server.ts";
import type { EditableEvent } from "#app/domain/events/queries/editable.server.ts";
import { eventMomentText } from "#app/domain/events/rules/times.ts";
import { wallsOf } from "#app/domain/events/rules/zone-rules.ts";
import type { EventInput } from "#app/domain/events/schema.ts";
import { copyKindsStatement, newDatesStatement } from "#app/domain/events/commands/dates.server.ts";
import {
  DateHasMoreSeats,
  SeriesDayChanged,
  SeriesIsChanging,
} from "#app/domain/events/series/errors.ts";
import {
  datesAhead,
  datesToChange,
  fullestDate,
  modelDate,
  seriesById,
} from "#app/domain/events/series/queries.server.ts";
import type { Series } from "#app/domain/events/series/queries.server.ts";
import {
  DATES_AHEAD_MAX,
  dayAfter,
  minutesBetween,
  MONTHS_AHEAD_MAX,
  timesOnDay,
} from "#app/domain/events/series/rules.ts";
import type { Scope, SeriesChange, SeriesRule } from "#app/domain/events/series/rules.ts";
import { seriesDays } from "#app/domain/events/series/rules/dates.ts";
import { addMonths, DAY_MS } from "#app/domain/time.ts";
import { events, eventSeries, eventTicketKinds } from "#drizzle/schema/events.ts";

type OwnEvent = { eventId: string; creatorId: string };

/** Dates that one request changes; a step of each minute goes on with the rest. */
const DATES_PER_CALL = 15;

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
function daysAhead(
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
 * as its last date that was not changed on its own, with its kinds of tickets. Safe to repeat.
 */
export async function extendSeries(
  ctx: Context,
  { seriesId }: { seriesId: string },
): Promise<void> {
  const series = await seriesById(ctx, { seriesId });
  const sourceId = series && (await modelDate(ctx, { seriesId }));
  if (!series || !sourceId || series.extendAt === null) return;
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
            newDatesStatement(ctx, {
              seriesId,
              sourceId,
              days,
              clock: series,
              version: series.version,
            }),
            copyKindsStatement(ctx, { seriesId, sourceId }),
          ]),
    ]);
  } catch (error) {
    // Another run made them, or the series changed.
    if (!(error instanceof StaleWrite)) throw error;
  }
}

const isAsRead = ({ id, version, madeUntil }: Series) =>
  and(
    eq(eventSeries.id, id),
    eq(eventSeries.version, version),
    eq(eventSeries.madeUntil, madeUntil),
    sql`${eventSeries.extendAt} IS NOT NULL`,
  );

/**
 * Changes dates of a repeating event: `one` changes only this, which later changes leave as it is;
 * `next` this and the later ones, `all` every date that is not over. The hour, the length and the
 * rest are changed, and each date keeps its day. Dates that were changed on their own keep their
 * change. Up to 15 dates are changed at once, and a step goes on with the rest. Refuses
 * SeriesDayChanged, SeriesIsChanging, DateHasMoreSeats, and what `updateEvent` does.
 */
export async function updateDates(
  ctx: Context,
  { scope, ...input }: EventInput & OwnEvent & { revision: number; scope: Scope },
): Promise<void> {
  const { eventId, creatorId } = input;
  const saved = await editableEvent(ctx, { eventId, creatorId });
  if (!saved) throw new EventNotFound();
  if (saved.seriesId === null || saved.seriesDay === null) return await updateEvent(ctx, input);
  if (scope === "one")
    return await updateEvent(ctx, input, {
      more: [dateStatement(ctx, eventId, { isChangedAlone: true })],
    });
  const series = await unchangingSeries(ctx, saved.seriesId);
  const fromDay = scope === "all" ? "" : saved.seriesDay;
  const { startsWall, endsWall } = wallsOf(input);
  if (startsWall.slice(0, 10) !== wallsOf(saved).startsWall.slice(0, 10))
    throw new SeriesDayChanged();
  await refuseLowCapacity(ctx, { seriesId: series.id, fromDay, eventId }, input);
  await updateEvent(ctx, input, {
    more: [
      changeStatement(ctx, series, {
        startsWall: `${series.startsWall.slice(0, 10)}${startsWall.slice(10)}`,
        durationMinutes: minutesBetween(startsWall, endsWall),
        timeZone: input.timeZone,
        change: { kind: "update", fromDay, sourceId: eventId },
      }),
      dateStatement(ctx, eventId, { seriesVersion: series.version + 1 }),
    ],
  });
  await applySeriesChange(ctx, { seriesId: series.id });
}

/**
 * Cancels dates of a repeating event as `cancelEvent` does each: everybody is told and refunded.
 * `next` and `all` also end the repetition, and delete drafts. Up to 15 dates are canceled at once,
 * and a step goes on with the rest. Safe to repeat. Refuses SeriesIsChanging, and for `one` what
 * `cancelEvent` does.
 */
export async function cancelDates(
  ctx: Context,
  { scope, ...own }: OwnEvent & { scope: Scope },
): Promise<void> {
  const saved = await editableEvent(ctx, own);
  if (!saved) throw new EventNotFound();
  if (scope === "one" || saved.seriesId === null || saved.seriesDay === null)
    return await cancelEvent(ctx, own);
  const series = await unchangingSeries(ctx, saved.seriesId);
  const fromDay = scope === "all" ? "" : saved.seriesDay;
  const { rule } = series;
  await commit(ctx.db, [
    changeStatement(ctx, series, {
      extendAt: null,
      ...(scope === "next" ? { rule: { ...rule, until: dayAfter(fromDay, -1), times: null } } : {}),
      change: { kind: "cancel", fromDay },
    }),
  ]);
  await applySeriesChange(ctx, { seriesId: series.id });
}

/** Reads a series whose last change reached all dates, after helping it along. */
async function unchangingSeries(ctx: Context, seriesId: string): Promise<Series> {
  await applySeriesChange(ctx, { seriesId });
  const series = await seriesById(ctx, { seriesId });
  if (!series) throw new EventNotFound();
  if (series.change !== null) throw new SeriesIsChanging();
  return series;
}

function changeStatement(
  ctx: Context,
  series: Series,
  set: Partial<typeof eventSeries.$inferInsert> & { change: SeriesChange },
): BatchWrite {
  return mustChangeOne(
    ctx.db
      .update(eventSeries)
      .set({ ...set, version: series.version + 1, updatedAt: ctx.now() })
      .where(and(eq(eventSeries.id, series.id), eq(eventSeries.version, series.version))),
  );
}

const dateStatement = (
  ctx: Context,
  eventId: string,
  set: Partial<typeof events.$inferInsert>,
): BatchWrite => ctx.db.update(events).set(set).where(eq(events.id, eventId));

async function refuseLowCapacity(
  ctx: Context,
  dates: { seriesId: string; fromDay: string; eventId: string },
  { capacity }: EventInput,
): Promise<void> {
  const fullest = capacity === null ? null : await fullestDate(ctx, dates);
  if (fullest && capacity !== null && fullest.seats > capacity)
    throw new DateHasMoreSeats({
      when: eventMomentText(fullest.startsAt, fullest.timeZone),
      seats: fullest.seats,
    });
}

/**
 * Brings the last change of a repeating event to the next dates that it has not reached, at most
 * 15, and marks it as done after the last. Each date is one batch. A date that refuses the change
 * (it ended meanwhile, or its seats do not fit) is left as it is and logged. Safe to repeat.
 */
export async function applySeriesChange(
  ctx: Context,
  { seriesId }: { seriesId: string },
): Promise<void> {
  const series = await seriesById(ctx, { seriesId });
  if (!series || series.change === null) return;
  const { change, version, creatorId } = series;
  const dates = await datesToChange(ctx, series, DATES_PER_CALL);
  const source =
    change.kind === "update"
      ? await editableEvent(ctx, { eventId: change.sourceId, creatorId })
      : null;
  let missed = 0;
  for (const date of dates) {
    try {
      if (change.kind === "cancel") await cancelDate(ctx, { ...date, creatorId });
      else if (source && source.status !== "canceled")
        await updateDate(ctx, series, { date, source });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error instanceof EventChangedElsewhere) {
        // It changed between read and write: the next run reads it again.
        missed += 1;
        continue;
      }
      ctx.log("events.series_date_refused", { eventId: date.id, refusal: error.name });
    }
    await commit(ctx.db, [dateStatement(ctx, date.id, { seriesVersion: version })]);
  }
  if (missed === 0 && dates.length < DATES_PER_CALL)
    await ctx.db
      .update(eventSeries)
      .set({ change: null })
      .where(and(eq(eventSeries.id, seriesId), eq(eventSeries.version, version)));
}

type DateToChange = Awaited<ReturnType<typeof datesToChange>>[number];

async function cancelDate(
  ctx: Context,
  { id: eventId, status, creatorId }: DateToChange & { creatorId: string },
): Promise<void> {
  if (status === "published") return await cancelEvent(ctx, { eventId, creatorId });
  await commit(ctx.db, [
    ctx.db.delete(eventTicketKinds).where(eq(eventTicketKinds.eventId, eventId)),
    ctx.db.delete(events).where(and(eq(events.id, eventId), eq(events.status, "draft"))),
  ]);
}

async function updateDate(
  ctx: Context,
  series: Series,
  { date, source }: { date: DateToChange; source: EditableEvent },
): Promise<void> {
  const { startsAt, endsAt } = timesOnDay(date.seriesDay ?? "", series);
  const { coverMediaId, coverAlt, typedCapacity } = source;
  await updateEvent(
    ctx,
    {
      ...source,
      startsAt,
      endsAt,
      eventId: date.id,
      revision: date.revision,
      creatorId: series.creatorId,
      capacity: typedCapacity,
      cover: null,
      coverAlt: coverAlt ?? "",
      removesCover: coverMediaId === null,
    },
    {
      more:
        coverMediaId === date.coverMediaId ? [] : [dateStatement(ctx, date.id, { coverMediaId })],
      isCounted: false,
    },
  );
}
