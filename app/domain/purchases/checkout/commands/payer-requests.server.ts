import type { Context } from "#app/domain/context.ts";
import { countAction } from "#app/domain/rate-limits/commands.server.ts";
import { confirmCharge } from "#app/domain/payments/charges/commands/confirm.server.ts";
import {
  cancelPendingCharge,
  settleCharge,
} from "#app/domain/payments/charges/commands/settle.server.ts";
import { checkoutCharge } from "#app/domain/payments/charges/queries/checkout.server.ts";
import { isAwaitingPayment } from "#app/domain/payments/rules.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import { decideAbandonment } from "#app/domain/purchases/checkout/rules.ts";
import { ChargeRefreshRateLimited, PaymentNotAbandonable } from "#app/domain/purchases/errors.ts";
import { HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";

/** Limits for a payer who waits at the page. The provider's webhook arrives without them. */
const ASK_LIMITS = [
  { windowMs: MINUTE_MS, limit: 6 },
  { windowMs: HOUR_MS, limit: 60 },
];

/**
 * "Já paguei": runs `settleCharge` on the payer's request. Refuses ChargeRefreshRateLimited above
 * six requests in a minute or sixty in an hour. Throws ProviderUnclear.
 */
export async function checkPayment(
  ctx: Context,
  { memberId, chargeId }: { memberId: string; chargeId: string },
): Promise<ChargeStatus> {
  await countRequest(ctx, memberId);
  return await settleCharge(ctx, { chargeId });
}

/**
 * Runs `confirmCharge` on the payer's request, within the same limits. Refuses
 * ChargeRefreshRateLimited.
 */
export async function resumeConfirmation(
  ctx: Context,
  { memberId, chargeId }: { memberId: string; chargeId: string },
): Promise<{ status: ChargeStatus; nextActionUrl: string | null }> {
  await countRequest(ctx, memberId);
  return await confirmCharge(ctx, { chargeId });
}

/**
 * "Desistir": cancels an open charge on its payer's request, which releases what it held. One that
 * was paid meanwhile stays paid, as the status says. Refuses PaymentNotAbandonable and
 * ChargeRefreshRateLimited. Throws ProviderUnclear.
 */
export async function abandonPayment(
  ctx: Context,
  { memberId, chargeId }: { memberId: string; chargeId: string },
): Promise<ChargeStatus> {
  const charge = await checkoutCharge(ctx, { memberId, chargeId });
  if (!charge || decideAbandonment(charge) !== "cancel_charge") throw new PaymentNotAbandonable();
  await countRequest(ctx, memberId);
  const status = await settleCharge(ctx, { chargeId });
  return isAwaitingPayment(status) ? await cancelPendingCharge(ctx, { chargeId }) : status;
}

async function countRequest(ctx: Context, personId: string): Promise<void> {
  await countAction(
    ctx,
    { act: "ask-charge", personId, limits: ASK_LIMITS },
    (freeAt) => new ChargeRefreshRateLimited(freeAt),
  );
}
