import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { effectiveCapacityStatement } from "#app/domain/events/capacity/commands.server.ts";
import { timesOnDay } from "#app/domain/events/series/rules.ts";
import type { DateClock, Scope } from "#app/domain/events/series/rules.ts";
import { events, eventTicketKinds } from "#drizzle/schema/events.ts";

/** Of each column of `events`: whether a new date has it as the date from which it is copied. */
const EVENT_COPIES: Record<keyof typeof events.$inferSelect, boolean> = {
  id: false,
  creatorId: true,
  title: true,
  description: true,
  place: true,
  link: true,
  linkMinutes: true,
  coverMediaId: true,
  startsAt: false,
  endsAt: false,
  startsWall: false,
  endsWall: false,
  timeZone: false,
  status: false,
  capacity: true,
  typedCapacity: true,
  maxPerPerson: true,
  access: true,
  planIds: true,
  priceFromCents: true,
  refundHours: true,
  movedAt: false,
  revision: false,
  seatsTaken: false,
  checkedInCount: false,
  seatsHeld: false,
  seatsOffered: false,
  waitingCount: false,
  dayReminderAt: false,
  startReminderAt: false,
  publishedAt: true,
  canceledAt: false,
  createdAt: false,
  updatedAt: false,
  seriesId: false,
  seriesDay: false,
  isChangedAlone: false,
  seriesVersion: false,
  questions: true,
  needsApproval: true,
  heldAt: false,
};

/** The same of `event_ticket_kinds`; the times of its sale are as long before the start. */
const KIND_COPIES: Record<keyof typeof eventTicketKinds.$inferSelect, boolean> = {
  id: false,
  eventId: false,
  name: true,
  priceCents: true,
  capacity: true,
  saleStartsAt: false,
  saleEndsAt: false,
  seatsTaken: false,
  seatsHeld: false,
  retiredAt: false,
  createdAt: false,
  updatedAt: false,
};

/** The names of the columns that are copied. */
function copied(
  columns: Record<string, { name: string }>,
  copies: Record<string, boolean>,
): string[] {
  return Object.entries(columns)
    .filter(([key]) => copies[key])
    .map(([, { name }]) => name);
}

/**
 * SQL condition on `events`: the event, or with `next` and `all` the dates of its series that are
 * not over or canceled.
 */
export function datesOfScope(
  ctx: Context,
  { id, seriesId, seriesDay }: { id: string; seriesId: string | null; seriesDay: string | null },
  { creatorId, scope }: { creatorId: string; scope: Scope },
): SQL {
  if (scope === "one" || seriesId === null || seriesDay === null)
    return sql`(events.id = ${id} AND events.creator_id = ${creatorId})`;
  const fromDay = scope === "all" ? "" : seriesDay;
  return sql`(events.series_id = ${seriesId} AND events.creator_id = ${creatorId} AND events.series_day >= ${fromDay} AND events.ends_at > ${ctx.now()} AND events.status <> 'canceled')`;
}

/** Builds the statements that delete the drafts of `which` (a condition on `events`). */
export function deletedDraftsStatements(ctx: Context, which: SQL): BatchWrite[] {
  return [
    ctx.db
      .delete(eventTicketKinds)
      .where(sql`${eventTicketKinds.eventId} IN (SELECT events.id FROM events WHERE ${which})`),
    ctx.db.delete(events).where(which),
  ];
}

type NewDates = {
  seriesId: string;
  /** The date as which they are made. */
  sourceId: string;
  days: readonly string[];
  clock: DateClock;
  version: number;
};

/**
 * Builds the statement that makes the dates of `days` as the date `sourceId` is; a day that has its
 * date is left out. One of a canceled date is published. Their ticket kinds are
 * `copyKindsStatement`'s.
 */
