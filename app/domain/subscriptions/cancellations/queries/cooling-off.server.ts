import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { chargeRow, refundableCents } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { paidCharges } from "#app/domain/subscriptions/queries.server.ts";

/** A charge, and its refund (centavos): 0 when all of it was refunded, or a refund is decided. */
export type CoolingOffRefund = { charge: Charge; amountCents: Cents };

/**
 * The cooling-off refund of a subscription now, by payment of the current contract; empty when
 * nothing was paid.
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
