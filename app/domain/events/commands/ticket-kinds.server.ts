import { and, eq, isNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { commit, guardStatement, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { RuleViolation, StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { effectiveCapacityStatement } from "#app/domain/events/commands/capacity.server.ts";
import { hasPurchase } from "#app/domain/events/commands/orders.server.ts";
import { livingEvent } from "#app/domain/events/commands/living.server.ts";
import { moveWaitingListQuietly } from "#app/domain/events/commands/waiting.server.ts";
import {
  KindCapacityBelowSeats,
  TicketKindNamed,
  TicketKindNotFound,
  TooFewSeatsLeft,
  TooManyTicketKinds,
} from "#app/domain/events/errors.ts";
import { editableEvent } from "#app/domain/events/queries/editable.server.ts";
import { ticketKindsOf } from "#app/domain/events/queries/ticket-kinds.server.ts";
import { TICKET_KINDS_MAX } from "#app/domain/events/rules.ts";
import type { TicketKindInput } from "#app/domain/events/schema.ts";
import { eventOrders, events, eventTicketKinds } from "#drizzle/schema/events.ts";

type OwnEvent = { eventId: string; creatorId: string };
type OwnKind = OwnEvent & { kindId: string };

/**
 * Adds a kind of ticket to an event: from then on no seat is taken without a kind. Refuses
 * EventNotFound, EventCanceled, EventOver, TicketKindNamed and TooManyTicketKinds (20).
 */
export async function createTicketKind(
  ctx: Context,
  { eventId, creatorId, ...input }: OwnEvent & TicketKindInput,
): Promise<{ kindId: string }> {
  await livingEvent(ctx, { eventId, creatorId });
  const kinds = await ticketKindsOf(ctx, { eventId });
  if (kinds.filter(({ retiredAt }) => retiredAt === null).length >= TICKET_KINDS_MAX)
    throw new TooManyTicketKinds();
  const kindId = ctx.newId();
  const now = ctx.now();
  try {
    await commit(ctx.db, [
      nameIsFreeStatement(ctx, { eventId, kindId, name: input.name }),
      ctx.db.insert(eventTicketKinds).values({
        ...contentOf(input),
        id: kindId,
        eventId,
        createdAt: now,
        updatedAt: now,
      }),
      ...eventStatements(ctx, { eventId }),
    ]);
  } catch (error) {
    if (error instanceof StaleWrite) throw new TicketKindNamed();
    throw await unlessFull(ctx, error, { eventId, creatorId });
  }
  return { kindId };
}

/**
 * Changes a kind of ticket. Who bought keeps their ticket and paid what they paid; who chose and
 * has not begun to pay sees the new price. Refuses EventNotFound, EventCanceled, EventOver,
 * TicketKindNotFound, TicketKindNamed, KindCapacityBelowSeats and TooFewSeatsLeft.
 */
export async function updateTicketKind(
  ctx: Context,
  { eventId, creatorId, kindId, ...input }: OwnKind & TicketKindInput,
): Promise<void> {
  await livingEvent(ctx, { eventId, creatorId });
  await livingKind(ctx, { eventId, kindId });
  try {
    await commit(ctx.db, [
      nameIsFreeStatement(ctx, { eventId, kindId, name: input.name }),
      mustChangeOne(
        ctx.db
          .update(eventTicketKinds)
          .set({ ...contentOf(input), updatedAt: ctx.now() })
          .where(isLiving({ eventId, kindId })),
      ),
      ...openOrdersStatements(ctx, { kindId, priceCents: input.price }),
      ...eventStatements(ctx, { eventId }),
    ]);
  } catch (error) {
    if (error instanceof StaleWrite) throw new TicketKindNamed();
    if (!(error instanceof RuleViolation) || error.rule !== "event_full") throw error;
    const { seatsTaken, seatsHeld } = await livingKind(ctx, { eventId, kindId });
    if (input.kindCapacity !== null && input.kindCapacity < seatsTaken + seatsHeld)
      throw new KindCapacityBelowSeats(seatsTaken + seatsHeld);
    throw await unlessFull(ctx, error, { eventId, creatorId });
  }
  await moveWaitingListQuietly(ctx, { eventId });
}

/**
 * Ends the sale of a kind for good; its tickets stay valid. A kind of a draft is deleted: on a
 * published event its row keeps the event from becoming free. Safe to repeat. Refuses
 * EventNotFound, EventCanceled, EventOver and TooFewSeatsLeft.
 */
export async function retireTicketKind(
  ctx: Context,
  { eventId, creatorId, kindId }: OwnKind,
): Promise<void> {
  await livingEvent(ctx, { eventId, creatorId });
  const isUnused = sql`NOT EXISTS (SELECT 1 FROM event_seats s WHERE s.event_id = ${eventId} AND s.ticket_kind_id = ${kindId})
    AND NOT EXISTS (SELECT 1 FROM event_orders o WHERE o.event_id = ${eventId} AND o.ticket_kind_id = ${kindId})
    AND EXISTS (SELECT 1 FROM events e WHERE e.id = ${eventId} AND e.status = 'draft')`;
  const retired = commit(ctx.db, [
    ctx.db.delete(eventTicketKinds).where(and(isLiving({ eventId, kindId }), isUnused)),
    ctx.db
      .update(eventTicketKinds)
      .set({ retiredAt: ctx.now(), updatedAt: ctx.now() })
      .where(isLiving({ eventId, kindId })),
    ...eventStatements(ctx, { eventId }),
  ]);
  await retired.catch(async (error: unknown) => {
    throw await unlessFull(ctx, error, { eventId, creatorId });
  });
}

/** Says that the seats which are gone do not fit; any other fault stays what it is. */
async function unlessFull(ctx: Context, error: unknown, own: OwnEvent): Promise<unknown> {
  if (!(error instanceof RuleViolation) || error.rule !== "event_full") return error;
  const saved = await editableEvent(ctx, own);
  const { seatsTaken = 0, seatsHeld = 0, seatsOffered = 0 } = saved ?? {};
  return new TooFewSeatsLeft(seatsTaken + seatsHeld + seatsOffered);
}

const isLiving = ({ eventId, kindId }: { eventId: string; kindId: string }) =>
  and(
    eq(eventTicketKinds.id, kindId),
    eq(eventTicketKinds.eventId, eventId),
    isNull(eventTicketKinds.retiredAt),
  );

async function livingKind(ctx: Context, { eventId, kindId }: Omit<OwnKind, "creatorId">) {
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

function nameIsFreeStatement(
  ctx: Context,
  { eventId, kindId, name }: { eventId: string; kindId: string; name: string },
): BatchWrite {
  return guardStatement(
    ctx.db,
    sql`NOT EXISTS (SELECT 1 FROM event_ticket_kinds other WHERE other.event_id = ${eventId} AND other.id <> ${kindId} AND other.name = ${name} AND other.retired_at IS NULL)`,
  );
}

/**
 * A choice that nobody began to pay follows the price; of a free kind nothing is left to pay. One
 * whose code may still be paid late is closed.
 */
function openOrdersStatements(
  ctx: Context,
  { kindId, priceCents }: { kindId: string; priceCents: number },
): BatchWrite[] {
  const isOpen = sql`${eventOrders.ticketKindId} = ${kindId} AND ${eventOrders.status} = 'open' AND ${eventOrders.unitPriceCents} <> ${priceCents}`;
  return [
    ctx.db
      .update(eventOrders)
      .set({ status: "canceled" })
      .where(sql`${isOpen} AND ${hasPurchase}`),
    priceCents === 0
      ? ctx.db.delete(eventOrders).where(isOpen)
      : ctx.db.update(eventOrders).set({ unitPriceCents: priceCents }).where(isOpen),
  ];
}

/** What an event shows of its kinds: the lowest price, and the seats in all. */
function eventStatements(ctx: Context, { eventId }: { eventId: string }): BatchWrite[] {
  const lowest: SQL<number> = sql`(SELECT MIN(kind.price_cents) FROM event_ticket_kinds kind WHERE kind.event_id = ${eventId} AND kind.retired_at IS NULL)`;
  return [
    ctx.db.update(events).set({ priceFromCents: lowest }).where(eq(events.id, eventId)),
    effectiveCapacityStatement(ctx, { eventId }),
  ];
}
