import { and, eq, isNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { commit, guardStatement, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  copiedKindsStatements,
  datesOfScope,
  deletedDraftsStatements,
  isShownDate,
  newDatesStatement,
} from "#app/domain/events/dates/commands.server.ts";
import { livingEvent } from "#app/domain/events/dates/commands/living.server.ts";
import { EventChangedElsewhere } from "#app/domain/events/errors.ts";
import type { EditableEvent } from "#app/domain/events/queries/editable.server.ts";
import { eventMomentText } from "#app/domain/events/times/rules.ts";
import { wallsOf } from "#app/domain/events/times/rules/zone-rules.ts";
import { changeStatement, unchangingSeries } from "#app/domain/events/series/commands.server.ts";
import { daysAhead } from "./dates.server.ts";
import { DateIsTaken, HiddenDateRepeats } from "#app/domain/events/series/errors.ts";
import { DATES_AHEAD_MAX, minutesBetween } from "#app/domain/events/series/rules.ts";
import type { SeriesRule } from "#app/domain/events/series/rules.ts";
import { seriesDays } from "#app/domain/events/series/rules/dates.ts";
import { events, eventSeries } from "#drizzle/schema/events.ts";

type Repeated = { eventId: string; creatorId: string; rule: SeriesRule };

/**
 * Lets an event repeat by `rule` from its day on. A single event becomes the first date; its other
 * dates of the next 12 months, at most 60, are made as it is, with its kinds of tickets. Of a
 * repeating event the dates after this one follow the new rule: those on other days go, unless
 * somebody has or wants a seat there. Refuses EventNotFound, EventCanceled, EventOver, DateIsTaken,
 * HiddenDateRepeats, SeriesIsChanging and EventChangedElsewhere.
 */
export async function repeatEvent(ctx: Context, { rule, ...own }: Repeated): Promise<void> {
  const saved = await livingEvent(ctx, own);
  if (saved.heldAt !== null) throw new HiddenDateRepeats();
  try {
    if (saved.seriesId === null) await startSeries(ctx, saved, { rule, ...own });
    else await changeRule(ctx, saved, { rule, ...own });
  } catch (error) {
    throw error instanceof StaleWrite ? new EventChangedElsewhere(own) : error;
  }
}

async function startSeries(
  ctx: Context,
  saved: EditableEvent,
  { eventId, creatorId, rule }: Repeated,
): Promise<void> {
  const { startsWall, endsWall } = wallsOf(saved);
  const firstDay = startsWall.slice(0, 10);
  const durationMinutes = minutesBetween(startsWall, endsWall);
  const clock = { startsWall, durationMinutes, timeZone: saved.timeZone };
  const seriesId = ctx.newId();
  const room = DATES_AHEAD_MAX - 1;
  const { days, extendAt } = daysAhead(ctx, { rule, firstDay, after: firstDay, room });
  const made = { seriesId, sourceId: eventId };
  await commit(ctx.db, [
    ctx.db.insert(eventSeries).values({
      id: seriesId,
      creatorId,
      ...clock,
      rule,
      madeUntil: days.at(-1) ?? firstDay,
      extendAt,
      createdAt: ctx.now(),
      updatedAt: ctx.now(),
    }),
    mustChangeOne(
      ctx.db
        .update(events)
        .set({ seriesId, seriesDay: firstDay, updatedAt: ctx.now() })
        .where(
          and(
            eq(events.id, eventId),
            eq(events.creatorId, creatorId),
            isNull(events.seriesId),
            isNull(events.heldAt),
            eq(events.revision, saved.revision),
          ),
        ),
    ),
    newDatesStatement(ctx, { ...made, days, clock, version: 0 }),
    ...copiedKindsStatements(ctx, { ...made, made: { afterDay: firstDay } }),
  ]);
}

async function changeRule(
  ctx: Context,
  saved: EditableEvent,
  { eventId, creatorId, rule }: Repeated,
): Promise<void> {
  const series = await unchangingSeries(ctx, saved.seriesId ?? "");
  const firstDay = saved.seriesDay ?? "";
  const room = DATES_AHEAD_MAX - 1;
  const { days, extendAt } = daysAhead(ctx, { rule, firstDay, after: firstDay, room });
  const later = sql`${datesOfScope(ctx, saved, { creatorId, scope: "next" })} AND events.series_day > ${firstDay}`;
  const ruleDays = JSON.stringify(seriesDays(rule, firstDay));
  const gone = sql`${later} AND events.series_day NOT IN (SELECT day.value FROM json_each(${ruleDays}) day)`;
  await refuseTaken(ctx, gone);
  const clock = { ...series, startsWall: `${firstDay}${series.startsWall.slice(10)}` };
  const made = { seriesId: series.id, sourceId: eventId };
  await commit(ctx.db, [
    guardStatement(ctx.db, sql`NOT EXISTS (SELECT 1 FROM events WHERE ${gone} AND ${IS_TAKEN})`),
    guardStatement(ctx.db, isShownDate(eventId)),
    changeStatement(ctx, series, {
      rule,
      startsWall: clock.startsWall,
      madeUntil: days.at(-1) ?? firstDay,
      extendAt,
    }),
    ...deletedDraftsStatements(ctx, sql`${gone} AND NOT ${HAS_HISTORY}`),
    // One that somebody had a seat at stays in their calendar, as canceled.
    ctx.db
      .update(events)
      .set({ status: "canceled", canceledAt: ctx.now(), revision: sql`${events.revision} + 1` })
      .where(gone),
    newDatesStatement(ctx, { ...made, days, clock, version: series.version + 1 }),
    ...copiedKindsStatements(ctx, {
      ...made,
      made: { afterDay: firstDay, version: series.version + 1 },
    }),
  ]);
}

/** SQL condition on `events`: somebody has, pays, waits for or asked for a seat. */
const IS_TAKEN: SQL = sql`(events.seats_taken + events.seats_held + events.seats_offered + events.waiting_count > 0
  OR EXISTS (SELECT 1 FROM event_requests asked WHERE asked.event_id = events.id AND asked.status = 'waiting'))`;

/** SQL condition on `events`: somebody had something to do with it once. */
const HAS_HISTORY: SQL = sql`(EXISTS (SELECT 1 FROM event_seats had WHERE had.event_id = events.id)
  OR EXISTS (SELECT 1 FROM event_orders had WHERE had.event_id = events.id) OR EXISTS (SELECT 1 FROM event_requests had WHERE had.event_id = events.id))`;

async function refuseTaken(ctx: Context, gone: SQL): Promise<void> {
  const taken = await ctx.db
    .select({ startsAt: events.startsAt, timeZone: events.timeZone })
    .from(events)
    .where(sql`${gone} AND ${IS_TAKEN}`)
    .orderBy(events.startsAt)
    .limit(1)
    .get();
  if (taken) throw new DateIsTaken(eventMomentText(taken.startsAt, taken.timeZone));
}
