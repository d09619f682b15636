import { counted } from "#app/domain/text.ts";
import type { Cents } from "#app/domain/money.ts";
import { MAXIMUM_PRICE_CENTS } from "#app/domain/plans/rules/limits.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import { nextPaymentCents } from "#app/domain/plans/rules/coupons.ts";
import type { CouponTerms } from "#app/domain/plans/schema/coupons.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import { addMonths } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { periodsFrom } from "#app/domain/subscriptions/renewals/rules/periods.ts";

/** How many periods one Pix may prepay, besides one. */
const AHEAD_PERIODS = [3, 6, 12] as const;
/** No period that ends later than this is prepaid: a year, plus the current month. */
const HORIZON_MONTHS = 13;

export type PrepayOption = {
  count: number;
  /** The price of each period, in order. */
  periodsCents: Cents[];
  amountCents: Cents;
  /** The time that it covers; its end is the day of the next charge. */
  startsAt: Instant;
  endsAt: Instant;
};

type PricedPlan = Pick<Subscription, "planId" | "amountCents" | "interval">;
type CountedCoupon = CouponTerms & { cyclesLeft: number | null };

/**
 * The Pix price of each of the next `count` periods, in centavos: first those that a coupon
 * discounts, then the full price.
 */
export function prepaidPeriodPrices(
  { planId, amountCents }: PricedPlan,
  coupon: CountedCoupon | null,
  count: number,
): Cents[] {
  return Array.from({ length: count }, (_, done) =>
    nextPaymentCents(
      { planId, amountCents, method: "pix" },
      coupon && {
        ...coupon,
        cyclesLeft: coupon.cyclesLeft === null ? null : Math.max(0, coupon.cyclesLeft - done),
      },
    ),
  );
}

/**
 * The options to prepay several periods by Pix, when the next one starts at `startsAt`: 3, 6 or 12.
 * The total is at most the largest plan price, and the end is within thirteen months. Source:
 * domain rules, "Subscriptions", and docs/decisions/money/keep-paid-periods-as-rows-that-move.md.
 */
export function prepayOptions(
  priced: PricedPlan,
  {
    anchorAt,
    startsAt,
    coupon,
    now,
  }: { anchorAt: Instant; startsAt: Instant; coupon: CountedCoupon | null; now: Instant },
): PrepayOption[] {
  return AHEAD_PERIODS.map((count) => {
    const periodsCents = prepaidPeriodPrices(priced, coupon, count);
    const endsAt =
      periodsFrom(anchorAt, priced.interval, startsAt, count).at(-1)?.endsAt ?? startsAt;
    return {
      count,
      periodsCents,
      amountCents: periodsCents.reduce((sum, cents) => sum + cents, 0),
      startsAt,
      endsAt,
    };
  }).filter(
    ({ amountCents, endsAt }) =>
      amountCents <= MAXIMUM_PRICE_CENTS && endsAt <= addMonths(now, HORIZON_MONTHS),
  );
}

/** Intervals that are as long as some months; a week is as long as none. */
const MONTHS: Partial<Record<Interval, number>> = {
  monthly: 1,
  quarterly: 3,
  semiannual: 6,
  annual: 12,
};

type IntervalPrice = { interval: Interval; amountCents: Cents };

/**
 * The price by which the plan sells the time of `count` periods as one period, for no more; null
 * without one. It is offered instead: nobody pays twelve months beside a cheaper year.
 */
export function soldAsOnePeriod<Price extends IntervalPrice>(
  prices: readonly Price[],
  { interval, count, amountCents }: { interval: Interval; count: number; amountCents: Cents },
): Price | null {
  const months = MONTHS[interval];
  if (months === undefined) return null;
  return (
    prices.find(
      (one) => MONTHS[one.interval] === months * count && one.amountCents <= amountCents,
    ) ?? null
  );
}

/** What a price saves beside paying the same time by the month, in centavos; 0 where nothing. */
export function savedByInterval(
  prices: readonly IntervalPrice[],
  { interval, amountCents }: IntervalPrice,
): Cents {
  const monthly = prices.find((one) => one.interval === "monthly");
  const months = MONTHS[interval];
  if (!monthly || months === undefined) return 0;
  return Math.max(0, months * monthly.amountCents - amountCents);
}

/**
 * Whether the next periods of a subscription may be prepaid now: during its paid period, while it
 * renews.
 */
export function canPrepay(
  {
    status,
    currentPeriodEndsAt,
    startedAt,
    compEndsAt,
  }: Pick<Subscription, "status" | "currentPeriodEndsAt" | "startedAt" | "compEndsAt">,
  now: Instant,
): boolean {
  return (
    status === "active" &&
    compEndsAt === null &&
    startedAt !== null &&
    currentPeriodEndsAt !== null &&
    currentPeriodEndsAt > now
  );
}

const PERIOD_TEXTS: Record<Interval, [one: string, several: string]> = {
  weekly: ["semana", "semanas"],
  monthly: ["mês", "meses"],
  quarterly: ["trimestre", "trimestres"],
  semiannual: ["semestre", "semestres"],
  annual: ["ano", "anos"],
};

/** "3 meses", "1 semana". */
export const periodsLabel = (count: number, interval: Interval): string =>
  counted(count, ...PERIOD_TEXTS[interval]);

/** The description of a payment on receipts: "Assinatura Camarim, de Ana Lira: 3 meses". */
export function subscriptionDescription({
  planName,
  creatorName,
  interval,
  periods,
}: {
  planName: string;
  creatorName: string;
  interval: Interval;
  periods: number;
}): string {
  return `Assinatura ${planName}, de ${creatorName}${periods === 1 ? "" : `: ${periodsLabel(periods, interval)}`}`;
}
