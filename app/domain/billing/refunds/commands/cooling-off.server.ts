import { TransactionNotFound } from "#app/domain/billing/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { requestPurchaseCoolingOffRefund } from "#app/domain/purchases/single-purchases/commands/end.server.ts";
import { requestGiftCoolingOffRefund } from "#app/domain/purchases/gifts/commands/end-gift.server.ts";
import { requestTipCoolingOffRefund } from "#app/domain/purchases/tips/commands/tips.server.ts";
import { requestSubscriptionCoolingOffRefund } from "#app/domain/subscriptions/cancellations/commands/cooling-off.server.ts";
import { requestPlanChangeCoolingOffRefund } from "#app/domain/subscriptions/plan-changes/commands/cooling-off.server.ts";

/**
 * Requests a cooling-off refund from a payment's own page: ends what it paid for and refunds
 * everything (CDC art. 49). Throws TransactionNotFound, also for somebody else's payment. Throws
 * what `requestSubscriptionCoolingOffRefund`, `requestPlanChangeCoolingOffRefund`,
 * `requestPurchaseCoolingOffRefund`, `requestTipCoolingOffRefund` and `requestGiftCoolingOffRefund`
 * throw.
 */
export async function requestPaymentCoolingOffRefund(
  ctx: Context,
  { payerId, chargeId }: { payerId: string; chargeId: string },
): Promise<void> {
  const charge = await chargeRow(ctx, { chargeId });
  if (!charge || charge.payerId !== payerId) throw new TransactionNotFound();
  if (charge.purchaseKind === "subscription")
    await requestSubscriptionCoolingOffRefund(ctx, {
      fanId: payerId,
      subscriptionId: charge.purchaseId,
    });
  else if (charge.purchaseKind === "plan_change")
    await requestPlanChangeCoolingOffRefund(ctx, { payerId, chargeId });
  else if (charge.purchaseKind === "tip")
    await requestTipCoolingOffRefund(ctx, { personId: payerId, tipId: charge.purchaseId });
  else if (charge.purchaseKind === "gift")
    await requestGiftCoolingOffRefund(ctx, { personId: payerId, giftId: charge.purchaseId });
  else
    await requestPurchaseCoolingOffRefund(ctx, {
      personId: payerId,
      purchaseId: charge.purchaseId,
    });
}
