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
 * Has the provider take back what is still asked for a renewal that was stopped, put off or
 * changed. One paid meanwhile stays paid, and one of which the provider says nothing lives until
 * its own end: what arrives late is honoured or given back by `decideCharge`.
 */
export async function cancelOpenRenewals(
  ctx: Context,
  {
    subscriptionId,
    besides = null,
  }: {
    subscriptionId: string;
    /** The start of a period whose charge is not canceled. */ besides?: Instant | null;
  },
): Promise<void> {
  for (const chargeId of await openRenewals(ctx, { subscriptionId, besides })) {
    try {
      await cancelPendingCharge(ctx, { chargeId });
    } catch (error) {
      if (!(error instanceof ProviderUnclear)) throw error;
      ctx.log("subscriptions.renewal_unclear", { subscriptionId, chargeId });
    }
  }
}

/**
 * Asks the provider about renewals whose outcome nobody knows, before they are asked for in another
 * way. Those about which it knows nothing wait for the calendar.
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
