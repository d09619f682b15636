import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { DbStatement } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { EventMessage } from "#app/domain/events/schema/outbox.ts";
import { EVENT_DAYS_MAX } from "#app/domain/events/rules.ts";
import { announceToEach } from "#app/domain/outbox.server.ts";
import { DAY_MS } from "#app/domain/time.ts";

/**
 * Builds the statement that tells everybody with a seat at an event of `creatorId` that is not over
 * that its page closed: its creator was banned or is leaving. Once for each event and `key`.
 */
export function pageClosedStatement(
  ctx: Context,
  { creatorId, key }: { creatorId: string; key: string },
): DbStatement {
  const people = sql`SELECT 'event:' || e.id || ${`:closed:${key}:`} || s.person_id AS key, s.person_id AS person_id,
      e.id AS event_id, e.title AS title, e.starts_at AS starts_at, e.time_zone AS time_zone, p.name AS name
    FROM events e JOIN event_seats s ON s.event_id = e.id AND s.status = 'taken' JOIN profiles p ON p.person_id = e.creator_id
    WHERE e.creator_id = ${creatorId} AND e.status = 'published' AND e.starts_at > ${ctx.now() - EVENT_DAYS_MAX * DAY_MS} AND e.ends_at > ${ctx.now()}
    GROUP BY e.id, s.person_id`;
  const read = {
    eventId: sql`recipient.event_id`,
    eventTitle: sql`recipient.title`,
    creatorName: sql`recipient.name`,
    startsAt: sql`recipient.starts_at`,
    timeZone: sql`recipient.time_zone`,
  };
  return announceToEach<ToPerson, keyof typeof read>(
    ctx,
    people,
    { type: "event.page_closed", creatorId } as never,
    read,
  );
}

/**
 * Builds the statement that announces `message` once to each person who has a seat at one of the
 * events of `which` (a condition on `events`), waits or asked for one, or paid for one that they
 * passed on. It lists those events. `key` names the occasion.
 */
export function announceDatesStatement<Type extends "event.changed" | "event.canceled">(
  ctx: Context,
  message: Omit<EventNotice<Type>, "eventId" | "startsAt" | "endsAt" | "timeZone" | "dates">,
  { key, which }: { key: string; which: SQL },
): DbStatement {
  const of = (table: string, status: string): SQL =>
    sql.raw(
      `SELECT one.person_id AS person_id, events.* FROM events JOIN ${table} one ON one.event_id = events.id AND one.status = '${status}'`,
    );
  const involved = sql`SELECT DISTINCT person_id, id, starts_at, ends_at, time_zone FROM (${of("event_seats", "taken")} WHERE ${which}
      UNION ALL ${of("event_orders", "paid")} WHERE ${which} UNION ALL ${of("event_requests", "waiting")} WHERE ${which}
      UNION ALL SELECT w.person_id AS person_id, events.* FROM events JOIN event_waiting w ON w.event_id = events.id WHERE ${which})`;
  // The other columns are of the row with the earliest start.
  const people = sql`SELECT ${`${key}:`} || person_id AS key, person_id, id AS event_id, MIN(starts_at) AS starts_at, ends_at, time_zone,
      json_group_array(json_object('startsAt', starts_at, 'endsAt', ends_at, 'timeZone', time_zone) ORDER BY starts_at) AS dates, json_group_array(id) AS ids
    FROM (${involved}) GROUP BY person_id`;
  const read = {
    eventId: sql`recipient.event_id`,
    startsAt: sql`recipient.starts_at`,
    endsAt: sql`recipient.ends_at`,
    timeZone: sql`recipient.time_zone`,
    dates: sql`json(recipient.dates)`,
    hasPaid: sql`(SELECT COUNT(*) FROM json_each(recipient.ids) one JOIN event_orders placed ON placed.event_id = one.value AND placed.person_id = recipient.person_id AND placed.status = 'paid')`,
  };
  return announceToEach<ToPerson, keyof typeof read>(ctx, people, message as never, read as never);
}

/** The messages to a person, which all have but the one to an address. */
type ToPerson = Extract<EventMessage, { personId: string }>;

/** A message to each person with a seat, without the person and what they paid. */
export type EventNotice<Type extends EventMessage["type"]> = Omit<
  Extract<EventMessage, { type: Type }>,
  "personId" | "hasPaid"
>;

/**
 * Builds the statement that announces `message` once to each person with a seat at the event; with
 * `andWaiting` to the waiting list and to open requests too, and to who paid and passed the tickets
 * on. `key` names the occasion.
 */
export function announceToPeopleStatement<Type extends EventMessage["type"]>(
  ctx: Context,
  message: EventNotice<Type>,
  { key, andWaiting = false }: { key: string; andWaiting?: boolean },
): DbStatement {
  const { eventId } = message as { eventId: string };
  const waiting = andWaiting
    ? sql` UNION SELECT w.person_id FROM event_waiting w WHERE w.event_id = ${eventId}
        UNION SELECT asked.person_id FROM event_requests asked WHERE asked.event_id = ${eventId} AND asked.status = 'waiting'
        UNION SELECT placed.person_id FROM event_orders placed WHERE placed.event_id = ${eventId} AND placed.status = 'paid'`
    : sql``;
  const people: SQL = sql`SELECT ${`${key}:`} || one.person_id AS key, one.person_id AS person_id
    FROM (SELECT s.person_id FROM event_seats s WHERE s.event_id = ${eventId} AND s.status = 'taken'${waiting}) one
    GROUP BY one.person_id`;
  const hasPaid = sql`(SELECT COUNT(*) FROM event_orders placed WHERE placed.event_id = ${eventId} AND placed.person_id = recipient.person_id AND placed.status = 'paid')`;
  return announceToEach<ToPerson, "hasPaid">(ctx, people, message as never, { hasPaid });
}
