import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { chargeRow, refundableCents } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { paidCharges } from "#app/domain/subscriptions/queries.server.ts";

/** A charge, and what of it goes back (centavos): nothing where all of it did, or is on its way. */
export type CoolingOffRefund = { charge: Charge; amountCents: Cents };

/**
 * What regretting a subscription gives back now, by payment of the contract that runs; none where
 * nothing was paid for it.
 */
export async function coolingOffRefunds(
  ctx: Context,
  { subscriptionId }: { subscriptionId: string },
): Promise<CoolingOffRefund[]> {
  const paid = await Promise.all(
    (await paidCharges(ctx, { subscriptionId })).map((chargeId) => chargeRow(ctx, { chargeId })),
  );
  return await Promise.all(
    paid
      .flatMap((charge) => (charge ? [charge] : []))
      .map(async (charge) => ({
        charge,
        amountCents: Math.max(0, await refundableCents(ctx, charge)),
      })),
  );
}
