import { and, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { faultText } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { Refusal } from "#app/domain/errors.ts";
import { cancelEvent, updateEvent } from "#app/domain/events/commands.server.ts";
import { nameOf } from "#app/domain/events/commands/change-notices.server.ts";
import { datesOfScope, deletedDraftsStatements } from "#app/domain/events/dates/commands.server.ts";
import { announceDatesStatement } from "#app/domain/events/attendees/commands.server.ts";
import { gatherIn, notifyGathered } from "#app/domain/events/series/commands/notices.server.ts";
import { EventChangedElsewhere, EventNotFound } from "#app/domain/events/errors.ts";
import { editableEvent } from "#app/domain/events/queries/editable.server.ts";
import type { EditableEvent } from "#app/domain/events/queries/editable.server.ts";
import { eventMomentText } from "#app/domain/events/times/rules.ts";
import { wallsOf } from "#app/domain/events/times/rules/zone-rules.ts";
import type { EventInput } from "#app/domain/events/schema.ts";
import { DateHasMoreSeats, SeriesDayChanged, SeriesIsChanging } from "./errors.ts";
import { datesToChange, fullestDate, seriesById } from "./queries.server.ts";
import type { Series } from "./queries.server.ts";
import { dayAfter, minutesBetween, timesOnDay } from "./rules.ts";
import type { Scope } from "./rules.ts";
import { eventRequests } from "#drizzle/schema/events-people.ts";
import { events, eventSeries, eventWaiting } from "#drizzle/schema/events.ts";

type OwnEvent = { eventId: string; creatorId: string };

/** Dates that one request changes; a step of each minute goes on with the rest. */
const DATES_PER_CALL = 15;

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
  if (scope === "one") await refuseUnsettledSource(ctx, saved);
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
  const version = series.version + 1;
  await updateEvent(ctx, input, {
    gather: gatherIn(ctx, { seriesId: series.id, version, eventId }),
    more: [
      changeStatement(ctx, series, {
        startsWall: `${series.startsWall.slice(0, 10)}${startsWall.slice(10)}`,
        durationMinutes: minutesBetween(startsWall, endsWall),
        timeZone: input.timeZone,
        change: { kind: "update", fromDay, sourceId: eventId },
      }),
      dateStatement(ctx, eventId, { seriesVersion: version }),
    ],
  });
  await applySeriesChange(ctx, { seriesId: series.id });
}

/**
 * Cancels dates of a repeating event for good, and tells everybody who has a seat or waits for one:
 * `next` and `all` in one batch, so that no date sells on, with one message that lists a person's
 * dates. They also end the repetition, and delete drafts. Everybody who paid is refunded, as by
 * `cancelEvent`. Safe to repeat. Refuses SeriesIsChanging, and for `one` what `cancelEvent` does.
 */
export async function cancelDates(
  ctx: Context,
  { scope, ...own }: OwnEvent & { scope: Scope },
): Promise<void> {
  const saved = await editableEvent(ctx, own);
  if (!saved) throw new EventNotFound();
  if (scope === "one") await refuseUnsettledSource(ctx, saved);
  if (scope === "one" || saved.seriesId === null || saved.seriesDay === null)
    return await cancelEvent(ctx, own);
  const series = await unchangingSeries(ctx, saved.seriesId);
  const { rule } = series;
  const until = dayAfter(saved.seriesDay, -1);
  const living = datesOfScope(ctx, saved, { creatorId: own.creatorId, scope });
  const published = sql`${living} AND events.status = 'published'`;
  await commit(ctx.db, [
    changeStatement(ctx, series, {
      extendAt: null,
      ...(scope === "next" ? { rule: { ...rule, until, times: null } } : {}),
    }),
    announceDatesStatement<"event.canceled">(
      ctx,
      {
        type: "event.canceled",
        eventTitle: saved.title,
        creatorId: own.creatorId,
        creatorName: await nameOf(ctx, own),
      },
      { key: `series:${series.id}:canceled:${series.version + 1}`, which: published },
    ),
    ...endedListsStatements(ctx, published),
    ...deletedDraftsStatements(ctx, sql`${living} AND events.status = 'draft'`),
    ctx.db
      .update(events)
      .set({
        status: "canceled",
        canceledAt: ctx.now(),
        updatedAt: ctx.now(),
        revision: sql`${events.revision} + 1`,
      })
      .where(published),
  ]);
}

