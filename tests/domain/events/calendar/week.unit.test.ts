import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  halfHourLines,
  hoursOfWeek,
  mondayOf,
  placeInWeek,
  weekDays,
} from "#app/domain/events/calendar/rules/week.ts";
import { HOUR_MS } from "#app/domain/time.ts";

test.each([
  ["2026-12-21", "2026-12-21"],
  ["2026-12-27", "2026-12-21"],
  ["2027-01-01", "2026-12-28"],
  ["2026-02-31", null],
  ["2026-12", null],
  ["9999-12-21", null],
  ["logo", null],
  [null, null],
])("the Monday of %s is %s", (day, monday) => {
  expect(mondayOf(day)).toBe(monday);
});

test("a week has its seven days, from Monday to Sunday", () => {
  expect(weekDays("2026-12-28").join(" ")).toBe(
    "2026-12-28 2026-12-29 2026-12-30 2026-12-31 2027-01-01 2027-01-02 2027-01-03",
  );
});

const days = weekDays("2026-12-21");
const at = (text: string): number => Date.parse(`${text}-03:00`);
const event = (from: string, to: string) => ({ startsAt: at(from), endsAt: at(to) });

describe("an event in the week", () => {
  test("stands on its day, at its hours", () => {
    const placed = placeInWeek([event("2026-12-22T20:30", "2026-12-22T22:00")], days);
    expect(placed.map((day) => day.length)).toEqual([0, 1, 0, 0, 0, 0, 0]);
    expect(placed[1]?.[0]).toMatchObject({ fromHour: 20.5, toHour: 22 });
  });

  test("goes on after midnight, and one that ends at midnight does not", () => {
    const placed = placeInWeek(
      [
        event("2026-12-22T22:00", "2026-12-23T02:00"),
        event("2026-12-24T22:00", "2026-12-25T00:00"),
      ],
      days,
    );
    expect(placed.map((day) => day.length)).toEqual([0, 1, 1, 1, 0, 0, 0]);
    expect(placed[2]?.[0]).toMatchObject({ continues: true, fromHour: 0, toHour: 2 });
    expect(hoursOfWeek(placed)).toEqual({ from: 0, to: 24 });
  });

  test("of the week before or after is on no day", () => {
    const outside = [
      event("2026-12-20T20:00", "2026-12-21T00:00"),
      event("2026-12-28T00:00", "2026-12-28T01:00"),
    ];
    expect(placeInWeek(outside, days).flat()).toEqual([]);
  });

  test("takes at least a half hour of the grid, and never more than its own", () => {
    expect(halfHourLines({ fromHour: 20.5, toHour: 22 }, 8)).toEqual({ start: 26, end: 29 });
    expect(halfHourLines({ fromHour: 8, toHour: 8.1 }, 8)).toEqual({ start: 1, end: 2 });
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 23, noNaN: true }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        (fromHour, length) => {
          const { start, end } = halfHourLines({ fromHour, toHour: fromHour + length }, 0);
          expect(start).toBeGreaterThanOrEqual(1);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(49);
          expect((start - 1) / 2).toBeLessThanOrEqual(fromHour);
          expect((end - 1) / 2).toBeGreaterThanOrEqual(fromHour + length - 0.5);
        },
      ),
    );
  });

  test("of one hour needs no more than the usual hours", () => {
    const placed = placeInWeek(
      [{ startsAt: at("2026-12-22T12:00"), endsAt: at("2026-12-22T12:00") + HOUR_MS }],
      days,
    );
    expect(hoursOfWeek(placed)).toEqual({ from: 8, to: 22 });
  });
});
