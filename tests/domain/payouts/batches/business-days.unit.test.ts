import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  bankHolidays,
  easter,
  isBusinessDay,
  nextTransferWindow,
} from "#app/domain/payouts/batches/rules/business-days.ts";
import { sendableAt } from "#app/domain/payouts/destinations/rules/destinations.ts";
import { nextScheduledAt, schedulesDueOn } from "#app/domain/payouts/batches/rules/schedules.ts";
import { payoutSchedules } from "#app/domain/payouts/schema.ts";
import {
  DAY_MS,
  formatMinute,
  HOUR_MS,
  instantOf,
  instantOfIsoDay,
  isoDay,
  MINUTE_MS,
  timeOfDayMs,
} from "#app/domain/time.ts";

const at = (day: string, ms = 12 * HOUR_MS) => instantOfIsoDay(day) + ms;
const anyMoment = fc.integer({
  min: instantOf({ year: 2020, month: 1, day: 1 }),
  max: instantOf({ year: 2080, month: 1, day: 1 }),
});

test.each([
  [2000, "4-23"],
  [2008, "3-23"],
  [2019, "4-21"],
  [2024, "3-31"],
  [2025, "4-20"],
  [2026, "4-5"],
  [2027, "3-28"],
  [2038, "4-25"],
  [2100, "3-28"],
])("Easter of %i is on %s", (year, day) => {
  expect(`${easter(year).month}-${easter(year).day}`).toBe(day);
});

describe("the bank holidays of a year, as Febraban announced them", () => {
  test.each([
    [
      2023,
      [
        "01-01",
        "02-20",
        "02-21",
        "04-07",
        "04-21",
        "05-01",
        "06-08",
        "09-07",
        "10-12",
        "11-02",
        "11-15",
        "12-25",
        "12-29",
      ],
    ],
    [
      2024,
      [
        "01-01",
        "02-12",
        "02-13",
        "03-29",
        "04-21",
        "05-01",
        "05-30",
        "09-07",
        "10-12",
        "11-02",
        "11-15",
        "11-20",
        "12-25",
        "12-31",
      ],
    ],
    [
      2025,
      [
        "01-01",
        "03-03",
        "03-04",
        "04-18",
        "04-21",
        "05-01",
        "06-19",
        "09-07",
        "10-12",
        "11-02",
        "11-15",
        "11-20",
        "12-25",
        "12-31",
      ],
    ],
    [
      2026,
      [
        "01-01",
        "02-16",
        "02-17",
        "04-03",
        "04-21",
        "05-01",
        "06-04",
        "09-07",
        "10-12",
        "11-02",
        "11-15",
        "11-20",
        "12-25",
        "12-31",
      ],
    ],
  ])("%i", (year, days) => {
    expect(bankHolidays(year)).toEqual(days.map((day) => `${year}-${day}`));
  });
});

test.each([
  ["an ordinary Friday", "2026-11-27", true],
  ["a Saturday", "2026-11-28", false],
  ["a Sunday", "2026-11-29", false],
  ["Consciência Negra since 2024", "2026-11-20", false],
  ["the same day in 2023, when it was no holiday of the nation", "2023-11-20", true],
  ["Ash Wednesday", "2026-02-18", true],
  ["Christmas Eve", "2026-12-24", true],
  ["31 December", "2026-12-31", false],
  ["the Friday before a 31 December on a Saturday", "2022-12-30", false],
  ["the Thursday before it", "2022-12-29", true],
])("%s", (_, day, expected) => {
  expect(isBusinessDay(at(day))).toBe(expected);
});

describe("a transfer to a bank account is sent", () => {
  test.each([
    ["at once within the hours", at("2026-11-24", 10 * HOUR_MS), "24/11/2026, 10:00"],
    [
      "at once a minute before they end",
      at("2026-11-24", 16 * HOUR_MS + 29 * MINUTE_MS),
      "24/11/2026, 16:29",
    ],
    [
      "in the morning of the next day after them",
      at("2026-11-24", 16 * HOUR_MS + 30 * MINUTE_MS),
      "25/11/2026, 07:00",
    ],
    ["in the morning of the same day before them", at("2026-11-24", 1), "24/11/2026, 07:00"],
    ["on Monday, when requested on a Saturday", at("2026-11-28"), "30/11/2026, 07:00"],
    [
      "after Carnival, when requested on its Friday evening",
      at("2026-02-13", 20 * HOUR_MS),
      "18/02/2026, 07:00",
    ],
    [
      "in the new year, when requested on the evening of 30 December",
      at("2026-12-30", 20 * HOUR_MS),
      "04/01/2027, 07:00",
    ],
  ])("%s", (_, now, expected) => {
    expect(formatMinute(nextTransferWindow(now))).toBe(expected);
  });

  test("never before the request, within banking hours of a business day, within ten days, at once at the computed time", () => {
    fc.assert(
      fc.property(anyMoment, (now) => {
        const leaves = nextTransferWindow(now);
        expect(leaves).toBeGreaterThanOrEqual(now);
        expect(leaves - now).toBeLessThan(10 * DAY_MS);
        expect(isBusinessDay(leaves)).toBe(true);
        expect([timeOfDayMs(leaves) >= 7 * HOUR_MS, timeOfDayMs(leaves) < 17 * HOUR_MS]).toEqual([
          true,
          true,
        ]);
        expect(nextTransferWindow(leaves)).toBe(leaves);
        expect(sendableAt("evp", now)).toBe(now);
      }),
    );
  });

  test("and a later request is never sent earlier", () => {
    fc.assert(
      fc.property(
        anyMoment,
        fc.nat(40 * DAY_MS),
        (now, later) => nextTransferWindow(now + later) >= nextTransferWindow(now),
      ),
    );
  });
});

test("the next run is on a scheduled day, today's only if none ran today, and none for manual payouts", () => {
  const [monday, tuesday] = [at("2026-11-23"), at("2026-11-24")];
  expect(nextScheduledAt("weekly", { now: monday, lastRequestedAt: null })).toBe(monday);
  expect(nextScheduledAt("weekly", { now: monday, lastRequestedAt: monday - DAY_MS })).toBe(monday);
  expect(nextScheduledAt("weekly", { now: monday, lastRequestedAt: monday - HOUR_MS })).toBe(
    at("2026-11-30", 0),
  );
  expect(nextScheduledAt("weekly", { now: tuesday, lastRequestedAt: monday })).toBe(
    at("2026-11-30", 0),
  );
  expect(nextScheduledAt("monthly", { now: tuesday, lastRequestedAt: null })).toBe(
    at("2026-12-01", 0),
  );
  expect(
    nextScheduledAt("monthly", { now: at("2026-12-01"), lastRequestedAt: at("2026-12-01", 0) }),
  ).toBe(at("2027-01-01", 0));
  fc.assert(
    fc.property(
      anyMoment,
      fc.option(fc.nat(40 * DAY_MS)),
      fc.constantFrom(...payoutSchedules),
      (now, ago, schedule) => {
        const lastRequestedAt = ago === null ? null : now - ago;
        const next = nextScheduledAt(schedule, { now, lastRequestedAt });
        if (schedule === "manual") return next === null;
        return (
          next !== null &&
          next >= now &&
          schedulesDueOn(next).includes(schedule) &&
          (lastRequestedAt === null || isoDay(lastRequestedAt) !== isoDay(next))
        );
      },
    ),
  );
});
