import { formatMoney, shareRoundedHalfUp } from "#app/domain/money.ts";
import type { Cents } from "#app/domain/money.ts";
import { paymentMethods } from "#app/domain/payments/methods/rules.ts";
import type { PaymentMethod } from "#app/domain/payments/schema.ts";
import { MINIMUM_PRICE_CENTS } from "#app/domain/plans/schema.ts";
import type { Coupon, CouponTerms } from "#app/domain/plans/schema/coupons.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

const BASIS_POINTS_OF_A_PERCENT = 100;

/**
 * What `priceCents` costs with a coupon, in centavos; a per cent is rounded half up. Below zero
 * when the coupon takes more than there is.
 */
export function discountedCents(
  { percent, amountCents }: Pick<CouponTerms, "percent" | "amountCents">,
  priceCents: Cents,
): Cents {
  return (
    priceCents -
    (percent === null
      ? (amountCents ?? 0)
      : shareRoundedHalfUp(priceCents, percent * BASIS_POINTS_OF_A_PERCENT))
  );
}

export type CouponProblem =
  | "unknown"
  | "ended"
  | "expired"
  | "used_up"
  | "other_plan"
  | "used"
  | "too_low"
  | "too_many";

/**
 * How many codes that nobody made somebody may type: enough for whoever misreads one, far too few
 * to guess one.
 */
export const COUPON_CODE_RATE_LIMITS = [
  { windowMs: 10 * MINUTE_MS, limit: 10 },
  { windowMs: DAY_MS, limit: 60 },
] as const;

/** Why a coupon is not for sale any more, to nobody, or null. Source: domain rules, "Plans". */
export function couponClosedProblem(
  {
    endedAt,
    expiresAt,
    usesLimit,
    usesCount,
  }: Pick<Coupon, "endedAt" | "expiresAt" | "usesLimit" | "usesCount">,
  now: Instant,
): "ended" | "expired" | "used_up" | null {
  if (endedAt !== null) return "ended";
  if (expiresAt !== null && expiresAt <= now) return "expired";
  return usesLimit !== null && usesCount >= usesLimit ? "used_up" : null;
}

/**
 * Why a coupon does not discount this price of this plan for this person now, or null when it does.
 * A price with a discount stays within the prices that there are: nothing is sold under R$ 5,00.
 */
export function couponProblem(
  coupon: Coupon,
  {
    planId,
    priceCents,
    wasUsed,
    now,
  }: { planId: string; priceCents: Cents; wasUsed: boolean; now: Instant },
): CouponProblem | null {
  if (!isCouponForPlan(coupon, planId)) return "other_plan";
  if (wasUsed) return "used";
  const closed = couponClosedProblem(coupon, now);
  if (closed) return closed;
  return discountedCents(coupon, priceCents) < MINIMUM_PRICE_CENTS ? "too_low" : null;
}

export const isCouponForPlan = (
  { planIds }: Pick<CouponTerms, "planIds">,
  planId: string,
): boolean => planIds === null || planIds.includes(planId);

/**
 * What the next payment of a subscription costs, in centavos: its price, less the coupon that it
 * began with while that has payments left and is for its plan. Never under what its method may be
 * charged.
 */
export function nextPaymentCents(
  subscription: { planId: string; amountCents: Cents; method: PaymentMethod },
  coupon: (CouponTerms & { cyclesLeft: number | null }) | null,
): Cents {
  if (!coupon || coupon.cyclesLeft === 0 || !isCouponForPlan(coupon, subscription.planId))
    return subscription.amountCents;
  const leastCents = Math.max(
    MINIMUM_PRICE_CENTS,
    paymentMethods[subscription.method].minimumCents,
  );
  return Math.min(
    subscription.amountCents,
    Math.max(leastCents, discountedCents(coupon, subscription.amountCents)),
  );
}

/** "20% de desconto nos 3 primeiros pagamentos". */
export function couponLabel({
  percent,
  amountCents,
  cycles,
}: Pick<CouponTerms, "percent" | "amountCents" | "cycles">): string {
  const discount = percent === null ? formatMoney(amountCents ?? 0) : `${percent}%`;
  return `${discount} de desconto ${couponCyclesLabel(cycles)}`;
}

/** "nos 3 primeiros pagamentos". */
function couponCyclesLabel(cycles: number | null): string {
  if (cycles === null) return "em todos os pagamentos";
  return cycles === 1 ? "no primeiro pagamento" : `nos ${cycles} primeiros pagamentos`;
}
