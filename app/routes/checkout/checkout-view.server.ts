import type { Context } from "#app/domain/context.ts";
import { refundRuleText } from "#app/domain/events/rules/tickets.ts";
import { mediaUrl } from "#app/domain/media/rules.ts";
import {
  isMethodOffered,
  acquirerCardFieldUrl,
  takesCardWallets,
} from "#app/domain/payments/providers/rules/providers.ts";
import { paymentMethods, renewsBySavedMethod } from "#app/domain/payments/methods/rules.ts";
import { methodsForPrice, periodEndsAt } from "#app/domain/plans/rules.ts";
import {
  purchasablePlan,
  purchasableSingle,
} from "#app/domain/purchases/single-purchases/queries/purchasable.server.ts";
import { singleDescription } from "#app/domain/purchases/rules.ts";
import {
  scheduledDebitDay,
  isPixMandateOffered,
  mandateTerms,
} from "#app/domain/subscriptions/pix-mandates/rules.ts";
import { formatDay, instantOfIsoDay } from "#app/domain/time.ts";
import { offeredCards } from "#app/http/checkout/saved-cards.server.ts";
import type { CheckoutTarget } from "#app/http/checkout/checkout-target.ts";
import { aheadShown } from "./prepay.server.ts";
import { couponShown } from "./coupon.server.ts";

/**
 * An id that no person has. It stands for a visitor without an account, who has no purchases or
 * blocks.
 */
const NOBODY = "";

/**
 * Loads what the checkout shows of the address's target. `memberId` is null for a visitor without
 * an account. Returns null for a target that does not exist.
 */
export async function checkoutShown(
  ctx: Context,
  {
    memberId: viewerId,
    triedBy = viewerId ?? NOBODY,
    wanted,
  }: {
    memberId: string | null;
    /** The id that wrong coupons are counted for. */ triedBy?: string;
    wanted: CheckoutTarget;
  },
) {
  const memberId = viewerId ?? NOBODY;
  const plan =
    wanted.kind === "plan"
      ? await purchasablePlan(ctx, { memberId, planId: wanted.targetId, interval: wanted.interval })
      : null;
  const sold =
    wanted.kind === "plan"
      ? (plan?.purchasable ?? null)
      : await purchasableSingle(ctx, { ...wanted, memberId });
  if (!sold) return null;
  const { creator, title, renews, amountCents, seller } = sold;
  const coupon =
    plan && wanted.kind === "plan" && !sold.obstacle
      ? await couponShown(ctx, {
          memberId,
          triedBy,
          offer: plan.offer,
          code: wanted.coupon,
          startsAt: plan.beginsAt ?? plan.trial?.endsAt ?? null,
        })
      : null;
  const beginsAt = plan?.beginsAt ?? null;
  const ahead =
    plan && wanted.kind === "plan" && !sold.obstacle && beginsAt === null
      ? aheadShown(ctx, { offer: plan.offer, coupon, periods: wanted.periods })
      : null;
  const chosen = ahead?.chosen ?? null;
  const todayCents = chosen?.amountCents ?? coupon?.discount?.firstCents ?? amountCents;
  const methods = methodsForPrice(todayCents).filter(
    (method) => isMethodOffered(method, ctx) && (paymentMethods[method].canPrepay || !chosen),
  );
  const cards =
    viewerId !== null && methods.some(renewsBySavedMethod) && !sold.obstacle
      ? await offeredCards(ctx, { personId: viewerId })
      : [];
  return {
    kind: sold.kind,
    verb: sold.kind === "plan" ? "Assinar" : "Comprar",
    what:
      sold.kind === "plan"
        ? `Assinatura ${title}, de ${creator.name}`
        : singleDescription({ kind: sold.kind, title, creatorName: creator.name }),
    path: sold.path,
    creatorPath: `/space/${creator.username}`,
    plan: plan
      ? {
          id: plan.offer.plan.id,
          priceId: plan.offer.price.id,
          prices: plan.offer.prices,
          live: plan.live,
        }
      : null,
    methods,
    cards,
    hasWallets: takesCardWallets(ctx.payments),
    cardFieldUrl: acquirerCardFieldUrl(ctx.payments),
    coupon,
    ahead,
    trial: ahead?.chosen ? null : (plan?.trial ?? null),
    /** True also while several periods are chosen. Those are paid at once, without a trial. */
    offersTrial: Boolean(plan?.trial),
    todayCents,
    beginsAt,
    automatic:
      plan &&
      renews &&
      beginsAt === null &&
      !ahead?.chosen &&
      !plan.trial &&
      methods.includes("pix") &&
      isPixMandateOffered(ctx)
        ? {
            ...mandateTerms({ priceCents: amountCents, firstCents: todayCents }),
            todayCents,
            interval: renews,
            debitOn: formatDay(instantOfIsoDay(scheduledDebitDay(periodEndsAt(ctx.now(), renews)))),
          }
        : null,
    obstacle:
      sold.obstacle ?? (methods.length === 0 && !plan?.trial ? ("not_sold" as const) : null),
    awayUntil: sold.awayUntil ?? null,
    summary: {
      kind: sold.kind,
      title,
      creatorName: creator.name,
      creatorUsername: creator.username,
      creatorAvatarUrl: creator.avatarMediaId ? mediaUrl(creator.avatarMediaId, "320") : null,
      renews,
      amountCents: chosen ? chosen.fullCents : amountCents,
      nextChargeAt: renews ? (chosen?.endsAt ?? periodEndsAt(beginsAt ?? ctx.now(), renews)) : null,
      ahead: chosen,
      seller,
      refundText: sold.refundHours === undefined ? null : refundRuleText(sold.refundHours),
    },
  };
}
