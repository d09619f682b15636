import fc from "fast-check";
import { expect, test } from "vitest";
import { lastWeek, weekBefore } from "#app/domain/analytics/summary/rules.ts";
import { dayNumberOf, isoOfDayNumber } from "#app/domain/time.ts";

const dayOf = (iso: string) => dayNumberOf(Date.parse(`${iso}T15:00:00Z`));

test.each([
  ["2026-11-09", "2026-11-02", "2026-11-08"],
  ["2026-11-11", "2026-11-02", "2026-11-08"],
  ["2026-11-15", "2026-11-02", "2026-11-08"],
  ["2026-11-16", "2026-11-09", "2026-11-15"],
])("on %s the last week is from %s until %s", (today, from, until) => {
  const week = lastWeek(dayOf(today));
  expect([isoOfDayNumber(week.from), isoOfDayNumber(week.until)]).toEqual([from, until]);
});

test("a week is seven days, ended before today, and follows the week before it", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 40_000 }), (today) => {
      const week = lastWeek(today);
      expect(week.until - week.from).toBe(6);
      expect(new Date(isoOfDayNumber(week.from)).getUTCDay()).toBe(1);
      expect(today - week.until).toBeGreaterThanOrEqual(1);
      expect(today - week.until).toBeLessThanOrEqual(7);
      expect(weekBefore(week)).toEqual({ from: week.from - 7, until: week.from - 1 });
    }),
  );
});
