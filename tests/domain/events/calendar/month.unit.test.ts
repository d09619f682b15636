import { expect, test } from "vitest";
import { eventsByDay } from "#app/domain/events/calendar/rules/month.ts";

/** An hour of December 2026 in Brasília. */
const at = (day: number, hour: number): number => Date.UTC(2026, 11, day, hour + 3);
const DAYS = ["2026-12-18", "2026-12-19", "2026-12-20", "2026-12-21"];

test.each([
  ["of an evening", at(19, 20), at(19, 22), ["2026-12-19"]],
  ["until midnight", at(19, 20), at(20, 0), ["2026-12-19"]],
  ["of several days", at(19, 9), at(21, 18), ["2026-12-19", "2026-12-20", "2026-12-21"]],
  ["that began before the month", at(10, 9), at(18, 18), ["2026-12-18"]],
])("an event %s stands on each of its days", (_, startsAt, endsAt, expected) => {
  const byDay = eventsByDay([{ startsAt, endsAt }], DAYS);
  expect(Object.keys(byDay)).toEqual(expected);
  const marks = Object.values(byDay).map(([event]) => event?.continues);
  expect(marks).toEqual(expected.map((__, index) => index > 0 || startsAt < at(18, 0)));
});
