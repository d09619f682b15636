import { and, eq, isNull, sql } from "drizzle-orm";
import { commit, guardStatement } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import type { Context } from "#app/domain/context.ts";
import { moveWaitingListQuietly } from "#app/domain/events/waiting-list/commands.server.ts";
import { NothingToCancel, SeatUnderDispute } from "#app/domain/events/errors.ts";
import { paidOrders } from "#app/domain/events/tickets/queries/orders.server.ts";
import type { PaidOrder } from "#app/domain/events/tickets/queries/orders.server.ts";
import { ticketRefundUntil } from "#app/domain/events/rules/tickets.ts";
import type { Cents } from "#app/domain/money.ts";
import { refundableCents } from "#app/domain/payments/queries.server.ts";
import {
  refundNow,
  requestRefundStatement,
} from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { isRefundable } from "#app/domain/payments/rules.ts";
import { purchaseEndedStatement } from "#app/domain/purchases/single-purchases/commands/single-kind.server.ts";
import { eventSeats } from "#drizzle/schema/events.ts";

type SeatsToCancel = { eventId: string; personId: string; seatId?: string | undefined };

const REFUND_REASON = "Você cancelou o seu ingresso.";
const PASSED_REFUND_REASON = "A pessoa a quem você passou o ingresso cancelou a vaga.";

/**
 * Cancels a ticket of a person whom the creator blocked, to whom somebody else had passed it, and
 * refunds it to who paid. Does nothing if it is canceled, or used, by now.
 */
export async function cancelBlockedSeat(ctx: Context, { seatId }: { seatId: string }) {
  const [seat] = await ctx.db
    .select({ eventId: eventSeats.eventId, personId: eventSeats.personId })
    .from(eventSeats)
    .where(eq(eventSeats.id, seatId))
    .limit(1);
  try {
    if (seat) await cancelSeats(ctx, { ...seat, seatId, isByCreator: true });
  } catch (error) {
    if (!(error instanceof NothingToCancel)) throw error;
    await ctx.db.update(eventSeats).set({ cancelsAt: null }).where(eq(eventSeats.id, seatId));
  }
}

/**
 * Cancels a person's seats at an event: one with `seatId`, else all. They go to the waiting list. A
 * paid seat is refunded by the rule of its order (`ticketRefundUntil`); later it is only given up,
 * unless the creator ended it (`isByCreator`). Seats, end of the purchase and refund are one batch.
 * A ticket that was passed on is refunded to who paid. Returns what this person is refunded
 * (centavos). Refuses NothingToCancel (somebody else's seat, a used ticket, a canceled event, after
 * the end) and SeatUnderDispute.
 */
export async function cancelSeats(
  ctx: Context,
  { eventId, personId, seatId, isByCreator = false }: SeatsToCancel & { isByCreator?: boolean },
): Promise<{ refundCents: Cents }> {
  const refunds = await retryOnConflict(async () => {
    const seats = await cancelableSeats(ctx, { eventId, personId, seatId });
    if (seats.length === 0) throw new NothingToCancel();
    const orderIds = seats.flatMap(({ orderId }) => orderId ?? []);
    const orders = orderIds.length > 0 ? await paidOrders(ctx, { eventId, orderIds }) : [];
    const ended = await Promise.all(
      orders.map((order) =>
        refundOf(ctx, order, {
          personId,
          isByCreator,
          count: seats.filter(({ orderId }) => orderId === order.orderId).length,
        }),
      ),
    );
    await commit(ctx.db, [
      // Two holders of one order may cancel at once: the second decides again.
      ...ended.flatMap((refund) => refund?.guard ?? []),
      ...canceledStatements(ctx, { eventId, personId, seatIds: seats.map(({ id }) => id) }),
      ...ended.flatMap((refund) => refund?.writes ?? []),
    ]);
    return ended.filter((refund) => refund !== null);
  });
  for (const { refundId } of refunds) await refundNow(ctx, refundId);
  await moveWaitingListQuietly(ctx, { eventId });
  const own = refunds.filter(({ isOwn }) => isOwn);
  return { refundCents: own.reduce((sum, { cents }) => sum + cents, 0) };
}

async function cancelableSeats(ctx: Context, { eventId, personId, seatId }: SeatsToCancel) {
  return await ctx.db
    .select({ id: eventSeats.id, orderId: eventSeats.orderId })
    .from(eventSeats)
    .where(
      and(
        eq(eventSeats.eventId, eventId),
        eq(eventSeats.personId, personId),
        eq(eventSeats.status, "taken"),
        isNull(eventSeats.checkedInAt),
        sql`EXISTS (SELECT 1 FROM events e WHERE e.id = ${eventId} AND e.status = 'published' AND e.ends_at > ${ctx.now()})`,
        seatId === undefined ? undefined : eq(eventSeats.id, seatId),
      ),
    );
}

function canceledStatements(
  ctx: Context,
  { eventId, personId, seatIds }: { eventId: string; personId: string; seatIds: string[] },
): BatchWrite[] {
  const chosen = JSON.stringify(seatIds);
  const isChosen = sql`${eventSeats.eventId} = ${eventId} AND ${eventSeats.personId} = ${personId} AND ${eventSeats.status} = 'taken'
    AND ${eventSeats.checkedInAt} IS NULL AND ${eventSeats.id} IN (SELECT one.value FROM json_each(${chosen}) one)`;
  return [
    guardStatement(
      ctx.db,
      sql`(SELECT COUNT(*) FROM event_seats WHERE ${isChosen}) = ${seatIds.length} AND EXISTS (SELECT 1 FROM events e WHERE e.id = ${eventId} AND e.status = 'published')`,
    ),
    ctx.db.update(eventSeats).set({ status: "canceled", canceledAt: ctx.now() }).where(isChosen),
  ];
}

type SeatRefund = {
  refundId: string;
  cents: Cents;
  isOwn: boolean;
  guard: BatchWrite;
  writes: BatchWrite[];
};

/**
 * Returns the refund of `count` seats of an order; null where its time is over. The purchase ends
 * with the last of its money. Refuses SeatUnderDispute.
 */
async function refundOf(
  ctx: Context,
  order: PaidOrder,
  { personId, count, isByCreator }: { personId: string; count: number; isByCreator: boolean },
): Promise<SeatRefund | null> {
  const isLate = !isByCreator && ctx.now() >= ticketRefundUntil(order);
  if (count === 0 || isLate) return null;
  if (!isRefundable(order.charge.status)) throw new SeatUnderDispute();
  const leftCents = await refundableCents(ctx, order.charge);
  const cents = Math.min(leftCents, count * order.unitPriceCents);
  if (cents <= 0) return null;
  const refundId = ctx.newId();
  const isOwn = order.payerId === personId;
  return {
    refundId,
    cents,
    isOwn,
    guard: guardStatement(
      ctx.db,
      sql`(SELECT COUNT(*) FROM event_seats s WHERE s.order_id = ${order.orderId} AND s.status = 'taken') = ${order.seats}`,
    ),
    writes: [
      ...(cents === leftCents && count === order.seats
        ? [purchaseEndedStatement(ctx, { purchaseId: order.purchaseId, reason: "regret" })]
        : []),
      requestRefundStatement(ctx, order.charge, {
        id: refundId,
        amountCents: cents,
        reason: isOwn ? REFUND_REASON : PASSED_REFUND_REASON,
      }),
    ],
  };
}
