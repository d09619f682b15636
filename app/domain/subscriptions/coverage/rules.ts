import { remainingCents } from "#app/domain/payments/rules.ts";
import type { Cents } from "#app/domain/money.ts";
import { daysBetween } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * A paid charge as the refund of its unused days needs it. Amounts are in centavos. `waitingCents`
 * is the sum of refunds already decided.
 */
export type CoveringCharge = {
  amountCents: Cents;
  refundedCents: Cents;
  disputedCents: Cents;
  waitingCents: Cents;
  /**
   * `amountCents`: what the charge pays for this period slice alone. Slices without it share the
   * rest of the charge by days.
   */
  periods: { startsAt: Instant; endsAt: Instant; amountCents?: Cents | null }[];
};

/**
 * The centavos of a paid charge to refund when its subscription ends at `at`. A priced period that
 * did not start is refunded whole. The current period is refunded for its days not started, in São
 * Paulo days, rounded half up to the centavo. Period slices without a price share the rest by days.
 * Never more than what remains of the charge. Source: domain rules, "Access" (unused days).
 */
export function unusedCents(charge: CoveringCharge, at: Instant): Cents {
  const alone = charge.periods.filter((period) => typeof period.amountCents === "number");
  const together = charge.periods.filter((period) => typeof period.amountCents !== "number");
  const aloneCents = alone.reduce((sum, { amountCents }) => sum + (amountCents ?? 0), 0);
  const unused = alone.reduce(
    (sum, period) => sum + proratedCents(period.amountCents ?? 0, countDays([period], at)),
    proratedCents(charge.amountCents - aloneCents, countDays(together, at)),
  );
  return Math.max(0, Math.min(remainingCents(charge) - charge.waitingCents, unused));
}

type DayCount = { total: number; left: number };

/** The share of an amount for `left` of `total` days, in centavos rounded half up. */
export const proratedCents = (amountCents: Cents, { total, left }: DayCount): Cents =>
  total === 0 ? 0 : Math.floor((2 * amountCents * left + total) / (2 * total));

/** Counts the days of some periods, and how many of them had not started at `at`. */
export function countDays(
  periods: readonly { startsAt: Instant; endsAt: Instant }[],
  at: Instant,
): DayCount {
  return periods
    .map((period) => daysOf(period, at))
    .reduce((sum, { total, left }) => ({ total: sum.total + total, left: sum.left + left }), {
      total: 0,
      left: 0,
    });
}

/** The day of `at` counts as used. */
function daysOf(
  { startsAt, endsAt }: { startsAt: Instant; endsAt: Instant },
  at: Instant,
): DayCount {
  const total = daysBetween(startsAt, endsAt);
  const daysStarted = at < startsAt ? 0 : daysBetween(startsAt, at) + 1;
  return { total, left: Math.max(0, total - daysStarted) };
}
