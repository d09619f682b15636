import { eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { eventListableTo, eventOpenTo } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Purchase } from "#app/domain/purchases/schema.ts";
import { HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { purchases } from "#drizzle/schema/purchases.ts";

/**
 * The rows that decide about an order of tickets: `placed` (the order), `ticket` (its kind) and
 * `events` (under its own name, as the access rules name it).
 */
export const PLACED_ORDER: SQL = sql`event_orders placed JOIN events ON events.id = placed.event_id JOIN event_ticket_kinds ticket ON ticket.id = placed.ticket_kind_id`;

/** The event takes place, and is not over. */
const eventGoesOn = (now: SQL): SQL =>
  sql`(events.status = 'published' AND events.ends_at > ${now})`;

/**
 * The order's payment failed or was given up a minute ago at most: another card or method is tried
 * before the seats go to who waits. Not for more than an hour after the choice.
 */
const isRetried = (now: SQL): SQL =>
  sql`(placed.created_at > ${now} - ${HOUR_MS} AND EXISTS (SELECT 1 FROM purchases tried WHERE tried.person_id = placed.person_id AND tried.kind = 'event' AND tried.target_id = placed.id AND tried.bought_at IS NULL AND tried.ended_at > ${now} - ${MINUTE_MS}))`;

/**
 * The order finds its seats: they are held for it, or they are free of the event and of their kind,
 * and nobody waits for them. What is offered to the person counts as theirs; where the creator
 * approves requests, only that.
 */
export function hasSeats(now: SQL): SQL {
  const waiting = (column: string, where: SQL): SQL =>
    sql`COALESCE((SELECT ${sql.raw(column)} FROM event_waiting w WHERE w.event_id = events.id AND w.person_id = placed.person_id AND ${where}), 0)`;
  const offered = waiting("w.offered_quantity", sql`w.offer_ends_at > ${now}`);
  const isFree = sql`(events.capacity IS NULL OR events.capacity - events.seats_taken - events.seats_held - events.seats_offered + ${offered} >= placed.quantity)`;
  const isKindFree = sql`(ticket.capacity IS NULL OR ticket.capacity - ticket.seats_taken - ticket.seats_held >= placed.quantity)`;
  const nobodyWaits = sql`(events.capacity IS NULL OR events.starts_at <= ${now} OR ${offered} >= placed.quantity
    OR ${isRetried(now)} OR events.waiting_count <= ${waiting("1", sql`w.offer_ends_at IS NULL`)})`;
  const isApproved = sql`(events.needs_approval = 0 OR ${offered} >= placed.quantity OR ${isRetried(now)})`;
  return sql`(placed.status = 'held' OR (${isFree} AND ${isKindFree} AND ${nobodyWaits} AND ${isApproved}))`;
}

/** `ticket` is on sale. */
export const isKindOnSale = (now: SQL): SQL =>
  sql`(ticket.retired_at IS NULL AND ticket.price_cents > 0 AND (ticket.sale_starts_at IS NULL OR ticket.sale_starts_at <= ${now}) AND (ticket.sale_ends_at IS NULL OR ticket.sale_ends_at > ${now}))`;

const isWithinMost: SQL = sql`(SELECT COUNT(*) FROM event_seats own WHERE own.person_id = placed.person_id AND own.status = 'taken' AND own.event_id = events.id) + placed.quantity <= events.max_per_person`;

/**
 * The order may be bought by its person at `now`, if it finds its seats: a running payment keeps
 * its right, another needs the kind on sale, the event open to them, and few enough seats.
 */
export function isOrderSold(personId: string, now: Instant, adultSpaces: boolean): SQL {
  const at = sql`${now}`;
  return sql`(placed.person_id = ${personId} AND ${eventGoesOn(at)} AND ${eventListableTo(personId, adultSpaces)}
    AND (placed.status = 'held' OR (placed.status = 'open' AND ${isKindOnSale(at)} AND ${isWithinMost} AND ${eventOpenTo(personId, now)})))`;
}

/** SQL condition on `purchases`: its tickets are for an event that takes place. */
export const areTicketsThere = (purchaseKind: SQL, orderId: SQL, now: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM ${PLACED_ORDER} WHERE ${purchaseKind} = 'event' AND placed.id = ${orderId} AND ${eventGoesOn(now)})`;

/** SQL condition on `purchases`: a late payment still finds its seats. */
export const areTicketsSold = (purchaseKind: SQL, orderId: SQL, now: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM ${PLACED_ORDER} WHERE ${purchaseKind} = 'event' AND placed.id = ${orderId} AND placed.status IN ('open', 'held')
    AND (placed.status = 'held' OR (ticket.retired_at IS NULL AND ${isWithinMost})) AND ${hasSeats(now)})`;

/**
 * When the event of bought tickets begins, or its first buyer entered; null for other purchases.
 * From then on nothing is refunded by itself.
 */
export const eventStartsAt = sql<Instant | null>`(SELECT MIN(taking.starts_at, COALESCE((SELECT MIN(seat.checked_in_at) FROM event_seats seat WHERE seat.order_id = placed.id), taking.starts_at))
  FROM event_orders placed JOIN events taking ON taking.id = placed.event_id WHERE ${purchases.kind} = 'event' AND placed.id = ${purchases.targetId})`;

/** Loads `eventStartsAt` of one purchase. */
export async function purchaseStartsAt(
  ctx: Context,
  { id, kind }: Pick<Purchase, "id" | "kind">,
): Promise<Instant | null> {
  if (kind !== "event") return null;
  const [row] = await ctx.db
    .select({ startsAt: eventStartsAt.as("event_starts_at") })
    .from(purchases)
    .where(eq(purchases.id, id))
    .limit(1);
  return row?.startsAt ?? null;
}

/** SQL condition on `purchases`: tickets of an event that is over. They stay bought. */
export const isOfPastEvent = (now: Instant): SQL =>
  sql`(${purchases.kind} = 'event' AND EXISTS (SELECT 1 FROM event_orders placed JOIN events past ON past.id = placed.event_id WHERE placed.id = ${purchases.targetId} AND past.status = 'published' AND past.ends_at <= ${now}))`;

/** Whether a ticket of the purchase belongs to somebody else than who paid. */
export async function arePassedOn(
  ctx: Context,
  { kind, targetId, personId }: Pick<Purchase, "kind" | "targetId" | "personId">,
): Promise<boolean> {
  if (kind !== "event") return false;
  const rows = await ctx.db.all(
    sql`SELECT seat.id FROM event_seats seat WHERE seat.order_id = ${targetId} AND seat.status = 'taken' AND seat.person_id <> ${personId} LIMIT 1`,
  );
  return rows.length > 0;
}
