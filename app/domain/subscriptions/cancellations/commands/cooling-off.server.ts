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
} from "#app/domain/subscriptions/coverage/queries.server.ts";
import { coolingOffRefunds } from "#app/domain/subscriptions/cancellations/queries/cooling-off.server.ts";
import { canWithdraw } from "#app/domain/subscriptions/rules.ts";
import { endNowStatements } from "#app/domain/subscriptions/endings/commands/end.server.ts";
import { cancelOpenRenewals } from "#app/domain/subscriptions/open-renewals/commands.server.ts";
import { memberSubscription } from "#app/domain/subscriptions/commands.server.ts";
import type { MemberSubscriptionRef } from "#app/domain/subscriptions/commands.server.ts";

/**
 * Ends a subscription with a cooling-off refund: within seven days of the first payment everything
 * is refunded, without a reason (CDC art. 49). Access ends at once, and open charges of the next
 * period are canceled. Refuses SubscriptionNotFound, SubscriptionCoolingOffExpired, and
 * SubscriptionUnderDispute while a payment is disputed: the dispute's outcome decides its refund.
 */
export async function requestSubscriptionCoolingOffRefund(
  ctx: Context,
  reference: MemberSubscriptionRef,
): Promise<void> {
  const refundIds = await retryOnConflict(async () => {
    const subscription = await memberSubscription(ctx, reference);
    const paid = await coolingOffRefunds(ctx, { subscriptionId: subscription.id });
    // Refunds already decided by the seller are not requested again; access ends all the same.
    if (paid.length === 0 || !canWithdraw(subscription, ctx.now()))
      throw new SubscriptionCoolingOffExpired();
    if (await hasOpenDisputeOf(ctx, reference)) throw new SubscriptionUnderDispute();
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
  await cancelOpenRenewals(ctx, reference);
  for (const refundId of refundIds) await refundNow(ctx, refundId);
}
