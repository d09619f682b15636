import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { intervals } from "#app/domain/plans/rules/intervals.ts";
import { unusedCents } from "#app/domain/subscriptions/coverage/rules.ts";
import {
  prepayOptions,
  canPrepay,
  prepaidPeriodPrices,
  periodsLabel,
  subscriptionDescription,
  savedByInterval,
  soldAsOnePeriod,
} from "#app/domain/subscriptions/prepayments/rules.ts";
import { periodsFrom } from "#app/domain/subscriptions/renewals/rules/periods.ts";
import { addDays, addMonths, formatDay, instantOf } from "#app/domain/time.ts";

const day = (year: number, month: number, date: number) =>
  instantOf({ year, month, day: date }, 10 * 3_600_000);
const now = day(2027, 1, 31);
const priced = { planId: "plan", amountCents: 1_990, interval: "monthly" as const };
const coupon = { percent: 20, amountCents: null, cycles: 3, planIds: null };

test("period boundaries stay on the anchor's day: 31 Jan, 28 Feb, 31 Mar", () => {
  const periods = periodsFrom(now, "monthly", now, 6);
  expect(periods.map(({ endsAt }) => formatDay(endsAt))).toEqual([
    "28/02/2027",
    "31/03/2027",
    "30/04/2027",
    "31/05/2027",
    "30/06/2027",
    "31/07/2027",
  ]);
  const later = periodsFrom(now, "monthly", day(2027, 2, 28), 3);
  expect(later.map(({ endsAt }) => formatDay(endsAt))).toEqual([
    "31/03/2027",
    "30/04/2027",
    "31/05/2027",
  ]);
});

test("periods prepaid at once have the same boundaries as periods paid one by one, without gaps", () => {
  const starts = fc.integer({ min: day(2024, 1, 1), max: day(2028, 12, 31) });
  fc.assert(
    fc.property(
      starts,
      fc.constantFrom(...intervals),
      fc.constantFrom(3, 6, 12),
      (anchor, interval, count) => {
        const periods = periodsFrom(anchor, interval, anchor, count);
        expect(periods).toHaveLength(count);
        for (const [index, { startsAt, endsAt }] of periods.entries()) {
          expect(startsAt).toBe(periods[index - 1]?.endsAt ?? anchor);
          expect(endsAt).toBeGreaterThan(startsAt);
          expect(periodsFrom(anchor, interval, startsAt, 1)).toEqual([{ startsAt, endsAt }]);
        }
      },
    ),
  );
});

describe("the cost of several periods", () => {
  test.each([
    ["no coupon", null, [1_990, 1_990, 1_990]],
    ["a coupon for more periods", { ...coupon, cyclesLeft: 5 }, [1_592, 1_592, 1_592]],
    ["a coupon that ends among them", { ...coupon, cyclesLeft: 2 }, [1_592, 1_592, 1_990]],
    ["a coupon without payments left", { ...coupon, cyclesLeft: 0 }, [1_990, 1_990, 1_990]],
    [
      "a coupon for all of them",
      { ...coupon, cycles: null, cyclesLeft: null },
      [1_592, 1_592, 1_592],
    ],
    [
      "a coupon in reais",
      { ...coupon, percent: null, amountCents: 333, cyclesLeft: 1 },
      [1_657, 1_990, 1_990],
    ],
  ])("%s", (_, held, periodsCents) => {
    expect(prepaidPeriodPrices(priced, held, 3)).toEqual(periodsCents);
  });

  test("each prepay option has its amount and the end of what it covers", () => {
    const choices = prepayOptions(priced, {
      anchorAt: now,
      startsAt: now,
      coupon: { ...coupon, cyclesLeft: 4 },
      now,
    });
    expect(
      choices.map(({ count, amountCents, endsAt }) => [count, amountCents, formatDay(endsAt)]),
    ).toEqual([
      [3, 3 * 1_592, "30/04/2027"],
      [6, 4 * 1_592 + 2 * 1_990, "31/07/2027"],
      [12, 4 * 1_592 + 8 * 1_990, "31/01/2028"],
    ]);
  });

  test.each([
    ["monthly", 1_990, [3, 6, 12]],
    ["weekly", 1_990, [3, 6, 12]],
    ["quarterly", 1_990, [3]],
    ["semiannual", 1_990, []],
    ["annual", 1_990, []],
    ["monthly", 41_666, [3, 6, 12]],
    ["monthly", 41_667, [3, 6]],
    ["monthly", 166_667, []],
  ] as const)(
    "%s at %i can be prepaid for %j periods: R$ 5.000,00 and a year at most",
    (interval, amountCents, counts) => {
      expect(
        prepayOptions(
          { ...priced, interval, amountCents },
          { anchorAt: now, startsAt: now, coupon: null, now },
        ).map(({ count }) => count),
      ).toEqual(counts);
    },
  );

  test("periods already paid count: at most thirteen months can be prepaid", () => {
    const startsAt = addMonths(now, 6);
    expect(
      prepayOptions(priced, { anchorAt: now, startsAt, coupon: null, now }).map(
        ({ count }) => count,
      ),
    ).toEqual([3, 6]);
  });
});

