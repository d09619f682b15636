import { TransactionNotFound } from "#app/domain/billing/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { regretPurchase } from "#app/domain/purchases/commands/end.server.ts";
import { regretGift } from "#app/domain/purchases/commands/end-gift.server.ts";
import { regretTip } from "#app/domain/purchases/commands/tips.server.ts";
import { regretSubscription } from "#app/domain/subscriptions/commands/ending/regret.server.ts";
import { regretPlanChange } from "#app/domain/subscriptions/commands/plan-change/regret.server.ts";

/**
 * Right of regret from a payment's own page: what it paid for ends, and everything goes back (CDC
 * art. 49). Refuses TransactionNotFound (also for somebody else's), and as `regretSubscription`,
 * `regretPlanChange`, `regretPurchase`, `regretTip` and `regretGift` do.
 */
export async function regretPayment(
  ctx: Context,
  { payerId, chargeId }: { payerId: string; chargeId: string },
): Promise<void> {
  const charge = await chargeRow(ctx, { chargeId });
  if (!charge || charge.payerId !== payerId) throw new TransactionNotFound();
  if (charge.purchaseKind === "subscription")
    await regretSubscription(ctx, { fanId: payerId, subscriptionId: charge.purchaseId });
  else if (charge.purchaseKind === "plan_change")
    await regretPlanChange(ctx, { payerId, chargeId });
  else if (charge.purchaseKind === "tip")
    await regretTip(ctx, { personId: payerId, tipId: charge.purchaseId });
  else if (charge.purchaseKind === "gift")
    await regretGift(ctx, { personId: payerId, giftId: charge.purchaseId });
  else await regretPurchase(ctx, { personId: payerId, purchaseId: charge.purchaseId });
}
