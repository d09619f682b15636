import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { commit, guardStatement } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { RuleViolation, StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { effectiveCapacityStatement } from "#app/domain/events/capacity/commands.server.ts";
import { datesOfScope } from "#app/domain/events/dates/commands.server.ts";
import { closedOrdersStatements, hasPurchase } from "./orders.server.ts";
import { livingEvent } from "#app/domain/events/dates/commands/living.server.ts";
import { moveWaitingListQuietly } from "#app/domain/events/waiting-list/commands.server.ts";
import {
  KindCapacityBelowSeats,
  TicketKindNamed,
  TicketKindNotFound,
  TooFewSeatsLeft,
  TooManyTicketKinds,
} from "#app/domain/events/errors.ts";
import { editableEvent } from "#app/domain/events/queries/editable.server.ts";
import { ticketKindsOf } from "#app/domain/events/tickets/queries/ticket-kinds.server.ts";
import { TICKET_KINDS_MAX } from "#app/domain/events/rules.ts";
import type { TicketKindInput } from "#app/domain/events/tickets/schema.ts";
import { TooFewSeatsOnOtherDate } from "#app/domain/events/series/errors.ts";
import type { Scope } from "#app/domain/events/series/rules.ts";
import { UNDO_MS } from "#app/domain/time.ts";
import { eventOrders, events, eventTicketKinds } from "#drizzle/schema/events.ts";

type OwnEvent = { eventId: string; creatorId: string };
/** `scope` says which dates of a repeating event; only this one where it is left out. */
type Scoped = OwnEvent & { scope?: Scope };
type OwnKind = Scoped & { kindId: string };

/**
 * Adds a kind of ticket to an event, and to the other dates of `scope` that have none of its name
 * and room for it: from then on no seat of theirs is taken without a kind. The times of its sale
 * are as long before the start of each date. Refuses EventNotFound, EventCanceled, EventOver,
 * TicketKindNamed, TooManyTicketKinds (20), TooFewSeatsLeft and TooFewSeatsOnOtherDate.
 */
export async function createTicketKind(
  ctx: Context,
  { eventId, creatorId, scope = "one", ...input }: Scoped & TicketKindInput,
): Promise<{ kindId: string }> {
  const saved = await livingEvent(ctx, { eventId, creatorId });
  const kinds = await ticketKindsOf(ctx, { eventId });
  if (kinds.filter(({ retiredAt }) => retiredAt === null).length >= TICKET_KINDS_MAX)
    throw new TooManyTicketKinds();
  const kindId = ctx.newId();
  const now = ctx.now();
  const dates = datesOfScope(ctx, saved, { creatorId, scope });
  try {
    await commit(ctx.db, [
      nameIsFreeStatement(ctx, sql`events.id = ${eventId}`, { name: input.name, was: null }),
      ctx.db.insert(eventTicketKinds).values({
        ...contentOf(input),
        id: kindId,
        eventId,
        createdAt: now,
        updatedAt: now,
      }),
      ...(scope === "one" ? [] : [otherDatesKindStatement(ctx, { kindId, eventId, dates })]),
      ...eventStatements(ctx, dates),
    ]);
  } catch (error) {
    if (error instanceof StaleWrite) throw new TicketKindNamed();
    throw await unlessFull(ctx, error, { eventId, creatorId, scope });
  }
  return { kindId };
}

/**
 * Changes a kind of ticket, and the kinds of its name at the other dates of `scope`. Who bought
 * keeps their ticket and paid what they paid; who chose and has not begun to pay sees the new
 * price. Refuses EventNotFound, EventCanceled, EventOver, TicketKindNotFound, TicketKindNamed,
 * KindCapacityBelowSeats, TooFewSeatsLeft and TooFewSeatsOnOtherDate.
 */
export async function updateTicketKind(
  ctx: Context,
  { eventId, creatorId, kindId, scope = "one", ...input }: OwnKind & TicketKindInput,
): Promise<void> {
  const saved = await livingEvent(ctx, { eventId, creatorId });
  const { name } = await livingKind(ctx, { eventId, kindId });
  const dates = datesOfScope(ctx, saved, { creatorId, scope });
  const which = namedKinds(dates, { kindId, name });
  try {
    await commit(ctx.db, [
      nameIsFreeStatement(ctx, dates, { name: input.name, was: name }),
      // The orders first: the change may give the kinds another name.
      ...openOrdersStatements(ctx, { which, priceCents: input.price }),
      guardStatement(
        ctx.db,
        sql`EXISTS (SELECT 1 FROM event_ticket_kinds kind WHERE kind.id = ${kindId} AND kind.retired_at IS NULL)`,
      ),
      ctx.db
        .update(eventTicketKinds)
        .set({
          ...contentOf(input),
          saleStartsAt: onEachDate(input.saleStartsAt, saved),
          saleEndsAt: onEachDate(input.saleEndsAt, saved),
          updatedAt: ctx.now(),
        })
        .where(sql`${eventTicketKinds.id} IN ${which}`),
      ...eventStatements(ctx, dates),
    ]);
  } catch (error) {
    if (error instanceof StaleWrite) throw new TicketKindNamed();
    if (!(error instanceof RuleViolation) || error.rule !== "event_full") throw error;
    const { seatsTaken, seatsHeld } = await livingKind(ctx, { eventId, kindId });
    if (input.kindCapacity !== null && input.kindCapacity < seatsTaken + seatsHeld)
      throw new KindCapacityBelowSeats(seatsTaken + seatsHeld);
    throw await unlessFull(ctx, error, { eventId, creatorId, scope });
  }
  await moveWaitingListQuietly(ctx, { eventId });
}

/**
 * Ends the sale of a kind, and of the kinds of its name at the other dates of `scope`; their
 * tickets stay valid. A kind of a draft is deleted: on a published event its row keeps the event
 * from becoming free, and `restoreTicketKind` takes it back for ten minutes. Safe to repeat.
 * Refuses EventNotFound, EventCanceled, EventOver, TooFewSeatsLeft and TooFewSeatsOnOtherDate.
 */
export async function retireTicketKind(
  ctx: Context,
  { eventId, creatorId, kindId, scope = "one" }: OwnKind,
): Promise<void> {
  const saved = await livingEvent(ctx, { eventId, creatorId });
  const kind = (await ticketKindsOf(ctx, { eventId })).find(({ id }) => id === kindId);
  const dates = datesOfScope(ctx, saved, { creatorId, scope });
  const isChosen = sql`${eventTicketKinds.id} IN ${namedKinds(dates, { kindId, name: kind?.name ?? "" })}`;
  const isUnused = sql`NOT EXISTS (SELECT 1 FROM event_seats s WHERE s.event_id = event_ticket_kinds.event_id AND s.ticket_kind_id = event_ticket_kinds.id)
    AND NOT EXISTS (SELECT 1 FROM event_orders o WHERE o.event_id = event_ticket_kinds.event_id AND o.ticket_kind_id = event_ticket_kinds.id)
    AND EXISTS (SELECT 1 FROM events e WHERE e.id = event_ticket_kinds.event_id AND e.status = 'draft')`;
  const retired = commit(ctx.db, [
    ctx.db.delete(eventTicketKinds).where(sql`${isChosen} AND ${isUnused}`),
    ctx.db
      .update(eventTicketKinds)
      .set({ retiredAt: ctx.now(), updatedAt: ctx.now() })
      .where(isChosen),
    ...eventStatements(ctx, dates),
  ]);
  await retired.catch(async (error: unknown) => {
    throw await unlessFull(ctx, error, { eventId, creatorId, scope });
  });
}

/**
 * Takes a retirement back within ten minutes: the kind is on sale again, and so are those that left
 * the sale with it at other dates. Refuses EventNotFound, EventCanceled, EventOver,
 * TicketKindNotFound after ten minutes and for a deleted kind, TicketKindNamed, and
 * TooManyTicketKinds (20).
 */
export async function restoreTicketKind(
  ctx: Context,
  { eventId, creatorId, kindId }: OwnEvent & { kindId: string },
): Promise<void> {
  const saved = await livingEvent(ctx, { eventId, creatorId });
  const kinds = await ticketKindsOf(ctx, { eventId });
  const kind = kinds.find(({ id }) => id === kindId);
  if (!kind?.retiredAt || kind.retiredAt <= ctx.now() - UNDO_MS) throw new TicketKindNotFound();
  const onSale = kinds.filter(({ retiredAt }) => retiredAt === null);
  if (onSale.length >= TICKET_KINDS_MAX) throw new TooManyTicketKinds();
  const dates = datesOfScope(ctx, saved, { creatorId, scope: "all" });
  const others = sql`FROM event_ticket_kinds other WHERE other.event_id = event_ticket_kinds.event_id AND other.retired_at IS NULL`;
  try {
    await commit(ctx.db, [
      guardStatement(
        ctx.db,
        sql`EXISTS (SELECT 1 FROM event_ticket_kinds WHERE event_ticket_kinds.id = ${kindId} AND NOT EXISTS (SELECT 1 ${others} AND other.name = ${kind.name}))`,
      ),
      ctx.db
        .update(eventTicketKinds)
        .set({ retiredAt: null, updatedAt: ctx.now() })
        .where(
          sql`${eventTicketKinds.eventId} IN (SELECT events.id FROM events WHERE ${dates}) AND ${eventTicketKinds.name} = ${kind.name} AND ${eventTicketKinds.retiredAt} = ${kind.retiredAt}
            AND NOT EXISTS (SELECT 1 ${others} AND other.name = ${kind.name}) AND (SELECT COUNT(*) ${others}) < ${TICKET_KINDS_MAX}`,
        ),
      ...eventStatements(ctx, dates),
    ]);
  } catch (error) {
    throw error instanceof StaleWrite ? new TicketKindNamed() : error;
  }
}

/** Says that the seats which are gone do not fit; any other fault stays what it is. */
async function unlessFull(
  ctx: Context,
  error: unknown,
  { scope, ...own }: OwnEvent & { scope: Scope },
): Promise<unknown> {
  if (!(error instanceof RuleViolation) || error.rule !== "event_full") return error;
  if (scope !== "one") return new TooFewSeatsOnOtherDate();
  const saved = await editableEvent(ctx, own);
  const { seatsTaken = 0, seatsHeld = 0, seatsOffered = 0 } = saved ?? {};
  return new TooFewSeatsLeft(seatsTaken + seatsHeld + seatsOffered);
}

/** The ids of the kinds on sale at the events of `dates` that are `kindId`, or have its name. */
const namedKinds = (dates: SQL, { kindId, name }: { kindId: string; name: string }): SQL =>
  sql`(SELECT kind.id FROM events JOIN event_ticket_kinds kind ON kind.event_id = events.id WHERE ${dates} AND kind.retired_at IS NULL AND (kind.id = ${kindId} OR kind.name = ${name}))`;

/** A time of the sale at each date: as long before its start as at the event of the form. */
const onEachDate = (at: number | null, { startsAt }: { startsAt: number }): SQL | null =>
  at === null
    ? null
    : sql`CAST(${at - startsAt} AS INTEGER) + (SELECT one.starts_at FROM events one WHERE one.id = event_ticket_kinds.event_id)`;

/** Builds the statement that gives the new kind to the other events of `dates`. */
function otherDatesKindStatement(
  ctx: Context,
  { kindId, eventId, dates }: { kindId: string; eventId: string; dates: SQL },
): BatchWrite {
  return ctx.db.run(
    sql`INSERT INTO event_ticket_kinds (id, event_id, name, price_cents, capacity, sale_starts_at, sale_ends_at, created_at, updated_at)
      SELECT lower(hex(randomblob(16))), events.id, kind.name, kind.price_cents, kind.capacity, kind.sale_starts_at + events.starts_at - source.starts_at, kind.sale_ends_at + events.starts_at - source.starts_at, kind.created_at, kind.updated_at
      FROM event_ticket_kinds kind JOIN events source ON source.id = kind.event_id JOIN events ON ${dates}
      WHERE kind.id = ${kindId} AND events.id <> ${eventId}
        AND NOT EXISTS (SELECT 1 FROM event_ticket_kinds has WHERE has.event_id = events.id AND has.name = kind.name AND has.retired_at IS NULL)
        AND (SELECT COUNT(*) FROM event_ticket_kinds has WHERE has.event_id = events.id AND has.retired_at IS NULL) < ${TICKET_KINDS_MAX}`,
  ) as unknown as BatchWrite;
}

async function livingKind(ctx: Context, { eventId, kindId }: { eventId: string; kindId: string }) {
  const kind = (await ticketKindsOf(ctx, { eventId })).find(({ id }) => id === kindId);
  if (!kind || kind.retiredAt !== null) throw new TicketKindNotFound();
  return kind;
}

const contentOf = ({ name, price, kindCapacity, saleStartsAt, saleEndsAt }: TicketKindInput) => ({
  name,
  priceCents: price,
  capacity: kindCapacity,
  saleStartsAt,
  saleEndsAt,
});

/** No other kind on sale at the events of `dates` has the name. `was` is the kind's name so far. */
function nameIsFreeStatement(
  ctx: Context,
  dates: SQL,
  { name, was }: { name: string; was: string | null },
): BatchWrite {
  return guardStatement(
    ctx.db,
    sql`(${name} = ${was} OR NOT EXISTS (SELECT 1 FROM events JOIN event_ticket_kinds other ON other.event_id = events.id WHERE ${dates} AND other.name = ${name} AND other.retired_at IS NULL))`,
  );
}

/**
 * A choice that nobody began to pay follows the price; of a free kind nothing is left to pay. One
 * whose code may still be paid late is closed.
 */
function openOrdersStatements(
  ctx: Context,
  { which, priceCents }: { which: SQL; priceCents: number },
): BatchWrite[] {
  const isOpen = sql`${eventOrders.ticketKindId} IN ${which} AND ${eventOrders.status} = 'open' AND ${eventOrders.unitPriceCents} <> ${priceCents}`;
  return [
    ...closedOrdersStatements(ctx, sql`${isOpen} AND ${hasPurchase}`),
    priceCents === 0
      ? ctx.db.delete(eventOrders).where(isOpen)
      : ctx.db.update(eventOrders).set({ unitPriceCents: priceCents }).where(isOpen),
  ];
}

/** What events show of their kinds: the lowest price, and the seats in all. */
function eventStatements(ctx: Context, dates: SQL): BatchWrite[] {
  const lowest: SQL<number> = sql`(SELECT MIN(kind.price_cents) FROM event_ticket_kinds kind WHERE kind.event_id = events.id AND kind.retired_at IS NULL)`;
  return [
    ctx.db.update(events).set({ priceFromCents: lowest }).where(dates),
    effectiveCapacityStatement(ctx, { which: dates }),
  ];
}
