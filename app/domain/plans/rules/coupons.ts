import { formatMoney, shareRoundedHalfUp } from "#app/domain/money.ts";
import type { Cents } from "#app/domain/money.ts";
import { paymentMethods } from "#app/domain/payments/methods/rules.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import { MINIMUM_PRICE_CENTS } from "./limits.ts";
import type { Coupon, CouponTerms } from "#app/domain/plans/schema/coupons.ts";
import { counted, nounFor } from "#app/domain/text.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

const BASIS_POINTS_OF_A_PERCENT = 100;

/**
 * The price `priceCents` with a coupon, in centavos; a percentage is rounded half up. Below zero
 * when the coupon exceeds the price.
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

/** How many unknown codes a member may type: enough for misreading one, far too few to guess one. */
export const COUPON_CODE_RATE_LIMITS = [
  { windowMs: 10 * MINUTE_MS, limit: 10 },
  { windowMs: DAY_MS, limit: 60 },
] as const;

/** Why a coupon is closed to everybody, or null. Source: domain rules, "Plans". */
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
 * Why a coupon does not apply to this price, plan and member now; null when it does. A discounted
 * price stays a valid price: nothing is sold under R$ 5,00.
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
 * The next payment of a subscription, in centavos. It is the price, less its first coupon while
 * that has payments left and is for its plan. Never below the minimum of its method.
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
  return nounFor(
    cycles,
    "no primeiro pagamento",
    `nos ${counted(cycles, "primeiro pagamento", "primeiros pagamentos")}`,
  );
}
