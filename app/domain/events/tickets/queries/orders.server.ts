import { and, eq, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { eventOrders, events, eventSeats } from "#drizzle/schema/events.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { purchases } from "#drizzle/schema/purchases.ts";

type PersonAtEvent = { eventId: string; personId: string };

/** Reads where an order of this person leads; null if it is not theirs. */
export async function orderOf(
  ctx: Context,
  { orderId, personId }: { orderId: string; personId: string },
) {
  const [row] = await ctx.db
    .select({ eventId: eventOrders.eventId, status: eventOrders.status })
    .from(eventOrders)
    .where(and(eq(eventOrders.id, orderId), eq(eventOrders.personId, personId)))
    .limit(1);
  return row ?? null;
}

/** Reads the choice of a person that is not paid for yet; the database allows one per event. */
export async function openOrder(ctx: Context, { eventId, personId }: PersonAtEvent) {
  const [row] = await ctx.db
    .select({ id: eventOrders.id })
    .from(eventOrders)
    .where(
      and(
        eq(eventOrders.eventId, eventId),
        eq(eventOrders.personId, personId),
        sql`${eventOrders.status} IN ('open', 'held')`,
      ),
    )
    .limit(1);
  return row ?? null;
}

/** A paid order at an event, with what decides the refund of its tickets. */
export type PaidOrder = {
  orderId: string;
  /** Who paid, and is refunded: also of a ticket that they passed on. */
  payerId: string;
  purchaseId: string;
  charge: Charge;
  unitPriceCents: number;
  refundHours: number | null;
  boughtAt: Instant;
  startsAt: Instant;
  movedAt: Instant | null;
  /** Its seats that are taken, and those of them whose person is inside. */
  seats: number;
};

/**
 * Reads paid orders at an event whose purchases still hold: those of a person, or those with these
 * ids.
 */
export async function paidOrders(
  ctx: Context,
  { eventId, ...whose }: { eventId: string } & ({ personId: string } | { orderIds: string[] }),
): Promise<PaidOrder[]> {
  const isTheirs =
    "personId" in whose
      ? eq(eventOrders.personId, whose.personId)
      : sql`event_orders.id IN (SELECT value FROM json_each(${JSON.stringify(whose.orderIds)}))`;
  const rows = await ctx.db
    .select({
      orderId: sql<string>`event_orders.id`.as("order_id"),
      payerId: eventOrders.personId,
      purchaseId: sql<string>`purchases.id`.as("purchase_id"),
      charge: charges,
      unitPriceCents: eventOrders.unitPriceCents,
      refundHours: sql<number | null>`event_orders.refund_hours`.as("order_refund_hours"),
      boughtAt: sql<Instant>`${purchases.boughtAt}`.as("order_bought_at"),
      startsAt: events.startsAt,
      movedAt: events.movedAt,
      seats:
        sql<number>`(SELECT COUNT(*) FROM ${eventSeats} WHERE event_seats.order_id = event_orders.id AND event_seats.status = 'taken')`.as(
          "order_seats",
        ),
    })
    .from(eventOrders)
    .innerJoin(events, eq(events.id, eventOrders.eventId))
    .innerJoin(
      purchases,
      and(
        eq(purchases.targetId, eventOrders.id),
        eq(purchases.personId, eventOrders.personId),
        sql`${purchases.kind} = 'event'`,
        sql`${purchases.boughtAt} IS NOT NULL`,
        sql`${purchases.endedAt} IS NULL`,
      ),
    )
    .innerJoin(charges, eq(charges.id, purchases.chargeId))
    .where(and(eq(eventOrders.eventId, eventId), isTheirs, sql`${eventOrders.status} = 'paid'`));
  return rows.map(({ charge, ...order }) => ({ ...order, charge: charge as Charge }));
}
