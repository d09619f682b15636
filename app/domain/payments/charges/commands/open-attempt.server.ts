import type { Context } from "#app/domain/context.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { isRefundable, resolveOpenCheckout } from "#app/domain/payments/rules.ts";
import type { OpenCheckoutCharge, CheckoutIntent } from "#app/domain/payments/rules.ts";
import { cancelPendingCharge, settleCharge } from "./settle.server.ts";

export type JoinedCheckout = Pick<OpenCheckoutCharge, "chargeId" | "status" | "nextActionUrl">;

/**
 * What a checkout is told of its charge: where the payer goes only while something is to be
 * confirmed there.
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
 * The open checkout of the same thing when it is to be joined, or would not go; null once the way
 * is free for another. `openNow` looks again, after the provider was told to let it go.
 */
export async function joinOrCancelOpenCheckout(
  ctx: Context,
  {
    wish,
    open,
    openNow,
  }: {
    wish: CheckoutIntent;
    open: OpenCheckoutCharge;
    openNow: () => Promise<OpenCheckoutCharge | null>;
  },
): Promise<JoinedCheckout | null> {
  if (resolveOpenCheckout(open, wish, ctx.now()) === "join") return open;
  try {
    // It may have been paid a moment ago: then that is what was bought.
    const known = await settleCharge(ctx, { chargeId: open.chargeId });
    const status = isRefundable(known)
      ? known
      : await cancelPendingCharge(ctx, { chargeId: open.chargeId });
    if (isRefundable(status)) return { ...open, status };
  } catch (error) {
    if (!(error instanceof ProviderUnclear)) throw error;
  }
  return await openNow();
}
