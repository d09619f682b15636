import { EMPTY_DAY } from "./schema.ts";
import type { CheckoutSums, PlatformDay } from "./schema.ts";

/** Sums days. Active people of several days are the most of one day: they are not added up. */
export function platformSums(days: readonly PlatformDay[]): PlatformDay {
  return days.reduce<PlatformDay>(
    (sum, day) => ({
      grossCents: sum.grossCents + day.grossCents,
      feeCents: sum.feeCents + day.feeCents,
      returnedCents: sum.returnedCents + day.returnedCents,
      checkouts: addCheckouts(sum.checkouts, day.checkouts),
      failures: addFailures(sum.failures, day.failures),
      disputes: sum.disputes + day.disputes,
      payouts: {
        settled: sum.payouts.settled + day.payouts.settled,
        waitMs: sum.payouts.waitMs + day.payouts.waitMs,
      },
      activeCreators: Math.max(sum.activeCreators, day.activeCreators),
      activeFans: Math.max(sum.activeFans, day.activeFans),
    }),
    EMPTY_DAY,
  );
}

function addCheckouts(a: CheckoutSums[], b: CheckoutSums[]): CheckoutSums[] {
  return [...Map.groupBy([...a, ...b], ({ method }) => method)].map(([method, group]) =>
    group.reduce(
      (sum, one) => ({
        method,
        started: sum.started + one.started,
        paid: sum.paid + one.paid,
        paidInFiveMinutes: sum.paidInFiveMinutes + one.paidInFiveMinutes,
        paidInHour: sum.paidInHour + one.paidInHour,
      }),
      { method, started: 0, paid: 0, paidInFiveMinutes: 0, paidInHour: 0 },
    ),
  );
}

function addFailures(a: PlatformDay["failures"], b: PlatformDay["failures"]) {
  return [...Map.groupBy([...a, ...b], ({ code }) => code)]
    .map(([code, group]) => ({ code, count: group.reduce((sum, one) => sum + one.count, 0) }))
    .sort((x, y) => y.count - x.count || (x.code < y.code ? -1 : 1));
}

/** The share of `part` among `whole`; null of nothing. */
export const shareOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : part / whole;
