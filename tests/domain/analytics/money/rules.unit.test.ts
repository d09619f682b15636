import { expect, test } from "vitest";
import { moneyBy, moneyWithin, payoutForecast } from "#app/domain/analytics/money/rules.ts";

const row = (day: number, method: string, times: number) => ({
  day,
  method,
  kind: "plan",
  count: times,
  grossCents: 1_000 * times,
  refundedCents: 100 * times,
  disputedCents: 50 * times,
  feeCents: 40 * times,
  netCents: 810 * times,
});
const ROWS = [row(9, "pix", 1), row(10, "pix", 2), row(11, "card", 4), row(12, "pix", 8)];
const RANGE = { name: "own" as const, from: 10, until: 11, before: null };

test("every amount of the days of a range is added up, the first and the last day included", () => {
  expect(moneyWithin(ROWS, RANGE)).toEqual({
    count: 6,
    grossCents: 6_000,
    refundedCents: 600,
    disputedCents: 300,
    feeCents: 240,
    netCents: 4_860,
  });
  expect(moneyWithin(ROWS, null).count).toBe(0);
});

test("parts are the same sums by one column, the largest net first, then by name", () => {
  expect(moneyBy(ROWS, RANGE, "method").map(({ value, count }) => [value, count])).toEqual([
    ["card", 4],
    ["pix", 2],
  ]);
  const equal = [row(10, "pix", 1), row(10, "card", 1)];
  expect(moneyBy(equal, RANGE, "method").map(({ value }) => value)).toEqual(["card", "pix"]);
});

test.each([
  [{ availableCents: 500, owedCents: 0 }, 10, 800],
  [{ availableCents: 500, owedCents: 0 }, 9, 500],
  [{ availableCents: 500, owedCents: 700 }, 10, 100],
  [{ availableCents: 0, owedCents: 700 }, 10, 0],
])("the forecast of %j at %i is %i", (balances, at, cents) => {
  expect(payoutForecast(balances, [{ releaseAt: 10, netCents: 300 }], at)).toBe(cents);
});
