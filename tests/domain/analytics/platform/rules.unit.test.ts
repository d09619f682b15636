import { expect, test } from "vitest";
import { platformSums, shareOf } from "#app/domain/analytics/platform/rules.ts";
import { EMPTY_DAY } from "#app/domain/analytics/platform/schema.ts";
import type { PlatformDay } from "#app/domain/analytics/platform/schema.ts";

const day = (times: number): PlatformDay => ({
  grossCents: 1_000 * times,
  feeCents: 50 * times,
  returnedCents: 20 * times,
  checkouts: [
    { method: "pix", started: 7 * times, paid: 5 * times, paidInFiveMinutes: 3, paidInHour: 4 },
  ],
  failures: [{ code: "no_funds", count: times }],
  disputes: 2 * times,
  payouts: { settled: 3 * times, waitMs: 9_000 * times },
  activeCreators: 10 - times,
  activeFans: 10 + times,
});

test("days are added up, but for active people, of whom the best day counts", () => {
  const second = day(2);
  expect(platformSums([day(1), second])).toEqual({
    grossCents: 3_000,
    feeCents: 150,
    returnedCents: 60,
    checkouts: [{ method: "pix", started: 21, paid: 15, paidInFiveMinutes: 6, paidInHour: 8 }],
    failures: [{ code: "no_funds", count: 3 }],
    disputes: 6,
    payouts: { settled: 9, waitMs: 27_000 },
    activeCreators: 9,
    activeFans: 12,
  });
  expect(platformSums([])).toEqual(EMPTY_DAY);
});

test("methods stay apart, and the most frequent failure comes first, then by its code", () => {
  const other: PlatformDay = {
    ...EMPTY_DAY,
    checkouts: [{ method: "card", started: 1, paid: 1, paidInFiveMinutes: 1, paidInHour: 1 }],
    failures: [
      { code: "timeout", count: 1 },
      { code: "declined", count: 4 },
    ],
  };
  const sums = platformSums([day(1), other]);
  expect(sums.checkouts.map(({ method, started }) => [method, started])).toEqual([
    ["pix", 7],
    ["card", 1],
  ]);
  expect(sums.failures.map(({ code }) => code)).toEqual(["declined", "no_funds", "timeout"]);
});

test.each([
  [1, 4, 0.25],
  [0, 4, 0],
  [0, 0, null],
])("%i of %i is the share %s", (part, whole, share) => {
  expect(shareOf(part, whole)).toBe(share);
});
