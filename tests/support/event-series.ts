import { asc, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Context } from "#app/domain/context.ts";
import { publishEvent } from "#app/domain/events/commands.server.ts";
import { editableEvent } from "#app/domain/events/queries/editable.server.ts";
import type { EventInput } from "#app/domain/events/schema.ts";
import { eventMessages } from "#app/domain/events/schema/outbox.ts";
import { updateDates } from "#app/domain/events/series/commands.server.ts";
import { createSeries } from "#app/domain/events/series/commands/dates.server.ts";
import type { Scope, SeriesRule } from "#app/domain/events/series/rules.ts";
import { events } from "#drizzle/schema/events.ts";
import type { World } from "./context.ts";
import { eventInput } from "./events.ts";

/** Five days, one after the other. */
export const DAILY: SeriesRule = { repeat: "daily", weekdays: [], until: null, times: 5 };
/** Their first start: 4 January 2027 at 20:00 in São Paulo. */
export const SERIES_START = Date.parse("2027-01-04T23:00:00Z");

/** Creates a draft that repeats, and returns its first date. */
async function repeatingEvent(
  ctx: Context,
  creator: { id: string },
  rule: Partial<SeriesRule> = {},
  input: Partial<EventInput> = {},
) {
  const { eventId } = await createSeries(ctx, {
    creatorId: creator.id,
    ...eventInput(ctx, { startsAt: SERIES_START, ...input }),
    rule: { ...DAILY, ...rule },
  });
  const saved = await editableEvent(ctx, { eventId, creatorId: creator.id });
  return { eventId, seriesId: saved?.seriesId ?? "", own: { eventId, creatorId: creator.id } };
}

/** The same, published. */
async function publishedRepeatingEvent(...given: Parameters<typeof repeatingEvent>) {
  const made = await repeatingEvent(...given);
  await publishEvent(given[0], made.own);
  return made;
}

/** The rows of a series' dates, in the order of their days. */
const datesOfSeries = async (ctx: Context, seriesId: string) =>
  await ctx.db
    .select()
    .from(events)
    .where(eq(events.seriesId, seriesId))
    .orderBy(asc(events.seriesDay));

type ChangedDate = Partial<EventInput> & { scope: Scope };

/** Changes a date as its form does, from what is saved. */
async function changeDate(
  ctx: Context,
  creator: { id: string },
  eventId: string,
  { scope, ...changed }: ChangedDate,
): Promise<void> {
  const saved = await editableEvent(ctx, { eventId, creatorId: creator.id });
  if (!saved) throw new Error("no date");
  const { title, place, startsAt, endsAt, timeZone, typedCapacity: capacity, revision } = saved;
  await updateDates(ctx, {
    ...eventInput(ctx, { title, place, startsAt, endsAt, timeZone, capacity, ...changed }),
    eventId,
    creatorId: creator.id,
    revision,
    scope,
  });
}

type ChangeType = "event.changed" | "event.canceled";
const changeMessage = z.union([eventMessages["event.changed"], eventMessages["event.canceled"]]);

/** What a person was told of changes or cancellations. */
async function changesToldTo(ctx: Context, person: { id: string }, type: ChangeType) {
  const rows = await ctx.db.all<{ payload: string }>(
    sql`SELECT payload FROM outbox WHERE type = ${type} AND json_extract(payload, '$.personId') = ${person.id}`,
  );
  return rows.map(({ payload }) => changeMessage.parse(JSON.parse(payload)));
}

/** Short forms of what tests do with the repeating events of one creator. */
export function seriesHelpers(of: () => { world: World; creator: { id: string } }) {
  const ctx = () => of().world.ctx;
  return {
    /** A draft, and its first date. */
    repeating: (rule?: Partial<SeriesRule>, input?: Partial<EventInput>) =>
      repeatingEvent(ctx(), of().creator, rule, input),
    publishedSeries: (rule?: Partial<SeriesRule>, input?: Partial<EventInput>) =>
      publishedRepeatingEvent(ctx(), of().creator, rule, input),
    datesOf: (seriesId: string) => datesOfSeries(ctx(), seriesId),
    change: (eventId: string, changed: ChangedDate) =>
      changeDate(ctx(), of().creator, eventId, changed),
    messagesTo: (person: { id: string }, type: ChangeType) => changesToldTo(ctx(), person, type),
  };
}
