import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { chargeRow, returnableCents } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/schema/purchase-handlers.ts";
import { regretReturns } from "#app/domain/subscriptions/queries/ending/regret.server.ts";
import { changeRegretReturns } from "#app/domain/subscriptions/queries/plan-change/given-back.server.ts";

/** What goes back (centavos), of how many payments; `isWhole`: all that they brought. */
export type RegretReturn = { backCents: Cents; payments: number; isWhole: boolean };

/**
 * What `regretPayment` gives back if it is asked now, by what it decides with itself. Whether it
 * may be asked is another question.
 */
export async function regretReturnOf(
  ctx: Context,
  { chargeId }: { chargeId: string },
): Promise<RegretReturn> {
  const charge = await chargeRow(ctx, { chargeId });
  const returned = charge ? await returnsOf(ctx, charge) : [];
  const sum = (cents: (one: Returned) => Cents): Cents =>
    returned.reduce((total, one) => total + cents(one), 0);
  const backCents = sum(({ amountCents }) => amountCents);
  return {
    backCents,
    payments: returned.length,
    isWhole: backCents === sum((one) => one.charge.amountCents),
  };
}

type Returned = { charge: Pick<Charge, "amountCents">; amountCents: Cents };

async function returnsOf(ctx: Context, charge: Charge): Promise<Returned[]> {
  if (charge.purchaseKind === "subscription")
    return await regretReturns(ctx, { subscriptionId: charge.purchaseId });
  if (charge.planChangeId !== null && charge.purchaseKind === "plan_change")
    return await changeRegretReturns(ctx, {
      planChangeId: charge.planChangeId,
      subscriptionId: charge.purchaseId,
    });
  return [{ charge, amountCents: Math.max(0, await returnableCents(ctx, charge)) }];
}
