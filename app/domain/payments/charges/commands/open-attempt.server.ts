import type { Context } from "#app/domain/context.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { isRefundable, resolveOpenCheckout } from "#app/domain/payments/rules.ts";
import type { OpenCheckoutCharge, CheckoutIntent } from "#app/domain/payments/rules.ts";
import { cancelPendingCharge, settleCharge } from "./settle.server.ts";

export type JoinedCheckout = Pick<OpenCheckoutCharge, "chargeId" | "status" | "nextActionUrl">;

/**
 * Returns what a checkout shows of its charge. The URL is present only while the payer must confirm
 * there.
 */
export const toCheckoutStart = ({
  chargeId,
  status,
  nextActionUrl,
}: JoinedCheckout): JoinedCheckout => ({
  chargeId,
  status,
  nextActionUrl: status === "requires_action" ? nextActionUrl : null,
});

/**
 * Returns the open checkout of the same thing if it is to be joined or could not be canceled.
 * Returns null once another checkout may start. `openNow` reads again, after the provider was asked
 * to cancel.
 */
export async function joinOrCancelOpenCheckout(
  ctx: Context,
  {
    wish,
    open,
    openNow,
    beforeCancel = async () => undefined,
  }: {
    wish: CheckoutIntent;
    open: OpenCheckoutCharge;
    openNow: () => Promise<OpenCheckoutCharge | null>;
    /** Runs before the provider is asked to cancel, such as to keep what the open one holds. */
    beforeCancel?: () => Promise<void>;
  },
): Promise<JoinedCheckout | null> {
  if (resolveOpenCheckout(open, wish, ctx.now()) === "join") return open;
  await beforeCancel();
  try {
    // The charge may have been paid a moment ago; then the purchase is made.
    const settledStatus = await settleCharge(ctx, { chargeId: open.chargeId });
    const status = isRefundable(settledStatus)
      ? settledStatus
      : await cancelPendingCharge(ctx, { chargeId: open.chargeId });
    if (isRefundable(status)) return { ...open, status };
  } catch (error) {
    if (!(error instanceof ProviderUnclear)) throw error;
  }
  return await openNow();
}
