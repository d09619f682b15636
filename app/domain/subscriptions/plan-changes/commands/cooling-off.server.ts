import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { refundNow } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { isRefundable } from "#app/domain/payments/rules.ts";
import {
  SubscriptionCoolingOffExpired,
  SubscriptionNotFound,
} from "#app/domain/subscriptions/errors.ts";
import { PlanChangeRefused } from "#app/domain/subscriptions/plan-changes/errors.ts";
import { loadEndSnapshot } from "#app/domain/subscriptions/endings/queries.server.ts";
import { loadChangeHistory } from "#app/domain/subscriptions/plan-changes/queries/change-history.server.ts";
import { planChangeRow } from "#app/domain/subscriptions/renewal-terms/queries/plan-changes.server.ts";
import { loadSubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import { canWithdrawFromChange } from "#app/domain/subscriptions/plan-changes/rules/plan-change-reversal.ts";
import { cancelOpenRenewals } from "#app/domain/subscriptions/open-renewals/commands.server.ts";
import { planChangeReversalStatements } from "./reverse-change.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";

/**
 * Refunds the difference of an upgrade within seven days of its payment, as a cooling-off refund
 * (CDC art. 49). All of it is refunded, and the subscription returns to its former plan and period.
 * Differences paid on top of it are refunded too. Refuses SubscriptionNotFound (also for another
 * member's), SubscriptionCoolingOffExpired (also when already undone), and PlanChangeRefused for a
 * disputed charge.
 */
export async function requestPlanChangeCoolingOffRefund(
  ctx: Context,
  { payerId, chargeId }: { payerId: string; chargeId: string },
): Promise<void> {
  const charge = await chargeRow(ctx, { chargeId });
  if (!charge || charge.payerId !== payerId || !charge.planChangeId)
    throw new SubscriptionNotFound();
  const { planChangeId, purchaseId: subscriptionId } = charge;
  await cancelOpenRenewals(ctx, { subscriptionId });
  const refundIds = await retryOnConflict(async () => {
    const change = await planChangeRow(ctx, { planChangeId });
    const now = await chargeRow(ctx, { chargeId });
    if (!change || !canWithdrawFromChange(change, ctx.now()))
      throw new SubscriptionCoolingOffExpired();
    if (!now || !isRefundable(now.status)) throw new PlanChangeRefused("disputed");
    const [subscriptionSnapshot, endSnapshot] = [
      await loadSubscriptionSnapshot(ctx, change),
      await loadEndSnapshot(ctx, { subscriptionId, chargeId: "" }),
    ];
    if (!subscriptionSnapshot) throw new SubscriptionNotFound();
    const back = planChangeReversalStatements(
      ctx,
      {
        subscriptionSnapshot,
        endSnapshot,
        changeHistory: await loadChangeHistory(ctx, { planChangeId }),
      },
      { planChangeId, givenBack: null },
    );
    await commit(ctx.db, back.writes);
    return back.refundIds;
  });
  for (const refundId of refundIds) await refundNow(ctx, refundId);
  await ctx.queues.notifications.send({
    version: 1,
    type: "outbox.deliver",
    id: `plan_change:${planChangeId}:back`,
  });
  await advanceSubscription(ctx, { subscriptionId });
}
