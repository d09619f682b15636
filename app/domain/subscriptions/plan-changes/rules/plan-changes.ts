import type { Cents } from "#app/domain/money.ts";
import { FALLBACK_METHOD } from "#app/domain/payments/methods/rules.ts";
import { methodsForPrice, monthlyPriceCents, periodEndsAt } from "#app/domain/plans/rules.ts";
import { nextPaymentCents } from "#app/domain/plans/rules/coupons.ts";
import { intervals } from "#app/domain/plans/rules/intervals.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import type { CouponTerms } from "#app/domain/plans/schema/coupons.ts";
import { countDays, proratedCents, unusedCents } from "#app/domain/subscriptions/coverage/rules.ts";
import type { CoveringCharge } from "#app/domain/subscriptions/coverage/rules.ts";
import type { Subscription, SubscriptionStatus } from "#app/domain/subscriptions/schema.ts";
import type { PriceConsent } from "#app/domain/subscriptions/price-changes/schema.ts";
import { addDays, civilDate, instantOf } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** What a member subscribes to: a plan, an interval and their price (centavos). */
export type SubscriptionTerms = {
  planId: string;
  planPriceId: string;
  interval: Interval;
  amountCents: Cents;
};

/** A smaller difference is not charged: the change happens at the next renewal. */
export const MINIMUM_DIFFERENCE_CENTS = 100;

export type PlanChangeState = "open" | "scheduled" | "paid" | "done" | "over" | "reversed";

export type PlanChangeProblem =
  | "comp"
  | "gift"
  | "not_active"
  | "past_due"
  | "requires_action"
  | "paused"
  | "canceled"
  | "trialing"
  | "disputed"
  | "away"
  | "shut"
  | "not_sold"
  | "full"
  | "same"
  | "paid_change"
  | "method";

const STATE_PROBLEMS: Partial<Record<SubscriptionStatus, PlanChangeProblem>> = {
  past_due: "past_due",
  requires_action: "requires_action",
  paused: "paused",
  canceled: "canceled",
  trialing: "trialing",
};

/**
 * Why the plan of a subscription cannot change in its current status, whatever the target; null
 * when it can. A comp has no price, and an owed payment comes first.
 */
export function planChangeStateProblem({
  status,
  compEndsAt,
  giftedBy,
}: Pick<Subscription, "status" | "compEndsAt" | "giftedBy">): PlanChangeProblem | null {
  if (compEndsAt !== null) return "comp";
  if (giftedBy !== null) return "gift";
  return status === "active" ? null : (STATE_PROBLEMS[status] ?? "not_active");
}

export type PendingPlanChange = {
  state: PlanChangeState;
  toPlanId: string;
  toPlanPriceId: string;
  toInterval: Interval;
  toAmountCents: Cents;
};

/**
 * The terms of the next period: unchanged, at the price that the subscriber `agreed` to, or on the
 * scheduled plan. A price under R$ 10,00 is paid by Pix only.
 */
export function nextTerms<Now extends SubscriptionTerms & Pick<Subscription, "method">>(
  subscription: Now,
  change: PendingPlanChange | null,
  agreed: Pick<PriceConsent, "toPlanPriceId" | "toAmountCents"> | null,
): Now {
  if (change && change.state !== "open") {
    const to = {
      planId: change.toPlanId,
      planPriceId: change.toPlanPriceId,
      interval: change.toInterval,
      amountCents: change.toAmountCents,
    };
    return {
      ...subscription,
      ...to,
      method: methodForPrice(subscription.method, change.toAmountCents),
    };
  }
  if (!agreed) return subscription;
  return {
    ...subscription,
    planPriceId: agreed.toPlanPriceId,
    amountCents: agreed.toAmountCents,
    method: methodForPrice(subscription.method, agreed.toAmountCents),
  };
}

/** The name of the plan of the next period. */
export const nextPlanName = ({
  plan,
  change,
}: {
  plan: { name: string };
  change: { state: PlanChangeState; toPlanName: string } | null;
}): string => (change && change.state !== "open" ? change.toPlanName : plan.name);

/** The method for a price, when `method` was used until now. */
export const methodForPrice = (
  method: Subscription["method"],
  amountCents: Cents,
): Subscription["method"] =>
  methodsForPrice(amountCents).includes(method) ? method : FALLBACK_METHOD;

