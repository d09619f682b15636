import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { DbStatement } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { EventMessage } from "#app/domain/events/schema/outbox.ts";
import { announceToEach } from "#app/domain/outbox.server.ts";

/** A message to each person with a seat, without the person. */
export type EventNotice<Type extends EventMessage["type"]> = Omit<
  Extract<EventMessage, { type: Type }>,
  "personId"
>;

/**
 * Builds the statement that announces `message` once to each person with a seat at the event; with
 * `andWaiting` to the waiting list too. `key` names the occasion.
 */
export function announceToPeopleStatement<Type extends EventMessage["type"]>(
  ctx: Context,
  message: EventNotice<Type>,
  { key, andWaiting = false }: { key: string; andWaiting?: boolean },
): DbStatement {
  const { eventId } = message as { eventId: string };
  const waiting = andWaiting
    ? sql` UNION SELECT w.person_id FROM event_waiting w WHERE w.event_id = ${eventId}`
    : sql``;
  const people: SQL = sql`SELECT ${`${key}:`} || one.person_id AS key, one.person_id AS person_id
    FROM (SELECT s.person_id FROM event_seats s WHERE s.event_id = ${eventId} AND s.status = 'taken'${waiting}) one
    GROUP BY one.person_id`;
  return announceToEach<EventMessage>(ctx, people, message as never);
}
