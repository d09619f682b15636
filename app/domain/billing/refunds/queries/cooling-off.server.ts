import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { chargeRow, refundableCents } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { coolingOffRefunds } from "#app/domain/subscriptions/cancellations/queries/cooling-off.server.ts";
import { planChangeCoolingOffRefunds } from "#app/domain/subscriptions/plan-changes/queries/change-reversal.server.ts";

/** The amount to refund (centavos), and of how many payments. `isWhole`: everything that was paid. */
export type CoolingOffQuote = { backCents: Cents; payments: number; isWhole: boolean };

/**
 * Computes what `requestPaymentCoolingOffRefund` would refund now, with the same rules. Does not
 * check whether it can be requested.
 */
export async function coolingOffQuote(
  ctx: Context,
  { chargeId }: { chargeId: string },
): Promise<CoolingOffQuote> {
  const charge = await chargeRow(ctx, { chargeId });
  const returned = charge ? await returnsOf(ctx, charge) : [];
  const sum = (cents: (one: RefundedCharge) => Cents): Cents =>
    returned.reduce((total, one) => total + cents(one), 0);
  const backCents = sum(({ amountCents }) => amountCents);
  return {
    backCents,
    payments: returned.length,
    isWhole: backCents === sum((one) => one.charge.amountCents),
  };
}

type RefundedCharge = { charge: Pick<Charge, "amountCents">; amountCents: Cents };

async function returnsOf(ctx: Context, charge: Charge): Promise<RefundedCharge[]> {
  if (charge.purchaseKind === "subscription")
    return await coolingOffRefunds(ctx, { subscriptionId: charge.purchaseId });
  if (charge.planChangeId !== null && charge.purchaseKind === "plan_change")
    return await planChangeCoolingOffRefunds(ctx, {
      planChangeId: charge.planChangeId,
      subscriptionId: charge.purchaseId,
    });
  return [{ charge, amountCents: Math.max(0, await refundableCents(ctx, charge)) }];
}
