import type { Context } from "#app/domain/context.ts";
import { ProviderRefused } from "#app/domain/payments/errors.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import { providerOf } from "#app/domain/payments/providers/rules/providers.ts";
import { settleCharge } from "./settle.server.ts";

/**
 * Resumes a charge that waits for its payer's confirmation (3DS), also from another browser or
 * after a closed tab. Asks the provider for a fresh URL and applies its answer. Returns the
 * resulting status, and the URL while that is `requires_action`. Throws ProviderUnclear.
 */
export async function confirmCharge(
  ctx: Context,
  { chargeId }: { chargeId: string },
): Promise<{ status: ChargeStatus; nextActionUrl: string | null }> {
  const charge = await chargeRow(ctx, { chargeId });
  if (!charge?.providerChargeId || charge.status !== "requires_action")
    return { status: charge?.status ?? "failed", nextActionUrl: null };
  try {
    const providerCharge = await providerOf(ctx, charge).confirmCharge({
      id: charge.providerChargeId,
      returnUrl: `${ctx.settings.appOrigin}/checkout/${chargeId}`,
    });
    const status = await settleCharge(ctx, { chargeId, providerCharge });
    return {
      status,
      nextActionUrl: status === "requires_action" ? providerCharge.nextActionUrl : null,
    };
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    return { status: await settleCharge(ctx, { chargeId }), nextActionUrl: null };
  }
}
