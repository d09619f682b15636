import type { Context } from "#app/domain/context.ts";
import { joinOrCancelOpenCheckout } from "#app/domain/payments/charges/commands/open-attempt.server.ts";
import type { JoinedCheckout } from "#app/domain/payments/charges/commands/open-attempt.server.ts";
import type { CheckoutIntent } from "#app/domain/payments/rules.ts";
import { openCheckout } from "#app/domain/subscriptions/checkout/queries.server.ts";
import type { OpenCheckout } from "#app/domain/subscriptions/checkout/queries.server.ts";
import { couponOrRefusal } from "./offer.server.ts";
import type { SubscriptionCheckout, SubscriptionOffer } from "./offer.server.ts";

/** Finds the open checkout of the same page, and joins it or cancels it for the new request. */
export async function resolveOpenSubscription(
  ctx: Context,
  wished: Pick<SubscriptionCheckout, "memberId" | "coupon">,
  offer: SubscriptionOffer,
  wishOf: (open: OpenCheckout) => CheckoutIntent,
): Promise<{ open: OpenCheckout | null; joined: JoinedCheckout | null }> {
  const fanAndCreator = { fanId: wished.memberId, creatorId: offer.plan.creatorId };
  const open = await openCheckout(ctx, fanAndCreator);
  // A coupon that is refused cancels no open checkout.
  if (open && wished.coupon && wished.coupon !== open.couponCode)
    await couponOrRefusal(ctx, wished, { ...offer, code: wished.coupon });
  return {
    open,
    joined:
      open &&
      (await joinOrCancelOpenCheckout(ctx, {
        wish: wishOf(open),
        open,
        openNow: () => openCheckout(ctx, fanAndCreator),
      })),
  };
}