export function newDatesStatement(
  ctx: Context,
  { seriesId, sourceId, days, clock, version }: NewDates,
): BatchWrite {
  const dates = JSON.stringify(
    days.map((day) => ({ id: ctx.newId(), day, ...timesOnDay(day, clock) })),
  );
  const same = copied(getTableColumns(events), EVENT_COPIES);
  const of = (name: string): SQL => sql.raw(`json_extract(date.value, '$.${name}')`);
  const own: Record<string, SQL> = {
    id: of("id"),
    starts_at: of("startsAt"),
    ends_at: of("endsAt"),
    starts_wall: of("startsWall"),
    ends_wall: of("endsWall"),
    time_zone: sql`${clock.timeZone}`,
    status: sql`iif(source.status = 'canceled', 'published', source.status)`,
    created_at: sql`CAST(${ctx.now()} AS INTEGER)`,
    updated_at: sql`CAST(${ctx.now()} AS INTEGER)`,
    series_id: sql`${seriesId}`,
    series_day: of("day"),
    series_version: sql`CAST(${version} AS INTEGER)`,
  };
  const names = sql.raw([...Object.keys(own), ...same].join(", "));
  const values = sql.join(
    [...Object.values(own), ...same.map((name) => sql.raw(`source.${name}`))],
    sql`, `,
  );
  return ctx.db.run(
    sql`INSERT INTO events (${names}) SELECT ${values} FROM json_each(${dates}) date JOIN events source ON source.id = ${sourceId}
      WHERE NOT EXISTS (SELECT 1 FROM events made WHERE made.series_id = ${seriesId} AND made.series_day = ${of("day")})`,
  ) as unknown as BatchWrite;
}

/**
 * Builds the statement that gives dates of a series that have no kinds of tickets, and no seats
 * that are gone, those of `sourceId`. `isMade` is the condition on `made`, which names the dates:
 * one that people already see as free stays free.
 */
export function copyKindsStatement(
  ctx: Context,
  { seriesId, sourceId, isMade }: { seriesId: string; sourceId: string; isMade: SQL },
): BatchWrite {
  const same = copied(getTableColumns(eventTicketKinds), KIND_COPIES);
  const later = (column: string): string => `kind.${column} + made.starts_at - source.starts_at`;
  return ctx.db.run(
    sql`INSERT INTO event_ticket_kinds (id, event_id, sale_starts_at, sale_ends_at, created_at, updated_at, ${sql.raw(same.join(", "))})
      SELECT lower(hex(randomblob(16))), made.id, ${sql.raw(later("sale_starts_at"))}, ${sql.raw(later("sale_ends_at"))}, kind.created_at, CAST(${ctx.now()} AS INTEGER), ${sql.raw(same.map((name) => `kind.${name}`).join(", "))}
      FROM events source JOIN event_ticket_kinds kind ON kind.event_id = source.id AND kind.retired_at IS NULL
      JOIN events made ON made.series_id = ${seriesId} AND made.id <> source.id
      WHERE source.id = ${sourceId} AND made.ends_at > ${ctx.now()} AND made.seats_taken + made.seats_held + made.seats_offered = 0 AND made.status <> 'canceled' AND ${isMade}
        AND NOT EXISTS (SELECT 1 FROM event_ticket_kinds has WHERE has.event_id = made.id)`,
  ) as unknown as BatchWrite;
}

/**
 * Builds the statements that give the dates that were just made the kinds of tickets of `sourceId`,
 * and the seats of these kinds: sold tickets of its retired kinds are not theirs. `made` says which
 * dates: those after a day, and of one version of the series where older ones may be among them.
 */
export function copiedKindsStatements(
  ctx: Context,
  {
    made: { afterDay, version },
    ...of
  }: { seriesId: string; sourceId: string; made: { afterDay: string; version?: number } },
): BatchWrite[] {
  const isMade = (table: SQL): SQL =>
    sql`${table}.series_day > ${afterDay}${version === undefined ? sql`` : sql` AND ${table}.series_version = ${version}`}`;
  return [
    copyKindsStatement(ctx, { ...of, isMade: isMade(sql`made`) }),
    effectiveCapacityStatement(ctx, {
      which: sql`events.series_id = ${of.seriesId} AND ${isMade(sql`events`)} AND events.status <> 'canceled'`,
    }),
  ];
}

/** SQL condition: no moderator hides the date. What one hid is not copied. */
export const isShownDate = (eventId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM events WHERE events.id = ${eventId} AND events.held_at IS NULL)`;

/**
 * Builds the statements that calculate the seats and the lowest price of a series' drafts from the
 * kinds of tickets that each has.
 */
export function draftSeatsStatements(
  ctx: Context,
  { seriesId }: { seriesId: string },
): BatchWrite[] {
  return [
    effectiveCapacityStatement(ctx, { draftsOf: seriesId }),
    ctx.db
      .update(events)
      .set({
        priceFromCents: sql`(SELECT MIN(kind.price_cents) FROM event_ticket_kinds kind WHERE kind.event_id = events.id AND kind.retired_at IS NULL)`,
      })
      .where(and(eq(events.seriesId, seriesId), eq(events.status, "draft"))),
  ];
}
