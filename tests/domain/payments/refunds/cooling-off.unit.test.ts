import fc from "fast-check";
import { expect, test } from "vitest";
import { releaseAt } from "#app/domain/payments/releases/rules/release-time.ts";
import {
  isWithinCoolingOff,
  coolingOffEndsAt,
} from "#app/domain/payments/refunds/rules/cooling-off.ts";
import { DAY_MS, daysBetween, formatDay } from "#app/domain/time.ts";

test.each([
  [
    "just after midnight",
    "2026-11-02T00:00:01-03:00",
    "2026-11-09T23:59:59.999-03:00",
    "09/11/2026",
  ],
  ["at noon", "2026-11-02T12:00:00-03:00", "2026-11-09T23:59:59.999-03:00", "09/11/2026"],
  [
    "in the last minute of a day, which is the next in UTC",
    "2026-11-02T23:59:00-03:00",
    "2026-11-09T23:59:59.999-03:00",
    "09/11/2026",
  ],
  [
    "over a month and a year",
    "2026-12-28T18:30:00-03:00",
    "2027-01-04T23:59:59.999-03:00",
    "04/01/2027",
  ],
])(
  "a contract made %s has the cooling-off right until the end of the seventh day after it",
  (_, contracted, last, shown) => {
    const at = Date.parse(contracted);
    expect(isWithinCoolingOff(at, Date.parse(last))).toBe(true);
    expect(isWithinCoolingOff(at, Date.parse(last) + 1)).toBe(false);
    expect(formatDay(coolingOffEndsAt(at) - 1)).toBe(shown);
  },
);

test("the cooling-off period lasts seven whole days and ends before the funds are released", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2040, 0, 1) }),
      fc.constantFrom("pix" as const, "card" as const),
      (at, method) => {
        const until = coolingOffEndsAt(at);
        expect(until - at).toBeGreaterThan(7 * DAY_MS);
        expect(daysBetween(at, until - 1)).toBe(7);
        expect(
          releaseAt({ method, isRenewal: false, succeededAt: at, settlesAt: at }),
        ).toBeGreaterThanOrEqual(until);
      },
    ),
  );
});
