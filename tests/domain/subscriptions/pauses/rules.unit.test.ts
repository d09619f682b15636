import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  accessUntilIfCanceled,
  canPause,
  pauseDates,
  resumeDates,
  shiftPeriods,
} from "#app/domain/subscriptions/pauses/rules.ts";
import type { PeriodSlice, PeriodShift } from "#app/domain/subscriptions/pauses/rules.ts";
import { DAY_MS, formatDay, instantOf } from "#app/domain/time.ts";

const day = (year: number, month: number, date: number) =>
  instantOf({ year, month, day: date }, DAY_MS / 2);
const paid = {
  status: "active" as const,
  currentPeriodStartsAt: day(2026, 3, 1),
  currentPeriodEndsAt: day(2026, 4, 1),
  accessUntil: day(2026, 4, 1),
  pausedAt: null,
  resumesAt: null,
};

function applied(periods: PeriodSlice[], shift: PeriodShift): PeriodSlice[] {
  const { changed, added } = shiftPeriods(periods, shift);
  const moved = periods.map((period) => ({
    ...period,
    ...changed.find(({ id }) => id === period.id),
  }));
  return [...moved, ...added.map((one, index) => ({ ...one, id: `${periods.length + index}` }))];
}

describe("a pause", () => {
  test.each<[string, Partial<Parameters<typeof canPause>[0]>, boolean]>([
    ["is possible while active", {}, true],
    ["is refused when canceled", { status: "canceled" }, false],
    ["is refused when past due", { status: "past_due" }, false],
    ["is refused when paused", { status: "paused" }, false],
    ["is refused after the period", { currentPeriodEndsAt: day(2026, 3, 9) }, false],
    ["is refused a second time in one period", { pausedAt: day(2026, 3, 4) }, false],
    ["is possible again in the next period", { pausedAt: day(2026, 2, 20) }, true],
  ])("%s", (_, more, may) => {
    expect(canPause({ ...paid, ...more }, day(2026, 3, 10))).toBe(may);
  });

  test("keeps the remaining days and moves the next charge by the length of the pause", () => {
    const rest = pauseDates(paid, day(2026, 3, 10));
    expect([rest.resumesAt, rest.currentPeriodEndsAt].map(formatDay)).toEqual([
      "10/04/2026",
      "02/05/2026",
    ]);
    expect(rest.anchorAt).toBe(rest.currentPeriodEndsAt);
    const early = resumeDates(rest, day(2026, 3, 20));
    expect(formatDay(early.currentPeriodEndsAt)).toBe("11/04/2026");
    expect(accessUntilIfCanceled({ status: "paused", ...rest }, day(2026, 3, 20))).toBe(
      early.accessUntil,
    );
  });

  test("any sequence of pauses and resumes keeps all paid time, covers none twice, and ends coverage with the access", () => {
    const gap = fc.integer({ min: 0, max: 60 * DAY_MS });
    const charges = fc.array(fc.integer({ min: 1, max: 40 * DAY_MS }), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(charges, fc.array(fc.tuple(gap, gap), { maxLength: 6 }), (lengths, rests) => {
        let endsAt = 1_000;
        let periods: PeriodSlice[] = lengths.map((length, index) => ({
          id: `${index}`,
          chargeId: `${index}`,
          startsAt: endsAt,
          endsAt: (endsAt += length),
          isDifference: false,
          amountCents: 5_003,
        }));
        const paidFor = new Map(periods.map((one) => [one.chargeId, one.endsAt - one.startsAt]));
        let [now, seen] = [1_000, 0];
        for (const [run, rest] of rests) {
          if (now + run >= endsAt) break;
          [now, seen] = [now + run, seen + run];
          const paused = pauseDates({ currentPeriodEndsAt: endsAt, accessUntil: endsAt }, now);
          periods = applied(periods, paused.shift);
          now += rest;
          const resumed = resumeDates(paused, now);
          periods = applied(periods, resumed.shift);
          endsAt = resumed.accessUntil;
          expect(Math.max(...periods.map((one) => one.endsAt))).toBe(endsAt);
        }
        const total = lengths.reduce((sum, length) => sum + length, 0);
        expect(seen + endsAt - now).toBe(total);
        for (const [chargeId, length] of paidFor)
          expect(
            periods
              .filter((one) => one.chargeId === chargeId)
              .reduce((sum, one) => sum + one.endsAt - one.startsAt, 0),
          ).toBe(length);
        // An amount that pays for one slice alone is divided among its parts without a remainder.
        for (const chargeId of paidFor.keys())
          expect(
            periods
              .filter((one) => one.chargeId === chargeId)
              .reduce((sum, one) => sum + (one.amountCents ?? 0), 0),
          ).toBe(5_003);
        const inOrder = periods
          .filter((one) => one.endsAt > one.startsAt)
          .toSorted((a, b) => a.startsAt - b.startsAt);
        for (const [index, one] of inOrder.slice(1).entries())
          expect(one.startsAt).toBeGreaterThanOrEqual(inOrder[index]?.endsAt ?? 0);
      }),
      { numRuns: 300 },
    );
  });
});