/** A charge that pays for days of the subscription that have not passed. */
export type CoveringPayment = Omit<CoveringCharge, "periods"> & {
  chargeId: string;
  periods: {
    id: string;
    startsAt: Instant;
    endsAt: Instant;
    isDifference: number;
    amountCents: Cents | null;
  }[];
};

export type PlanChangeQuoteInput = {
  subscription: Pick<
    Subscription,
    | "planId"
    | "planPriceId"
    | "interval"
    | "amountCents"
    | "method"
    | "currentPeriodStartsAt"
    | "currentPeriodEndsAt"
  >;
  covering: readonly CoveringPayment[];
  to: SubscriptionTerms;
  coupon: HeldCoupon | null;
  now: Instant;
};

/**
 * The coupon that a subscription started with and still holds. `fullPriceAt`: when the first period
 * at full price starts, once known.
 */
export type HeldCoupon = CouponTerms & { cyclesLeft: number | null; fullPriceAt: Instant | null };

type ChangePeriod = { startsAt: Instant; endsAt: Instant };

/**
 * How a change happens. `now`: `dueCents` is the cost of the rest of the period on the new plan,
 * less the unused paid part (`creditCents`). With `keepsPeriod` the period's dates stay; without it
 * a new period starts today. `next_period` costs nothing until `beginsAt`. `nextCents` is the
 * charge after that, on `nextChargeAt`.
 */
export type PlanChangeQuote =
  | {
      happens: "now";
      keepsPeriod: boolean;
      costCents: Cents;
      creditCents: Cents;
      dueCents: Cents;
      days: { total: number; left: number };
      covers: ChangePeriod;
      nextChargeAt: Instant;
      nextCents: Cents;
    }
  | {
      happens: "next_period";
      because: "weighs_less" | "little" | "paid_ahead";
      beginsAt: Instant;
      nextChargeAt: Instant;
      nextCents: Cents;
    };

/**
 * Quotes a change to `to` at `now`. An upgrade happens now: its monthly price is higher, or it pays
 * for longer at once. Everything else waits for the next period, as does a difference under
 * `MINIMUM_DIFFERENCE_CENTS`. A change of interval also waits while the next period is prepaid.
 * Days are São Paulo days, today counts as used, and each line is rounded half up to the centavo.
 * Source: domain rules, "Subscriptions" (changing plan);
 * docs/decisions/money/charge-an-upgrade-its-prorated-difference.md.
 */
export function quoteChange({
  subscription,
  covering,
  to,
  coupon,
  now,
}: PlanChangeQuoteInput): PlanChangeQuote {
  const endsAt = subscription.currentPeriodEndsAt ?? now;
  const keepsPeriod = to.interval === subscription.interval;
  const next = {
    ...subscription,
    ...to,
    method: methodForPrice(subscription.method, to.amountCents),
  };
  const later = (because: "weighs_less" | "little" | "paid_ahead"): PlanChangeQuote => ({
    happens: "next_period",
    because,
    beginsAt: endsAt,
    nextChargeAt: endsAt,
    nextCents: nextPaymentCents(next, coupon),
  });
  if (!isUpgrade(subscription, to)) return later("weighs_less");
  if (
    !isOnePeriodEach(subscription, covering, now) ||
    (!keepsPeriod && isPaidAhead(subscription, covering, now))
  )
    return later("paid_ahead");
  const creditCents = covering.reduce((sum, charge) => sum + unusedCents(charge, now), 0);
  const days = countDays(covering.flatMap(ownPeriods), now);
  const costCents = keepsPeriod
    ? restCents(covering, periodPriceCents(subscription, next, coupon), now)
    : nextPaymentCents(next, coupon);
  const dueCents = costCents - creditCents;
  if (dueCents < MINIMUM_DIFFERENCE_CENTS) return later("little");
  const covers = keepsPeriod
    ? { startsAt: startOfTomorrow(now), endsAt }
    : { startsAt: now, endsAt: periodEndsAt(now, to.interval) };
  const after = keepsPeriod ? coupon : afterOneMore(coupon);
  return {
    happens: "now",
    keepsPeriod,
    costCents,
    creditCents,
    dueCents,
    days,
    covers,
    nextChargeAt: covers.endsAt,
    nextCents: nextPaymentCents(next, after),
  };
}

