import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  civilDate,
  DAY_MS,
  dayNumberOf,
  instantOf,
  isoOfDayNumber,
  parseDay,
  startOfDay,
} from "#app/domain/time.ts";

describe("a day as a number", () => {
  test("is the day in São Paulo, from its midnight to the next", () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2036, 0, 1) }), (at) => {
        const { year, month, day } = civilDate(at);
        expect(dayNumberOf(at)).toBe(Date.UTC(year, month - 1, day) / DAY_MS);
        expect(startOfDay(dayNumberOf(at))).toBe(instantOf({ year, month, day }));
      }),
    );
  });
  test.each([
    ["2026-12-20", "2026-12-20"],
    ["20/12/2026", "2026-12-20"],
    ["1/2/2026", "2026-02-01"],
    ["2026-02-29", null],
    ["31/04/2026", null],
    ["2026-13-01", null],
    ["ontem", null],
    ["", null],
  ])("%s is %s", (typed, expected) => {
    const day = parseDay(typed);
    expect(day === null ? null : isoOfDayNumber(day)).toBe(expected);
  });
});
