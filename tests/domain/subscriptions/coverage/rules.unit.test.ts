import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unusedCents } from "#app/domain/subscriptions/coverage/rules.ts";
import type { CoveringCharge } from "#app/domain/subscriptions/coverage/rules.ts";
import { addDays, addMonths, DAY_MS, instantOf } from "#app/domain/time.ts";

const noon = (year: number, month: number, day: number) =>
  instantOf({ year, month, day }, DAY_MS / 2);
const DECEMBER = { startsAt: noon(2026, 12, 1), endsAt: noon(2027, 1, 1) };
const paid = (more: Partial<CoveringCharge> = {}): CoveringCharge => ({
  amountCents: 3_100,
  refundedCents: 0,
  disputedCents: 0,
  waitingCents: 0,
  periods: [DECEMBER],
  ...more,
});

describe("the refund of unused days", () => {
  test.each([
    ["before it starts, the whole amount", noon(2026, 11, 30), 3_100],
    ["in its first second, the day was used", DECEMBER.startsAt, 3_000],
    [
      "a minute before its first midnight",
      instantOf({ year: 2026, month: 12, day: 1 }, DAY_MS - 60_000),
      3_000,
    ],
    ["a minute after it", instantOf({ year: 2026, month: 12, day: 2 }, 60_000), 2_900],
    ["on the day before the last", noon(2026, 12, 30), 100],
    ["on the last full day", noon(2026, 12, 31), 0],
    ["at its end", DECEMBER.endsAt, 0],
    ["long after its end", noon(2027, 5, 1), 0],
  ])("%s", (_, at, cents) => {
    expect(unusedCents(paid(), at)).toBe(cents);
  });

  test("half a centavo is rounded in favour of the payer", () => {
    const twoDays = { startsAt: noon(2026, 12, 1), endsAt: noon(2026, 12, 3) };
    expect(unusedCents(paid({ amountCents: 501, periods: [twoDays] }), noon(2026, 12, 1))).toBe(
      251,
    );
  });

  test("includes the days of both periods of a charge that paid for two", () => {
    const january = { startsAt: DECEMBER.endsAt, endsAt: noon(2027, 2, 1) };
    expect(
      unusedCents(paid({ amountCents: 6_200, periods: [DECEMBER, january] }), noon(2026, 12, 31)),
    ).toBe(3_100);
  });

  test("values each period at its own price, to the centavo", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 500, max: 50_000 }), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 0, max: 11 }),
        fc.integer({ min: 0, max: 30 }),
        (costs, started, day) => {
          const periods = costs.map((amountCents, month) => ({
            startsAt: addMonths(DECEMBER.startsAt, month),
            endsAt: addMonths(DECEMBER.startsAt, month + 1),
            amountCents,
          }));
          const amountCents = costs.reduce((sum, cents) => sum + cents, 0);
          const running = started % costs.length;
          const at = addDays(addMonths(DECEMBER.startsAt, running), Math.min(day, 27));
          const untouched = costs.slice(running + 1).reduce((sum, cents) => sum + cents, 0);
          const alone = unusedCents(
            paid({
              amountCents: costs[running] ?? 0,
              periods: periods.slice(running, running + 1),
            }),
            at,
          );
          expect(unusedCents(paid({ amountCents, periods }), at)).toBe(untouched + alone);
          expect(unusedCents(paid({ amountCents, periods }), DECEMBER.startsAt - 1)).toBe(
            amountCents,
          );
        },
      ),
    );
  });

  test("deducts refunds that are sent or pending", () => {
    expect(unusedCents(paid({ refundedCents: 3_000 }), DECEMBER.startsAt)).toBe(100);
    expect(
      unusedCents(paid({ refundedCents: 2_000, waitingCents: 1_100 }), DECEMBER.startsAt),
    ).toBe(0);
  });

  test("never grows as days pass and never exceeds the payment", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 500, max: 500_000 }),
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: -5, max: 410 }),
        (amountCents, days, day) => {
          const charge = paid({
            amountCents,
            periods: [{ startsAt: DECEMBER.startsAt, endsAt: addDays(DECEMBER.startsAt, days) }],
          });
          const today = unusedCents(charge, addDays(DECEMBER.startsAt, day));
          const tomorrow = unusedCents(charge, addDays(DECEMBER.startsAt, day + 1));
          expect(Number.isInteger(today)).toBe(true);
          expect(today).toBeGreaterThanOrEqual(tomorrow);
          expect(tomorrow).toBeGreaterThanOrEqual(0);
          expect(today).toBeLessThanOrEqual(amountCents);
        },
      ),
    );
  });
});