function isUpgrade(
  from: Pick<SubscriptionTerms, "interval" | "amountCents">,
  to: SubscriptionTerms,
): boolean {
  return (
    monthlyPriceCents(to.amountCents, to.interval) >
      monthlyPriceCents(from.amountCents, from.interval) ||
    intervals.indexOf(to.interval) > intervals.indexOf(from.interval)
  );
}

/** The periods that a charge covers by itself, without those of a difference. */
const ownPeriods = ({ periods }: CoveringPayment) =>
  periods.filter(({ isDifference }) => isDifference === 0);

/** The longest length of each interval. */
const LONGEST_DAYS: Record<Interval, number> = {
  weekly: 7,
  monthly: 31,
  quarterly: 92,
  semiannual: 184,
  annual: 366,
};
/** When a pause splits a period, a day may count in both slices. */
const CUT_DAYS = 2;

const isPaidAhead = (
  { currentPeriodStartsAt }: PlanChangeQuoteInput["subscription"],
  covering: readonly CoveringPayment[],
  now: Instant,
): boolean =>
  (currentPeriodStartsAt !== null && currentPeriodStartsAt > now) ||
  covering.filter((charge) => countDays(ownPeriods(charge), now).left > 0).length > 1;

const isOnePeriodEach = (
  { interval }: PlanChangeQuoteInput["subscription"],
  covering: readonly CoveringPayment[],
  now: Instant,
): boolean =>
  covering.every(
    (charge) =>
      countDays(ownPeriods(charge), now).left === 0 ||
      countDays(ownPeriods(charge), now).total <= LONGEST_DAYS[interval] + CUT_DAYS,
  );

/** What the remaining days of each paid period cost at another price for the whole period. */
function restCents(covering: readonly CoveringPayment[], priceCents: Cents, now: Instant): Cents {
  return covering.reduce(
    (sum, charge) => sum + proratedCents(priceCents, countDays(ownPeriods(charge), now)),
    0,
  );
}

/** What the current period costs on another plan: with the coupon, if it was paid with it. */
function periodPriceCents(
  { currentPeriodStartsAt }: PlanChangeQuoteInput["subscription"],
  next: PlanChangeQuoteInput["subscription"],
  coupon: HeldCoupon | null,
): Cents {
  const isDiscounted =
    coupon !== null &&
    (coupon.cyclesLeft !== 0 ||
      (coupon.fullPriceAt !== null && coupon.fullPriceAt > (currentPeriodStartsAt ?? 0)));
  return nextPaymentCents(next, isDiscounted ? { ...coupon, cyclesLeft: null } : null);
}

/** A new period paid today uses one of the coupon's payments. */
const afterOneMore = (coupon: HeldCoupon | null): HeldCoupon | null =>
  coupon && {
    ...coupon,
    cyclesLeft: coupon.cyclesLeft === null ? null : Math.max(0, coupon.cyclesLeft - 1),
  };

const startOfTomorrow = (now: Instant): Instant => addDays(instantOf(civilDate(now)), 1);

/**
 * A period slice before and after a split, and how much of its charge pays for the new period
 * instead.
 */
export type PeriodSplit = {
  cuts: {
    periodId: string;
    chargeId: string;
    endsAt: Instant;
    amountCents: Cents | null;
    cutEndsAt: Instant;
    cutAmountCents: Cents | null;
  }[];
  moved: { chargeId: string; amountCents: Cents }[];
};

/**
 * Splits the paid periods where a new period starts, at `at`. Each charge's slices end there, and
 * its unused value (`unusedCents`) pays for the new period. The sum of all periods stays equal to
 * what was paid.
 */
export function splitPeriodsAt(covering: readonly CoveringPayment[], at: Instant): PeriodSplit {
  return {
    cuts: covering.flatMap(({ chargeId, periods }) =>
      periods
        .filter(({ startsAt, endsAt }) => startsAt < at && endsAt > at)
        .map((period) => ({
          periodId: period.id,
          chargeId,
          endsAt: period.endsAt,
          amountCents: period.amountCents,
          cutEndsAt: at,
          cutAmountCents:
            period.amountCents === null
              ? null
              : period.amountCents - proratedCents(period.amountCents, countDays([period], at)),
        })),
    ),
    moved: covering
      .map((charge) => ({ chargeId: charge.chargeId, amountCents: unusedCents(charge, at) }))
      .filter(({ amountCents }) => amountCents > 0),
  };
}