/** Nobody waits or asks for a seat at the events of `which` any more. */
function endedListsStatements(ctx: Context, which: SQL): BatchWrite[] {
  const ids = sql`(SELECT events.id FROM events WHERE ${which})`;
  return [
    ctx.db.delete(eventWaiting).where(sql`${eventWaiting.eventId} IN ${ids}`),
    ctx.db
      .delete(eventRequests)
      .where(sql`${eventRequests.eventId} IN ${ids} AND ${eventRequests.status} = 'waiting'`),
  ];
}

/** Reads a series whose last change reached all dates, after helping it along. */
export async function unchangingSeries(ctx: Context, seriesId: string): Promise<Series> {
  await applySeriesChange(ctx, { seriesId });
  const series = await seriesById(ctx, { seriesId });
  if (!series) throw new EventNotFound();
  if (series.change !== null) throw new SeriesIsChanging();
  return series;
}

/** The date of which the others are being made stays as it is until they are. */
async function refuseUnsettledSource(
  ctx: Context,
  { id, seriesId }: Pick<EditableEvent, "id" | "seriesId">,
): Promise<void> {
  const series = seriesId === null ? null : await seriesById(ctx, { seriesId });
  if (series?.change?.kind === "update" && series.change.sourceId === id)
    await unchangingSeries(ctx, series.id);
}

/** Builds the statement that writes the next version of a series. Stale where it is not as read. */
export function changeStatement(
  ctx: Context,
  series: Series,
  set: Partial<typeof eventSeries.$inferInsert>,
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
 * Brings the last change of a repeating event to the next dates that it has not reached, at most 15.
 * After the last it marks it as done, and tells each person once of their dates. Each date is one
 * batch. A date that refuses the change (it ended meanwhile, or its seats do not fit) is left as it
 * is and logged. Safe to repeat.
 */
export async function applySeriesChange(
  ctx: Context,
  { seriesId }: { seriesId: string },
): Promise<void> {
  const series = await seriesById(ctx, { seriesId });
  if (!series || series.change === null) return;
  const { change, version, creatorId } = series;
  const dates = await datesToChange(ctx, series, DATES_PER_CALL);
  const source = await editableEvent(ctx, { eventId: change.sourceId, creatorId });
  let missed = 0;
  const faults: unknown[] = [];
  for (const date of dates) {
    try {
      if (source && source.status !== "canceled") await updateDate(ctx, series, { date, source });
    } catch (error) {
      if (!(error instanceof Refusal)) {
        // It holds up none of the dates behind it.
        faults.push(error);
        ctx.log("events.series_date_failed", { eventId: date.id, error: faultText(error) });
        continue;
      }
      if (error instanceof EventChangedElsewhere) {
        // It changed between read and write: the next run reads it again.
        missed += 1;
        continue;
      }
      ctx.log("events.series_date_refused", { eventId: date.id, refusal: error.name });
    }
    await commit(ctx.db, [dateStatement(ctx, date.id, { seriesVersion: version })]);
  }
  const isDone = faults.length === 0 && missed === 0 && dates.length < DATES_PER_CALL;
  // A date that fails for long holds up no message of the others.
  if (isDone || faults.length > 0) await notifyGathered(ctx, { seriesId, version, isDone });
  if (faults.length > 0) throw faults[0];
}

type DateToChange = Awaited<ReturnType<typeof datesToChange>>[number];

async function updateDate(
  ctx: Context,
  series: Series,
  { date, source }: { date: DateToChange; source: EditableEvent },
): Promise<void> {
  const times = timesOnDay(date.seriesDay ?? "", series);
  const { coverMediaId, coverAlt, typedCapacity } = source;
  await updateEvent(
    ctx,
    {
      ...source,
      ...times,
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
      gather: gatherIn(ctx, { seriesId: series.id, version: series.version, eventId: date.id }),
    },
  );
}
