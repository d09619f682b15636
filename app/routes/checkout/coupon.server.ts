import type { Discount } from "#app/components/checkout/order/discount.tsx";
import type { Context } from "#app/domain/context.ts";
import { couponProblemText } from "#app/domain/plans/errors/coupons.ts";
import type { PlanOffer } from "#app/domain/plans/queries.server.ts";
import { lookUpCoupon } from "#app/domain/plans/commands/coupon-attempts.server.ts";
import { periodEndsAt } from "#app/domain/plans/rules.ts";
import type { CouponTerms } from "#app/domain/plans/schema/coupons.ts";
import { couponLabel, discountedCents } from "#app/domain/plans/rules/coupons.ts";
import type { Instant } from "#app/domain/time.ts";

export type CouponShown = {
  code: string | null;
  problem: string | null;
  discount: (Discount & { terms: CouponTerms }) | null;
};

type Asked = {
  memberId: string;
  triedBy?: string;
  offer: PlanOffer;
  code: string | null;
  /** The start of the first paid period, where it is later than now. */ startsAt?: Instant | null;
};

/**
 * Returns the effect of a coupon on an offer: the first price and the following ones. Otherwise
 * returns why it does not apply.
 */
export async function couponShown(
  ctx: Context,
  { memberId, triedBy = memberId, offer, code, startsAt = null }: Asked,
): Promise<CouponShown> {
  if (code === null) return { code, problem: null, discount: null };
  const { plan, price } = offer;
  const { coupon, problem } = await lookUpCoupon(ctx, {
    triedBy,
    memberId,
    creatorId: plan.creatorId,
    planId: plan.id,
    priceCents: price.amountCents,
    code,
  });
  if (problem !== null) return { code, problem: couponProblemText(problem), discount: null };
  return {
    code,
    problem: null,
    discount: {
      code,
      label: couponLabel(coupon),
      firstCents: discountedCents(coupon, price.amountCents),
      cycles: coupon.cycles,
      terms: {
        percent: coupon.percent,
        amountCents: coupon.amountCents,
        cycles: coupon.cycles,
        planIds: coupon.planIds,
      },
      fullPriceAt:
        coupon.cycles === null
          ? null
          : periodEndsAt(startsAt ?? ctx.now(), price.interval, coupon.cycles),
    },
  };
}
