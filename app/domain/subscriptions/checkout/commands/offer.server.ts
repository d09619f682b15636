import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { isAccountClosing } from "#app/domain/identity/queries.server.ts";
import { paymentMethods } from "#app/domain/payments/methods/rules.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import { lookUpCoupon } from "#app/domain/plans/commands/coupon-attempts.server.ts";
import { CouponRefused } from "#app/domain/plans/errors/coupons.ts";
import { planOffer } from "#app/domain/plans/queries.server.ts";
import type { PlanOffer } from "#app/domain/plans/queries.server.ts";
import { discountedCents } from "#app/domain/plans/rules/coupons.ts";
import type { Coupon } from "#app/domain/plans/schema/coupons.ts";
import { followTarget } from "#app/domain/profiles/queries.server.ts";
import { CreatorOnVacation } from "#app/domain/plans/errors/vacations.ts";
import {
  AlreadySubscribed,
  StartDateChanged,
  LeavingMemberCannotSubscribe,
  NoSeatLeft,
  CannotSubscribeToYourself,
  PlanNotForSale,
  PlanPriceChanged,
} from "#app/domain/subscriptions/errors.ts";
import { liveSubscriptions, planOfPrice } from "#app/domain/subscriptions/queries.server.ts";
import { prepayOptions } from "#app/domain/subscriptions/prepayments/rules.ts";
import type { PrepayOption } from "#app/domain/subscriptions/prepayments/rules.ts";
import { endingGiftOrComp } from "#app/domain/subscriptions/renewals/rules/upcoming.ts";
import type { EndingAccess } from "#app/domain/subscriptions/renewals/rules/upcoming.ts";
import { CannotPrepay } from "#app/domain/subscriptions/prepayments/errors.ts";

export type SubscriptionCheckout = {
  memberId: string;
  memberName: string;
  planPriceId: string;
  method: PaymentMethod;
  /** The Pix code also asks for a mandate to debit the renewals (Pix Automático). */
  isAutomatic?: boolean;
  /** How many periods are paid at once; one when left out. */
  periods?: number;
  /** As typed, in capitals; null without one. */
  coupon?: string | null;
  /** The later start that the fan was shown; left out when it starts at once. */
  beginsAt?: number | undefined;
  /** The amount that the fan was shown; left out when none was shown. */
  amountCents?: Cents | undefined;
  /** From the provider's own field; null sends the member to the provider's page. */
  cardToken: string | null;
  /** One of the member's saved cards, instead. */
  savedMethodId?: string | null;
  /** The slug of the creator's link that the member came by; one that does not count is none. */
  link?: string | null;
};

/**
 * A plan offer, and the gift or comp of the same member that it follows; null when it starts at
 * once.
 */
export type SubscriptionOffer = PlanOffer & { follows: EndingAccess | null };

/** What is sold, and the first payment after the coupon, with each period when several are prepaid. */
export type AgreedSubscription = {
  offer: SubscriptionOffer;
  coupon: Coupon | null;
  amountCents: Cents;
  ahead: PrepayOption | null;
};

/**
 * What is sold for a price. Refuses PlanNotForSale, PlanPriceChanged, CannotSubscribeToYourself,
 * LeavingMemberCannotSubscribe, AlreadySubscribed, StartDateChanged, CreatorOnVacation.
 */
export async function subscriptionOffer(
  ctx: Context,
  { memberId, planPriceId, beginsAt }: SubscriptionCheckout,
): Promise<SubscriptionOffer> {
  const priced = await planOfPrice(ctx, { planPriceId });
  const offer = priced ? await planOffer(ctx, { ...priced, buyerId: memberId }) : null;
  if (
    !priced ||
    !offer ||
    offer.price.interval !== priced.interval ||
    offer.availability === "not_sold"
  )
    throw new PlanNotForSale();
  if (offer.price.id !== planPriceId) throw new PlanPriceChanged(offer.price.amountCents);
  if (offer.plan.creatorId === memberId) throw new CannotSubscribeToYourself();
  if (await isAccountClosing(ctx, { personId: memberId })) throw new LeavingMemberCannotSubscribe();
  const live = await liveSubscriptions(ctx, { fanId: memberId, creatorId: offer.plan.creatorId });
  const follows = endingGiftOrComp(live, ctx.now());
  if (live.length > 0 && (follows === null || beginsAt === undefined))
    throw new AlreadySubscribed();
  // Nobody pays for another start than the one they were shown, nor waits for what ended meanwhile.
  if ((follows?.endsAt ?? undefined) !== beginsAt) throw new StartDateChanged();
  if (offer.awayUntil !== null) throw new CreatorOnVacation(offer.awayUntil);
  // A block between the two hides the page, so nothing is sold.
  if (
    (await followTarget(ctx, { followerId: memberId, creatorId: offer.plan.creatorId }))?.isBlocked
  )
    throw new PlanNotForSale();
  return { ...offer, follows };
}

/**
 * What an offer costs this member with their coupon. Refuses NoSeatLeft, CouponRefused,
 * PlanPriceChanged.
 */
export async function priceWithCoupon(
  ctx: Context,
  checkout: SubscriptionCheckout,
  offer: SubscriptionOffer,
): Promise<AgreedSubscription> {
  if (offer.availability === "full") throw new NoSeatLeft();
  const coupon = checkout.coupon
    ? await couponOrRefusal(ctx, checkout, { ...offer, code: checkout.coupon })
    : null;
  const ahead = aheadOf(ctx, checkout, offer, coupon);
  const amountCents =
    ahead?.amountCents ??
    (coupon ? discountedCents(coupon, offer.price.amountCents) : offer.price.amountCents);
  // Nobody pays another price than the one they were shown.
  if (checkout.amountCents !== undefined && checkout.amountCents !== amountCents)
    throw new PlanPriceChanged(amountCents);
  return { offer, coupon, amountCents, ahead };
}

/** The choice to prepay several periods; null for one. Refuses CannotPrepay. */
function aheadOf(
  ctx: Context,
  { periods = 1, method, isAutomatic = false }: SubscriptionCheckout,
  { plan, price, follows }: SubscriptionOffer,
  coupon: Coupon | null,
): PrepayOption | null {
  if (periods === 1) return null;
  const now = ctx.now();
  const priced = { planId: plan.id, amountCents: price.amountCents, interval: price.interval };
  const choice = prepayOptions(priced, {
    anchorAt: now,
    startsAt: now,
    coupon: coupon && { ...coupon, cyclesLeft: coupon.cycles },
    now,
  }).find(({ count }) => count === periods);
  if (!choice || !paymentMethods[method].canPrepay || isAutomatic || follows !== null)
    throw new CannotPrepay();
  return choice;
}

/** The coupon that a member typed. Counts the attempt. Refuses CouponRefused. */
export async function couponOrRefusal(
  ctx: Context,
  checkout: Pick<SubscriptionCheckout, "memberId">,
  { code, ...offer }: PlanOffer & { code: string },
): Promise<Coupon> {
  const found = await lookUpCoupon(ctx, {
    ...couponRequest(checkout, offer, code),
    triedBy: checkout.memberId,
  });
  if (found.problem !== null) throw new CouponRefused(found.problem);
  return found.coupon;
}

/** What decides whether a coupon counts for an offer. */
export const couponRequest = (
  { memberId }: Pick<SubscriptionCheckout, "memberId">,
  { plan, price }: PlanOffer,
  code: string,
) => ({
  memberId,
  creatorId: plan.creatorId,
  planId: plan.id,
  priceCents: price.amountCents,
  code,
});
