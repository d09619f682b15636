import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  HOUR_MS,
  isoDay,
  MINUTE_MS,
  timeOfDayMs,
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

describe("the wall clock of São Paulo", () => {
  const CLOCK = new Intl.DateTimeFormat("sv-SE", {
    timeZone: "America/Sao_Paulo",
    dateStyle: "short",
    timeStyle: "medium",
  });
  const wallClock = (at: number) =>
    `${isoDay(at)} ${new Date(timeOfDayMs(at)).toISOString().slice(11, 19)}`;

  test("is that of the time zone database, before and after the last daylight saving", () => {
    // A step of hours, minutes and seconds meets every time of day.
    const step = 31 * HOUR_MS + 7 * MINUTE_MS + 13_001;
    for (let at = Date.UTC(2016, 0, 1); at < Date.UTC(2045, 0, 1); at += step)
      expect(wallClock(at), String(at)).toBe(CLOCK.format(at));
  });

  test.each([
    ["the last second of daylight saving", Date.UTC(2019, 1, 17, 1, 59, 59)],
    ["the first second after it", Date.UTC(2019, 1, 17, 2)],
    ["an instant before 1970", Date.UTC(1969, 11, 31, 23, 59, 59)],
  ])("is that of the time zone database at %s", (_, at) => {
    expect(wallClock(at)).toBe(CLOCK.format(at));
  });
});
