import { and, eq, gt, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { guardStatement, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { handlerOfPart } from "#app/domain/payments/purchase-handlers/commands.server.ts";
import type { PurchaseHandler } from "#app/domain/payments/purchase-handlers/commands.server.ts";
import { loadPurchaseSnapshot } from "#app/domain/purchases/queries.server.ts";
import type { SinglePurchaseSnapshot } from "#app/domain/purchases/queries.server.ts";
import { singlePurchaseHandler } from "#app/domain/purchases/single-purchases/commands/single-kind.server.ts";
import {
  areTicketsSold,
  areTicketsThere,
  hasSeats,
  isKindOnSale,
  isOrderSold,
  PLACED_ORDER,
} from "#app/domain/purchases/single-purchases/queries/event-seats.server.ts";
import type { Purchase } from "#app/domain/purchases/schema.ts";
import { HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { randomToken } from "#app/lib/secrets.ts";
import { ticketCodeFromHex } from "#app/lib/ticket-code.ts";
import { eventOrders, eventSeats, eventWaiting } from "#drizzle/schema/events.ts";

/** How long the seats of a canceled payment wait for the next one: it begins in the same request. */
const SWITCH_MS = MINUTE_MS;

const tickets: PurchaseHandler<SinglePurchaseSnapshot | null> = {
  ...singlePurchaseHandler,
  openedStatements: (ctx, { targetId, payerId }) =>
    ticketHoldStatements(ctx, { orderId: targetId, memberId: payerId }),
  switchStatements: (ctx, { targetId, payerId }) => [
    convertHoldStatement(ctx, { orderId: targetId, personId: payerId }),
  ],
  async settlement(ctx, charge, answer, given) {
    const snapshot = given ?? (await loadPurchaseSnapshot(ctx, { purchaseId: charge.purchaseId }));
    const settlement = await singlePurchaseHandler.settlement(ctx, charge, answer, snapshot);
    if (settlement?.kind !== "paid" || !snapshot?.tickets) return settlement;
    const { endsAt, quantity } = snapshot.tickets;
    return {
      ...settlement,
      // The hold starts at the end of the event, and lasts a day.
      isRenewal: true,
      beginsAt: endsAt,
      extraWrites: [
        ticketsThereStatement(ctx, snapshot.purchase, endsAt),
        leavesListStatement(ctx, {
          orderId: snapshot.purchase.targetId,
          personId: snapshot.purchase.personId,
        }),
        ...settlement.extraWrites,
        ...ticketStatements(ctx, snapshot.purchase, quantity),
        // The names are on the tickets now.
        ctx.db
          .update(eventOrders)
          .set({ names: [] })
          .where(eq(eventOrders.id, snapshot.purchase.targetId)),
      ],
    };
  },
};

/**
 * Handler of tickets: a single purchase that holds seats while it can be paid, and gives them when
 * it is. Its money is released a day after the event.
 */
export const ticketHandler = handlerOfPart(
  (snapshot) => (snapshot.single ?? null) as SinglePurchaseSnapshot | null,
  tickets,
);

/**
 * Builds the statements that precede a purchase of tickets in its batch. Stale unless the order
 * finds its seats and its person may buy it now. What was offered to them is free in this batch;
 * its row stays, and a trigger gives the offer back if the payment ends unpaid. Without an offer
 * they leave the waiting list. The INSERT of the purchase then holds the seats, by a trigger;
 * another trigger refuses a hold above the capacity (`event_full`).
 */
function ticketHoldStatements(
  ctx: Context,
  { orderId, memberId }: { orderId: string; memberId: string },
): BatchWrite[] {
  const now = ctx.now();
  return [
    guardStatement(
      ctx.db,
      sql`EXISTS (SELECT 1 FROM ${PLACED_ORDER} WHERE placed.id = ${orderId} AND (placed.status = 'open' OR placed.switch_ends_at IS NOT NULL)
        AND ${isOrderSold(memberId, now, ctx.settings.adultSpaces)} AND ${hasSeats(sql`${now}`)})`,
    ),
    ctx.db
      .update(eventWaiting)
      .set({ offeredQuantity: 0 })
      .where(and(isWaiting({ orderId, personId: memberId }), gt(eventWaiting.offerEndsAt, now))),
    ctx.db
      .delete(eventWaiting)
      .where(
        and(
          isWaiting({ orderId, personId: memberId }),
          sql`(${eventWaiting.offerEndsAt} IS NULL OR ${eventWaiting.offerEndsAt} <= ${now})`,
        ),
      ),
  ];
}

/**
 * Builds the statement that keeps the seats of a held order through a change of payment method. The
 * next payment ends the waiting; `events.end_switches` frees what no payment took over. Not for
 * more than an hour after the choice, nor after the end of the sale: seats are not held for ever
 * unpaid.
 */
function convertHoldStatement(ctx: Context, { orderId, personId }: OrderOfPerson): BatchWrite {
  return ctx.db
    .update(eventOrders)
    .set({ switchEndsAt: ctx.now() + SWITCH_MS })
    .where(
      and(
        eq(eventOrders.id, orderId),
        eq(eventOrders.personId, personId),
        eq(eventOrders.status, "held"),
        gt(eventOrders.createdAt, ctx.now() - HOUR_MS),
        sql`EXISTS (SELECT 1 FROM event_ticket_kinds ticket WHERE ticket.id = ${eventOrders.ticketKindId} AND ${isKindOnSale(sql`${ctx.now()}`)})`,
      ),
    );
}

type OrderOfPerson = { orderId: string; personId: string };

/** SQL condition on `event_waiting`: the row of the person at the event of the order. */
const isWaiting = ({ orderId, personId }: OrderOfPerson): SQL =>
  sql`(${eventWaiting.personId} = ${personId} AND ${eventWaiting.eventId} = (SELECT placed.event_id FROM event_orders placed WHERE placed.id = ${orderId}))`;

/** What was offered to the person is free for their order in the same batch. */
function leavesListStatement(ctx: Context, order: OrderOfPerson): BatchWrite {
  return ctx.db.delete(eventWaiting).where(isWaiting(order));
}

/**
 * Builds the statement that precedes the payment of an order in its batch. Stale if the event no
 * longer takes place, was moved since it was read, or if the hold ended and the seats are gone: the
 * payment is decided again.
 */
function ticketsThereStatement(
  ctx: Context,
  { id }: Pick<Purchase, "id">,
  endsAt: Instant,
): BatchWrite {
  const [kind, orderId, now] = [sql`bought.kind`, sql`bought.target_id`, sql`${ctx.now()}`];
  return guardStatement(
    ctx.db,
    sql`EXISTS (SELECT 1 FROM purchases bought WHERE bought.id = ${id} AND ${areTicketsThere(kind, orderId, now)} AND ${areTicketsSold(kind, orderId, now)}
      AND EXISTS (SELECT 1 FROM event_orders placed JOIN events taking ON taking.id = placed.event_id WHERE placed.id = bought.target_id AND taking.ends_at = ${endsAt}))`,
  );
}

/** Builds the statements that give the buyer of an order its seats, each with a code of its own. */
function ticketStatements(
  ctx: Context,
  { targetId: orderId, personId }: Pick<Purchase, "targetId" | "personId">,
  quantity: number,
): BatchWrite[] {
  return Array.from({ length: quantity }, (_, index) =>
    mustChangeOne(
      ctx.db
        .insert(eventSeats)
        .select(
          sql`SELECT ${ctx.newId()}, placed.event_id, ${personId}, 'taken', ${ticketCodeFromHex(randomToken())}, CAST(${ctx.now()} AS INTEGER), NULL, NULL, NULL, placed.ticket_kind_id, placed.id, json_extract(placed.names, ${`$[${index}]`}), placed.answers_id, NULL FROM event_orders placed WHERE placed.id = ${orderId}`,
        ),
    ),
  );
}
