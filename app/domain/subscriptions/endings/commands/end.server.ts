import { and, eq, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { mustChangeOne, guardStatement } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { requestRefundStatement } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { remainingCents } from "#app/domain/payments/rules.ts";
import { unconfirmedRefundsUnchanged } from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import { releaseSeatStatement } from "#app/domain/plans/commands.server.ts";
import { releaseCouponStatements } from "#app/domain/plans/commands/coupons.server.ts";
import { earlyEnd } from "#app/domain/subscriptions/endings/rules.ts";
import { isOnTrial } from "#app/domain/subscriptions/rules.ts";
import {
  endSnapshotUnchangedStatement,
  unusedRefundsExcept,
} from "#app/domain/subscriptions/endings/queries.server.ts";
import type {
  EndSnapshot,
  UnusedRefund,
} from "#app/domain/subscriptions/endings/queries.server.ts";
import { subscriptionClosingRefundReasons } from "#app/domain/subscriptions/schema.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";

/**
 * The statements that end a live subscription at once and release its seat. They throw StaleWrite
 * if a period was paid meanwhile, which has to be refunded too. The calendar then checks it once
 * more and cancels open charges of later periods.
 */
export function endNowStatements(ctx: Context, subscription: Subscription): BatchWrite[] {
  const now = ctx.now();
  return [
    mustChangeOne(
      ctx.db
        .update(subscriptions)
        .set({
          status: "expired",
          accessUntil: earlyEnd(subscription, now),
          holdsSeat: false,
          calendarAt: lookNow(now),
          updatedAt: now,
        })
        .where(
          and(
            eq(subscriptions.id, subscription.id),
            eq(subscriptions.status, subscription.status),
            eq(subscriptions.holdsSeat, subscription.holdsSeat),
            sql`${subscriptions.currentPeriodEndsAt} IS ${subscription.currentPeriodEndsAt}`,
          ),
        ),
    ),
    ...(subscription.holdsSeat ? [releaseSeatStatement(ctx, { planId: subscription.planId })] : []),
    ...(isOnTrial(subscription)
      ? releaseCouponStatements(ctx, { subscriptionId: subscription.id })
      : []),
  ];
}

/**
 * A check time that differs from the saved one. With an unchanged time, the trigger
 * `subscriptions_calendar_update` clears the check of an expired subscription.
 */
const lookNow = (now: Instant) =>
  sql<Instant>`CASE WHEN ${subscriptions.calendarAt} IS ${now} THEN ${now - 1} ELSE ${now} END`;

/**
 * The statements that end a subscription after the refund or lost dispute of one payment
 * (`chargeId`). They refund the unused days of every other payment (`unusedRefundsExcept`).
 * Disputed payments wait for their outcome. Source: domain rules, "Access" (unused days) and
 * "Subscriptions".
 */
export function endAfterRefundStatements(
  ctx: Context,
  { subscription, endSnapshot }: { subscription: Subscription; endSnapshot: EndSnapshot },
  { chargeId }: { chargeId: string },
): BatchWrite[] {
  return [
    ...endNowStatements(ctx, subscription),
    ...unusedRefundStatements(ctx, unusedRefundsExcept(endSnapshot, chargeId, ctx.now())),
  ];
}

/**
 * Refunds the unused days of a charge whose dispute we partly won after the subscription had
 * already ended. Deducts refunds already decided. INVARIANT: the refund of a payment is all of its
 * unusable days, and never more than what is left. Throws StaleWrite if a pending refund changed
 * since `ended` was read, since it may fail. Source: domain rules, "Access" (unused days).
 */
export function refundAfterPartialWinStatements(
  ctx: Context,
  charge: Charge,
  endSnapshot: EndSnapshot | null,
): BatchWrite[] {
  if (!endSnapshot) return [];
  const { afterEnd } = endSnapshot;
  const asRead = endSnapshotUnchangedStatement(ctx, endSnapshot, {
    subscriptionId: charge.purchaseId,
    chargeId: charge.id,
  });
  if (!afterEnd) return [asRead];
  const { waitingCents } = afterEnd;
  const amountCents = Math.min(afterEnd.unusedCents, remainingCents(charge) - waitingCents);
  return [
    asRead,
    guardStatement(ctx.db, unconfirmedRefundsUnchanged({ chargeId: charge.id, waitingCents })),
    ...(amountCents > 0
      ? [
          requestRefundStatement(ctx, charge, {
            id: ctx.newId(),
            amountCents,
            reason: subscriptionClosingRefundReasons.payment_returned,
          }),
        ]
      : []),
  ];
}

/**
 * The statements that request these refunds because another payment of the subscription was
 * returned; the payouts worker sends them.
 */
export function unusedRefundStatements(
  ctx: Context,
  unused: readonly UnusedRefund[],
): BatchWrite[] {
  return unused.map(({ covering, amountCents }) =>
    requestRefundStatement(
      ctx,
      { ...covering, id: covering.chargeId },
      { id: ctx.newId(), amountCents, reason: subscriptionClosingRefundReasons.payment_returned },
    ),
  );
}
