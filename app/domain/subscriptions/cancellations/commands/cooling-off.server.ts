import { notExists, sql } from "drizzle-orm";
import { commit, guardStatement } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import {
  refundNow,
  requestRefundStatement,
} from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import { COOLING_OFF_REFUND_REASON } from "#app/domain/payments/refunds/rules/cooling-off.ts";
import {
  SubscriptionUnderDispute,
  SubscriptionCoolingOffExpired,
} from "#app/domain/subscriptions/errors.ts";
import {
  hasOpenDisputeOf,
  openDisputeStatement,
} from "#app/domain/subscriptions/cancellations/queries/closing.server.ts";
import { coolingOffRefunds } from "#app/domain/subscriptions/cancellations/queries/cooling-off.server.ts";
import { canWithdraw } from "#app/domain/subscriptions/rules.ts";
import { endNowStatements } from "#app/domain/subscriptions/endings/commands.server.ts";
import { cancelOpenRenewals } from "#app/domain/subscriptions/renewals/commands/cancel-renewals.server.ts";
import { memberSubscription } from "#app/domain/subscriptions/commands.server.ts";
import type { MemberSubscriptionRef } from "#app/domain/subscriptions/commands.server.ts";

/**
 * Right of regret: within seven days of the first payment everything is given back and access ends
 * at once, no reason asked (CDC art. 49); what is already asked for the next period is taken back.
 * Refuses SubscriptionNotFound, RegretTooLate, and RegretDisputed while a payment of it is fought
 * over: what that comes to decides what is given back for it.
 */
export async function requestSubscriptionCoolingOffRefund(
  ctx: Context,
  mine: MemberSubscriptionRef,
): Promise<void> {
  const refundIds = await retryOnConflict(async () => {
    const subscription = await memberSubscription(ctx, mine);
    const paid = await coolingOffRefunds(ctx, { subscriptionId: subscription.id });
    // What is on its way back already, by who sold, is not asked for again; access ends all the
    // same.
    if (paid.length === 0 || !canWithdraw(subscription, ctx.now()))
      throw new SubscriptionCoolingOffExpired();
    if (await hasOpenDisputeOf(ctx, mine)) throw new SubscriptionUnderDispute();
    const refunds = paid
      .filter(({ amountCents }) => amountCents > 0)
      .map((one) => ({ ...one, id: ctx.newId() }));
    await commit(ctx.db, [
      guardStatement(
        ctx.db,
        notExists(openDisputeStatement(ctx, { subscriptionId: sql`${subscription.id}` })),
      ),
      ...endNowStatements(ctx, subscription),
      ...refunds.map(({ charge, id, amountCents }) =>
        requestRefundStatement(ctx, charge, { id, amountCents, reason: COOLING_OFF_REFUND_REASON }),
      ),
    ]);
    return refunds.map(({ id }) => id);
  });
  await cancelOpenRenewals(ctx, mine);
  for (const refundId of refundIds) await refundNow(ctx, refundId);
}
