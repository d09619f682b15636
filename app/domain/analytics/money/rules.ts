import { isWithin } from "#app/domain/analytics/ranges/rules.ts";
import type { AnalyticsRange, DayRange } from "#app/domain/analytics/ranges/rules.ts";
import type { Cents } from "#app/domain/money.ts";
import type { DayNumber, Instant } from "#app/domain/time.ts";

/** What was sold, in centavos. Fee and net are what is left after refunds and disputes. */
export type MoneySums = {
  count: number;
  grossCents: Cents;
  refundedCents: Cents;
  disputedCents: Cents;
  feeCents: Cents;
  netCents: Cents;
};

const NO_MONEY: MoneySums = {
  count: 0,
  grossCents: 0,
  refundedCents: 0,
  disputedCents: 0,
  feeCents: 0,
  netCents: 0,
};

const addMoney = (a: MoneySums, b: MoneySums): MoneySums => ({
  count: a.count + b.count,
  grossCents: a.grossCents + b.grossCents,
  refundedCents: a.refundedCents + b.refundedCents,
  disputedCents: a.disputedCents + b.disputedCents,
  feeCents: a.feeCents + b.feeCents,
  netCents: a.netCents + b.netCents,
});

export type MoneyRow = MoneySums & { day: DayNumber; method: string; kind: string };

/** What was sold of one value of a division; the name is null for what has none. */
export type MoneyPart = MoneySums & { value: string; name: string | null };

/** Sums the rows of a range. */
export const moneyWithin = (rows: readonly MoneyRow[], range: DayRange | null): MoneySums =>
  rows.filter(({ day }) => isWithin(range, day)).reduce(addMoney, NO_MONEY);

/** Sums the rows of a range by one of their columns, the largest net first. */
export function moneyBy(
  rows: readonly MoneyRow[],
  range: AnalyticsRange,
  column: "method" | "kind",
): (MoneySums & { value: string })[] {
  const within = rows.filter(({ day }) => isWithin(range, day));
  return [...Map.groupBy(within, (row) => row[column])]
    .map(([value, group]) => ({ value, ...group.reduce(addMoney, NO_MONEY) }))
    .sort((a, b) => b.netCents - a.netCents || (a.value < b.value ? -1 : 1));
}

/** The next amounts that become available, by day. */
export type ReleaseForecast = { releaseAt: Instant; netCents: Cents };

/**
 * What a payout on `at` would be: what is available now, and what becomes available until then.
 * Debts are deducted. Later refunds and disputes can lower it.
 */
export function payoutForecast(
  balances: { availableCents: Cents; owedCents: Cents },
  releases: readonly ReleaseForecast[],
  at: Instant,
): Cents {
  const released = releases
    .filter(({ releaseAt }) => releaseAt <= at)
    .reduce((sum, { netCents }) => sum + netCents, 0);
  return Math.max(0, balances.availableCents + released - balances.owedCents);
}
