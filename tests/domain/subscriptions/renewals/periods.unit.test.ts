import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { periodFrom } from "#app/domain/subscriptions/renewals/rules/periods.ts";
import {
  addDays,
  civilDate,
  DAY_MS,
  formatDay,
  formatMinute,
  HOUR_MS,
  instantOf,
  timeOfDayMs,
} from "#app/domain/time.ts";

const at = (year: number, month: number, day: number, hours: number) =>
  instantOf({ year, month, day }, hours * HOUR_MS);

// São Paulo had daylight saving until 17 February 2019: its clocks went forward on 4 November 2018
// at midnight, and back on 17 February.
test("a monthly period that crosses a clock change ends on the same day and time of day", () => {
  const forward = periodFrom(at(2018, 10, 10, 23.5), "monthly", at(2018, 10, 10, 23.5));
  expect(formatMinute(forward.endsAt)).toBe("10/11/2018, 23:30");
  const back = periodFrom(at(2019, 1, 20, 0.5), "monthly", at(2019, 1, 20, 0.5));
  expect(formatMinute(back.endsAt)).toBe("20/02/2019, 00:30");
  expect(formatMinute(addDays(at(2018, 11, 3, 23.5), 1))).toBe("04/11/2018, 23:30");
});

test("period boundaries keep the anchor's day (or the month's last day) and time of day across clock changes", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: Date.UTC(2010, 0, 1), max: Date.UTC(2019, 6, 1) }),
      fc.integer({ min: 1, max: 30 }),
      (anchor, count) => {
        let from = anchor;
        for (let index = 0; index < count; index += 1)
          from = periodFrom(anchor, "monthly", from).endsAt;
        const [{ day }, end] = [civilDate(anchor), civilDate(from)];
        const lastDay = new Date(Date.UTC(end.year, end.month, 0)).getUTCDate();
        const isSkippedHour = timeOfDayMs(anchor) < HOUR_MS;
        expect(
          end.day === Math.min(day, lastDay) ||
            (isSkippedHour &&
              Math.abs(from - instantOf({ ...end, day: Math.min(day, lastDay) })) <= DAY_MS),
        ).toBe(true);
        expect(Math.abs(timeOfDayMs(from) - timeOfDayMs(anchor)) < 1 || isSkippedHour).toBe(true);
      },
    ),
    { numRuns: 200 },
  );
});

describe("billing periods", () => {
  test("are anchored: 31 January, 28 February, 31 March", () => {
    const anchor = at(2026, 1, 31, 10);
    const first = periodFrom(anchor, "monthly", anchor);
    const second = periodFrom(anchor, "monthly", first.endsAt);
    expect([first.endsAt, second.endsAt].map(formatDay)).toEqual(["28/02/2026", "31/03/2026"]);
  });

  test("follow each other without a gap and never drift, for any anchor and interval", () => {
    const intervals = ["weekly", "monthly", "quarterly", "semiannual", "annual"] as const;
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(2015, 0, 1), max: Date.UTC(2035, 0, 1) }),
        fc.constantFrom(...intervals),
        fc.integer({ min: 1, max: 30 }),
        (anchor, interval, count) => {
          let at = anchor;
          for (let index = 0; index < count; index += 1) {
            const period = periodFrom(anchor, interval, at);
            expect(period.startsAt).toBe(at);
            expect(period.endsAt).toBeGreaterThan(at);
            if (interval !== "weekly")
              expect(civilDate(period.endsAt).day).toBeLessThanOrEqual(civilDate(anchor).day);
            at = period.endsAt;
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