test.each([
  ["active", {}, true],
  ["at its end", { currentPeriodEndsAt: now }, false],
  ["in the grace period", { status: "past_due" as const }, false],
  ["canceled", { status: "canceled" as const }, false],
  ["paused", { status: "paused" as const }, false],
  ["a complimentary subscription", { compEndsAt: now + 1 }, false],
])("%s", (_, input, may) => {
  expect(
    canPrepay(
      { status: "active", currentPeriodEndsAt: now + 1, startedAt: 1, compEndsAt: null, ...input },
      now,
    ),
  ).toBe(may);
});

test("unused days of a prepaid year are the remaining months and days, and all of them before it starts", () => {
  const periods = periodsFrom(now, "monthly", now, 12).map((period) => ({
    ...period,
    amountCents: 1_990,
  }));
  const charge = {
    amountCents: 23_880,
    refundedCents: 0,
    disputedCents: 0,
    waitingCents: 0,
    periods,
  };
  expect(unusedCents(charge, now - 1)).toBe(23_880);
  expect(unusedCents(charge, addDays(now, 181))).toBe(
    5 * 1_990 + Math.floor((1_990 * 30) / 31 + 0.5),
  );
  expect(unusedCents(charge, addMonths(now, 12))).toBe(0);
});

test("labels and descriptions name the number of periods", () => {
  expect(periodsLabel(1, "monthly")).toBe("1 mês");
  expect(periodsLabel(6, "weekly")).toBe("6 semanas");
  expect(
    subscriptionDescription({
      planName: "Camarim",
      creatorName: "Ana",
      interval: "monthly",
      periods: 1,
    }),
  ).toBe("Assinatura Camarim, de Ana");
  expect(
    subscriptionDescription({
      planName: "Camarim",
      creatorName: "Ana",
      interval: "monthly",
      periods: 3,
    }),
  ).toBe("Assinatura Camarim, de Ana: 3 meses");
});

describe("a plan by the month and by the year", () => {
  const monthly = { interval: "monthly" as const, amountCents: 1_990 };
  const annual = { interval: "annual" as const, amountCents: 19_900 };

  test.each([
    ["twelve months beside a cheaper year", [monthly, annual], 12, 23_880, annual],
    ["twelve months at the price of the year", [monthly, annual], 12, 19_900, annual],
    ["twelve months cheaper than the year", [monthly, annual], 12, 17_000, null],
    ["six months beside a year", [monthly, annual], 6, 11_940, null],
    ["twelve months where no year is sold", [monthly], 12, 23_880, null],
  ])("%s", (_, prices, count, amountCents, sold) => {
    expect(soldAsOnePeriod(prices, { interval: "monthly", count, amountCents })).toBe(sold);
  });

  test("a year saves what it costs less than twelve months, and never less than nothing", () => {
    expect(savedByInterval([monthly, annual], annual)).toBe(3_980);
    expect(savedByInterval([monthly, annual], monthly)).toBe(0);
    expect(savedByInterval([annual], annual)).toBe(0);
    expect(savedByInterval([monthly], { interval: "annual", amountCents: 30_000 })).toBe(0);
  });
});
