import type { Cents } from "#app/domain/money.ts";
import { periodEndsAt } from "#app/domain/plans/rules.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import type { Instant } from "#app/domain/time.ts";

export type Period = { startsAt: Instant; endsAt: Instant };

/**
 * The period that starts at `startsAt` of a subscription anchored at `anchorAt`. Boundaries count
 * from the anchor and never drift.
 */
export function periodFrom(anchorAt: Instant, interval: Interval, startsAt: Instant): Period {
  let periods = 1;
  while (periodEndsAt(anchorAt, interval, periods) <= startsAt) periods += 1;
  return { startsAt, endsAt: periodEndsAt(anchorAt, interval, periods) };
}

/** `count` consecutive periods from `startsAt`, their ends counted from the anchor. */
export function periodsFrom(
  anchorAt: Instant,
  interval: Interval,
  startsAt: Instant,
  count: number,
): Period[] {
  const periods: Period[] = [];
  for (let at = startsAt; periods.length < count; at = periods.at(-1)?.endsAt ?? at)
    periods.push(periodFrom(anchorAt, interval, at));
  return periods;
}

/** Returns the time from the start of the first period to the end of the last. */
export function wholePeriod(periods: readonly Period[]): Period {
  const [first, last] = [periods[0], periods.at(-1)];
  if (!first || !last) throw new Error("a charge covers at least one period");
  return { startsAt: first.startsAt, endsAt: last.endsAt };
}

/**
 * Returns the price of each of several periods, with its start. Empty for a charge of one period,
 * whose funds are released whole.
 */
export function pricedPeriods(
  { periodsCents }: { periodsCents: readonly Cents[] | null },
  periods: readonly Period[],
): { startsAt: Instant; cents: Cents }[] {
  return (periodsCents ?? []).flatMap((cents, position) =>
    periods[position] ? [{ startsAt: periods[position].startsAt, cents }] : [],
  );
}
