import type { Context } from "#app/domain/context.ts";
import {
  cancelPendingCharge,
  settleCharge,
} from "#app/domain/payments/charges/commands/settle.server.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { openRenewals } from "#app/domain/subscriptions/renewals/queries/renewals.server.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * Cancels at the provider the open charges of a renewal that was stopped, put off or changed. A
 * charge paid meanwhile stays paid, and an unconfirmed one lasts until it expires. `decideCharge`
 * honours or refunds what arrives late.
 */
export async function cancelOpenRenewals(
  ctx: Context,
  {
    subscriptionId,
    exceptStart = null,
  }: {
    subscriptionId: string;
    /** The start of a period whose charge is not canceled. */ exceptStart?: Instant | null;
  },
): Promise<void> {
  for (const chargeId of await openRenewals(ctx, { subscriptionId, exceptStart })) {
    try {
      await cancelPendingCharge(ctx, { chargeId });
    } catch (error) {
      if (!(error instanceof ProviderUnclear)) throw error;
      ctx.log("subscriptions.renewal_unclear", { subscriptionId, chargeId });
    }
  }
}

/**
 * Asks the provider about unconfirmed renewals, before they are charged in another way. Those that
 * the provider does not know wait for the calendar.
 */
export async function refreshUnconfirmedRenewals(
  ctx: Context,
  { subscriptionId }: { subscriptionId: string },
): Promise<void> {
  for (const chargeId of await openRenewals(ctx, { subscriptionId })) {
    const status = (await chargeRow(ctx, { chargeId }))?.status;
    if (status !== "created" && status !== "processing") continue;
    try {
      await settleCharge(ctx, { chargeId });
    } catch (error) {
      if (!(error instanceof ProviderUnclear)) throw error;
      ctx.log("subscriptions.renewal_unclear", { subscriptionId, chargeId });
    }
  }
}
