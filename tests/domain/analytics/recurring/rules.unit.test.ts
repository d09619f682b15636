import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  averageCents,
  churnRate,
  lifetimeCents,
  recurringCents,
  recurringKinds,
  recurringPeriods,
} from "#app/domain/analytics/recurring/rules.ts";
import type { RecurringDay } from "#app/domain/analytics/recurring/rules.ts";

const PAID = {
  status: "active",
  amountCents: 12_000,
  interval: "monthly",
  startedAt: 1,
  currentPeriodStartsAt: 1,
  trialEndsAt: null,
  compEndsAt: null,
  giftedBy: null,
} as const;

describe("what a subscription adds to the recurring revenue", () => {
  test.each([
    ["a month's price", {}, 12_000],
    ["a year's price over twelve months", { interval: "annual" }, 1_000],
    ["nothing before its first payment", { startedAt: null, status: "incomplete" }, 0],
    ["as much with a late payment", { status: "past_due" }, 12_000],
    ["as much while it runs to its end", { status: "canceled" }, 12_000],
    ["nothing while it is paused", { status: "paused" }, 0],
    ["nothing once it ended", { status: "expired" }, 0],
    ["nothing on a trial", { status: "trialing", trialEndsAt: 9 }, 0],
    ["nothing when a trial is canceled", { status: "canceled", trialEndsAt: 9 }, 0],
    ["its price once a trial is paid", { currentPeriodStartsAt: 9, trialEndsAt: 9 }, 12_000],
    ["nothing as a comp", { compEndsAt: 9 }, 0],
    ["nothing as a gift", { giftedBy: "ana" }, 0],
  ] as const)("%s", (_, changes, cents) => {
    expect(recurringCents({ ...PAID, ...changes })).toBe(cents);
  });
});

const day = (at: number, kind: RecurringDay["kind"], count: number, monthlyCents: number) => ({
  day: at,
  kind,
  count,
  monthlyCents,
});

describe("the waterfall", () => {
  const DAYS = [
    day(3, "new", 9, 9_000),
    day(10, "new", 2, 2_000),
    day(12, "churn", 1, -1_000),
    day(20, "reactivation", 1, 1_000),
    day(21, "expansion", 3, 600),
    day(22, "contraction", 1, -100),
  ];

  test("begins each period with what the one before ended with, up to what runs now", () => {
    const periods = recurringPeriods([10, 20], DAYS, { count: 11, monthlyCents: 11_500 });
    expect(
      periods.map(({ startCents, startCount, endCents, endCount }) => [
        startCents,
        startCount,
        endCents,
        endCount,
      ]),
    ).toEqual([
      [9_000, 9, 10_000, 10],
      [10_000, 10, 11_500, 11],
    ]);
    expect(periods[0]?.moves).toMatchObject({
      new: { count: 2, monthlyCents: 2_000 },
      churn: { count: 1, monthlyCents: -1_000 },
      expansion: { count: 0, monthlyCents: 0 },
    });
  });

  test("of any moves adds up in every period, and periods meet", () => {
    const move = fc.record({
      day: fc.integer({ min: 0, max: 60 }),
      kind: fc.constantFrom(...recurringKinds),
      count: fc.integer({ min: 0, max: 5 }),
      monthlyCents: fc.integer({ min: -9_999, max: 9_999 }),
    });
    const now = fc.record({ count: fc.nat(99), monthlyCents: fc.nat(99_999) });
    fc.assert(
      fc.property(fc.array(move), now, (days, present) => {
        const periods = recurringPeriods([5, 20, 21, 50], days, present);
        for (const { startCents, endCents, moves } of periods)
          expect(
            recurringKinds.reduce((sum, kind) => sum + moves[kind].monthlyCents, startCents),
          ).toBe(endCents);
        expect(periods.slice(1).map(({ startCents }) => startCents)).toEqual(
          periods.slice(0, -1).map(({ endCents }) => endCents),
        );
        expect(periods.at(-1)).toMatchObject({
          endCents: present.monthlyCents,
          endCount: present.count,
        });
      }),
    );
  });
});

describe("the rates", () => {
  const [period] = recurringPeriods([1], [day(2, "churn", 2, -2_000)], {
    count: 8,
    monthlyCents: 8_000,
  });

  test("churn is who ended over who ran at the start, and unknown when nobody did", () => {
    expect(period && churnRate(period)).toBe(0.2);
    const [empty] = recurringPeriods([1], [], { count: 0, monthlyCents: 0 });
    expect(empty && churnRate(empty)).toBeNull();
  });

  test("who joined and left within the period counts, up to all", () => {
    const days = [day(2, "new", 5, 5_000), day(3, "churn", 6, -6_000)];
    const [short] = recurringPeriods([1], days, { count: 0, monthlyCents: 0 });
    expect(short && churnRate(short)).toBe(1);
  });

  test.each([
    [{ count: 4, monthlyCents: 8_000 }, 0.1, 2_000, 20_000],
    [{ count: 4, monthlyCents: 8_000 }, 0, 2_000, null],
    [{ count: 4, monthlyCents: 8_000 }, null, 2_000, null],
    [{ count: 0, monthlyCents: 0 }, 0.1, null, null],
  ])(
    "of %o with churn %s the average is %s and the lifetime %s",
    (now, churn, average, lifetime) => {
      expect(averageCents(now)).toBe(average);
      expect(lifetimeCents(now, churn)).toBe(lifetime);
    },
  );
});
