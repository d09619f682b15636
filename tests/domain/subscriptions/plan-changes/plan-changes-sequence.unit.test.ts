import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { intervals } from "#app/domain/plans/rules/intervals.ts";
import { periodEndsAt } from "#app/domain/plans/rules.ts";
import { unusedCents } from "#app/domain/subscriptions/coverage/rules.ts";
import {
  quoteChange,
  splitPeriodsAt,
} from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import type {
  PlanChangeQuoteInput,
  CoveringPayment,
  PlanChangeQuote,
} from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import { addDays, DAY_MS, instantOf } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

const noon = (year: number, month: number, day: number) =>
  instantOf({ year, month, day }, DAY_MS / 2);
const START = noon(2026, 11, 1);
const monthly = {
  planId: "old",
  planPriceId: "old-m",
  interval: "monthly" as const,
  amountCents: 3_000,
  method: "pix" as const,
  currentPeriodStartsAt: START,
  currentPeriodEndsAt: noon(2026, 12, 1),
};
const row = (
  startsAt: Instant,
  endsAt: Instant,
  more: Partial<CoveringPayment["periods"][number]> = {},
) => ({ id: `${startsAt}`, startsAt, endsAt, isDifference: 0, amountCents: null, ...more });
const paidFor = (more: Partial<CoveringPayment> = {}): CoveringPayment => ({
  chargeId: "base",
  amountCents: 3_000,
  refundedCents: 0,
  disputedCents: 0,
  waitingCents: 0,
  periods: [row(START, monthly.currentPeriodEndsAt)],
  ...more,
});

describe("any sequence of plan changes", () => {
  const change = fc.record({
    afterDays: fc.integer({ min: 0, max: 40 }),
    interval: fc.constantFrom(...intervals),
    amountCents: fc.integer({ min: 500, max: 500_000 }),
  });

  /**
   * The period slices of a subscription after a change is paid, as `changedNowStatements` writes
   * them.
   */
  function applied(
    covering: CoveringPayment[],
    quote: Extract<PlanChangeQuote, { happens: "now" }>,
    chargeId: string,
  ): CoveringPayment[] {
    const { cuts, moved } = quote.keepsPeriod
      ? { cuts: [], moved: [] }
      : splitPeriodsAt(covering, quote.covers.startsAt);
    const shifted = covering.map((charge) => ({
      ...charge,
      periods: [
        ...charge.periods.map((period) => {
          const cut = cuts.find(({ periodId }) => periodId === period.id);
          return cut
            ? { ...period, endsAt: cut.cutEndsAt, amountCents: cut.cutAmountCents }
            : period;
        }),
        ...moved
          .filter((one) => one.chargeId === charge.chargeId)
          .map(({ amountCents }) =>
            row(quote.covers.startsAt, quote.covers.endsAt, {
              id: `${charge.chargeId}-${chargeId}`,
              isDifference: 1,
              amountCents,
            }),
          ),
      ],
    }));
    return [
      ...shifted,
      {
        chargeId,
        amountCents: quote.dueCents,
        refundedCents: 0,
        disputedCents: 0,
        waitingCents: 0,
        periods: [
          row(quote.covers.startsAt, quote.covers.endsAt, {
            id: chargeId,
            isDifference: quote.keepsPeriod ? 1 : 0,
          }),
        ],
      },
    ];
  }

  test("refunds never exceed each payment or their sum; on the day of a change they equal the cost of the rest", () => {
    fc.assert(
      fc.property(
        fc.array(change, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 0, max: 400 }),
        (changes, laterDays) => {
          let subscription: PlanChangeQuoteInput["subscription"] = monthly;
          let covering: CoveringPayment[] = [paidFor()];
          let now = START;
          for (const [index, { afterDays, interval, amountCents }] of changes.entries()) {
            now = addDays(now, afterDays) + 60_000;
            if (now >= (subscription.currentPeriodEndsAt ?? 0)) break;
            const live = covering.filter(({ periods }) =>
              periods.some(({ endsAt }) => endsAt > now),
            );
            const quote = quoteChange({
              subscription,
              covering: live,
              to: { planId: `${index}`, planPriceId: `${index}`, interval, amountCents },
              coupon: null,
              now,
            });
            if (quote.happens !== "now") continue;
            expect(quote.dueCents).toBe(quote.costCents - quote.creditCents);
            covering = [
              ...covering.filter((charge) => !live.includes(charge)),
              ...applied(live, quote, `change-${index}`),
            ];
            const startsAt = quote.keepsPeriod ? subscription.currentPeriodStartsAt : now;
            subscription = {
              ...subscription,
              planId: `${index}`,
              planPriceId: `${index}`,
              interval,
              amountCents,
              currentPeriodStartsAt: startsAt,
              currentPeriodEndsAt: quote.keepsPeriod
                ? subscription.currentPeriodEndsAt
                : periodEndsAt(now, interval),
            };
            const backCents = covering.reduce((sum, charge) => sum + unusedCents(charge, now), 0);
            if (quote.keepsPeriod)
              expect(Math.abs(backCents - quote.costCents)).toBeLessThanOrEqual(covering.length);
            else expect(backCents).toBeLessThanOrEqual(quote.costCents);
          }
          for (const at of [now, addDays(now, laterDays)]) {
            for (const charge of covering) {
              expect(unusedCents(charge, at)).toBeLessThanOrEqual(charge.amountCents);
              expect(unusedCents(charge, at)).toBeGreaterThanOrEqual(
                unusedCents(charge, addDays(at, 1)),
              );
              expect(
                charge.periods.reduce((sum, period) => sum + (period.amountCents ?? 0), 0),
              ).toBeLessThanOrEqual(charge.amountCents);
            }
          }
          expect(
            covering.reduce(
              (sum, charge) => sum + unusedCents(charge, subscription.currentPeriodEndsAt ?? 0),
              0,
            ),
          ).toBe(0);
        },
      ),
      { numRuns: 300 },
    );
  });
});
