import { expect, test } from "vitest";
import { civilDate, isoDay, TIME_ZONE } from "#app/domain/time.ts";
import { bankHolidays, isBusinessDay } from "#app/domain/payouts/batches/rules/business-days.ts";
import { calendarTests, DAYS, dateDependentTests, daysInTurn } from "#scripts/days.ts";
import type { Day } from "#scripts/days.ts";

const at = (day: Day): number => Date.parse(DAYS[day]);
const weekday = (day: Day): string =>
  new Intl.DateTimeFormat("en", { weekday: "long", timeZone: TIME_ZONE }).format(at(day));

test("each test day is what its name says", () => {
  expect(civilDate(at("24 November 2026"))).toEqual({ year: 2026, month: 11, day: 24 });
  expect(civilDate(at("the last day of a month") + 86_400_000).day).toBe(1);
  expect(civilDate(at("31 December, 23:30 in São Paulo"))).toMatchObject({ month: 12, day: 31 });
  expect(civilDate(at("28 February"))).toMatchObject({ month: 2, day: 28 });
  expect(civilDate(at("29 February"))).toMatchObject({ month: 2, day: 29 });
  expect(weekday("a Friday evening")).toBe("Friday");
  expect(weekday("a Saturday")).toBe("Saturday");
  expect(new Date(at("Sunday to Monday at 00:00 UTC") + 60_000).getUTCDay()).toBe(1);
  expect(weekday("Carnival Monday")).toBe("Monday");
  expect(weekday("Good Friday")).toBe("Friday");
  for (const day of ["Carnival Monday", "Good Friday"] as const)
    expect(bankHolidays(civilDate(at(day)).year)).toContain(isoDay(at(day)));
  const first = at("the first business day after holidays");
  expect([isBusinessDay(first), isBusinessDay(first - 86_400_000)]).toEqual([true, false]);
});

test("two days are chosen in turn, the same for the same commit, and every day by some commit", () => {
  const commits = Array.from({ length: 11 }, (_, index) => index.toString(16).padStart(8, "0"));
  const taken = commits.map(daysInTurn);
  for (const [one, other] of taken) expect(one).not.toBe(other);
  expect(new Set(taken.flat()).size).toBe(Object.keys(DAYS).length);
  expect(daysInTurn("")).toEqual(daysInTurn("0"));
});

test("tests that move the time count as date-dependent; tests that crash at each step are not repeated", () => {
  const files = dateDependentTests();
  expect(files).toContain("tests/domain/subscriptions/vacations/move.worker.test.ts");
  expect(files.filter((file) => file.includes("crash"))).toEqual([]);
});

test("the calendar tests are the subscriptions and payouts that depend on dates", () => {
  const { workers } = calendarTests();
  expect(workers).toContain("tests/domain/subscriptions/renewals/dunning.worker.test.ts");
  expect(workers).toContain("tests/workers/payouts/run.worker.test.ts");
  expect(workers.filter((file) => file.includes("crash"))).toEqual([]);
});
