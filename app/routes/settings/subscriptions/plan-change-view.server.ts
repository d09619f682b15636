import { redirect } from "react-router";
import type { Context } from "#app/domain/context.ts";
import { renewsBySavedMethod } from "#app/domain/payments/methods/rules.ts";
import { acquirerCardFieldUrl } from "#app/domain/payments/providers/rules/providers.ts";
import { isCouponForPlan } from "#app/domain/plans/rules/coupons.ts";
import { planOfPrice } from "#app/domain/subscriptions/queries.server.ts";
import { planChangeOffer } from "#app/domain/subscriptions/plan-changes/queries/quote.server.ts";
import type { PlanChangeRequest } from "#app/domain/subscriptions/plan-changes/queries/quote.server.ts";
import { planChangeProblems } from "#app/domain/subscriptions/plan-changes/errors.ts";
import { mandateCovers } from "#app/domain/subscriptions/pix-mandates/rules.ts";
import { methodForPrice } from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import { offeredCards } from "#app/http/checkout/saved-cards.server.ts";
import { foundOr404 } from "#app/http/refusal.ts";

/**
 * Loads what the page of a plan change shows. `problem` is why the change is not possible.
 * Redirects to the other page if the change happens at the other time.
 */
export async function planChangeShown(
  ctx: Context,
  { page, ...wish }: PlanChangeRequest & { page: "now" | "next_period" },
) {
  const priced = await planOfPrice(ctx, wish);
  const { subscriptionSnapshot, offer, quote, methods, problem } = foundOr404(
    priced && (await planChangeOffer(ctx, { ...wish, ...priced })),
    "Não encontramos esta mudança de plano.",
  );
  const { subscription, heldCoupon, change, mandate } = subscriptionSnapshot;
  const isAuthorised = mandate?.status === "active" && mandate.endingAt === null;
  const path = `/settings/subscriptions/${subscription.id}/plan/${offer.price.id}`;
  if (!problem && quote.happens !== page)
    throw redirect(quote.happens === "now" ? path : `${path}/later`);
  return {
    id: subscription.id,
    problem: problem && planChangeProblems[problem],
    creatorName: offer.creator.name,
    creatorUsername: offer.creator.username,
    seller: offer.seller,
    benefits: offer.plan.benefits,
    shown: {
      fromPlanName: subscriptionSnapshot.plan.name,
      toPlanName: offer.plan.name,
      toInterval: offer.price.interval,
      toAmountCents: offer.price.amountCents,
      quote,
      coupon:
        heldCoupon && heldCoupon.cyclesLeft !== 0
          ? {
              code: subscriptionSnapshot.couponCode ?? "",
              stays: isCouponForPlan(heldCoupon, offer.plan.id),
            }
          : null,
    },
    replaces:
      change?.state === "scheduled" && change.toPlanPriceId !== offer.price.id
        ? change.toPlanName
        : null,
    losesAutomatic:
      isAuthorised &&
      !(mandate.interval === offer.price.interval && mandateCovers(mandate, quote.nextCents)),
    movesToPix:
      methodForPrice(subscription.method, offer.price.amountCents) !== subscription.method,
    methods,
    cards:
      !problem && methods.some(renewsBySavedMethod)
        ? await offeredCards(ctx, { personId: wish.fanId })
        : [],
    cardFieldUrl: acquirerCardFieldUrl(ctx.payments),
  };
}
