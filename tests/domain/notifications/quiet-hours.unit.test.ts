import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  clockOfMinute,
  isTimeZone,
  minuteOfDay,
  quietUntil,
  TIME_ZONES,
} from "#app/domain/notifications/rules/quiet-hours.ts";

const minutes = (clock: string): number => {
  const [hours = 0, rest = 0] = clock.split(":").map(Number);
  return hours * 60 + rest;
};
const hours = (timeZone: string, from: string, until: string) => ({
  timeZone,
  quiet: { fromMinute: minutes(from), untilMinute: minutes(until) },
});
const SP = "America/Sao_Paulo";
const NY = "America/New_York";

describe("quiet hours end", () => {
  test.each([
    // Within one day. The start is quiet, the end is not.
    [SP, "13:00", "14:00", "2026-11-11T15:59:59Z", null],
    [SP, "13:00", "14:00", "2026-11-11T16:00:00Z", "2026-11-11T17:00:00Z"],
    [SP, "13:00", "14:00", "2026-11-11T16:59:59Z", "2026-11-11T17:00:00Z"],
    [SP, "13:00", "14:00", "2026-11-11T17:00:00Z", null],
    // Across midnight.
    [SP, "22:00", "07:00", "2026-11-12T00:59:59Z", null],
    [SP, "22:00", "07:00", "2026-11-12T01:00:00Z", "2026-11-12T10:00:00Z"],
    [SP, "22:00", "07:00", "2026-11-12T02:59:59Z", "2026-11-12T10:00:00Z"],
    [SP, "22:00", "07:00", "2026-11-12T03:00:00Z", "2026-11-12T10:00:00Z"],
    [SP, "22:00", "07:00", "2026-11-12T09:59:59Z", "2026-11-12T10:00:00Z"],
    [SP, "22:00", "07:00", "2026-11-12T10:00:00Z", null],
    [SP, "22:00", "00:00", "2026-11-12T02:30:00Z", "2026-11-12T03:00:00Z"],
    [SP, "00:00", "06:00", "2026-11-12T03:00:00Z", "2026-11-12T09:00:00Z"],
    // The end of a month and of a year.
    [SP, "22:00", "07:00", "2027-01-01T02:00:00Z", "2027-01-01T10:00:00Z"],
    // Another time zone, and one of half an hour.
    ["America/Manaus", "22:00", "07:00", "2026-11-12T01:30:00Z", null],
    ["America/Manaus", "22:00", "07:00", "2026-11-12T02:00:00Z", "2026-11-12T11:00:00Z"],
    ["Asia/Kolkata", "22:00", "07:00", "2026-11-11T16:30:00Z", "2026-11-12T01:30:00Z"],
    // No quiet hours at all.
    [SP, "22:00", "22:00", "2026-11-12T01:00:00Z", null],
    // New York goes forward at 2:00 on 8 March 2026: the night is an hour shorter.
    [NY, "22:00", "07:00", "2026-03-08T04:00:00Z", "2026-03-08T11:00:00Z"],
    // 2:30 does not exist that night: quiet until the clock has skipped it.
    [NY, "22:00", "02:30", "2026-03-08T06:00:00Z", "2026-03-08T07:00:00Z"],
    // It goes back at 2:00 on 1 November 2026: the night is an hour longer.
    [NY, "22:00", "07:00", "2026-11-01T03:00:00Z", "2026-11-01T12:00:00Z"],
    // 1:30 comes twice: quiet until the first, and what comes in the repeated hour waits for the second.
    [NY, "22:00", "01:30", "2026-11-01T05:00:00Z", "2026-11-01T05:30:00Z"],
    [NY, "22:00", "01:30", "2026-11-01T06:10:00Z", "2026-11-01T06:30:00Z"],
  ])("%s, %s to %s, at %s: %s", (timeZone, from, until, at, end) => {
    const result = quietUntil(hours(timeZone, from, until), Date.parse(at));
    expect(result === null ? null : new Date(result).toISOString().replace(".000", "")).toBe(end);
  });

  test("later than now and within a day and an hour, whatever the zone, the hours and the day", () => {
    const zone = fc.constantFrom(
      SP,
      NY,
      "Europe/Lisbon",
      "Australia/Lord_Howe",
      "America/Santiago",
    );
    const minute = fc.integer({ min: 0, max: 1_439 });
    const instant = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2028, 0, 1) });
    fc.assert(
      fc.property(zone, minute, minute, instant, (timeZone, fromMinute, untilMinute, at) => {
        const end = quietUntil({ timeZone, quiet: { fromMinute, untilMinute } }, at);
        if (end === null) return;
        expect(end).toBeGreaterThan(at);
        expect(end - at).toBeLessThanOrEqual(25 * 3_600_000);
      }),
    );
  });
});

test("without quiet hours nothing waits", () => {
  expect(quietUntil({ timeZone: SP, quiet: null }, 0)).toBe(null);
});

test("each time zone that can be chosen is known to the runtime", () => {
  for (const name of Object.keys(TIME_ZONES))
    expect(() => new Intl.DateTimeFormat("pt-BR", { timeZone: name })).not.toThrow();
  expect(isTimeZone("Mars/Olympus")).toBe(false);
});

test.each([
  ["00:00", 0],
  ["07:30", 450],
  ["23:59", 1_439],
  ["07:30:00", 450],
  ["24:00", null],
  ["7:30", null],
  ["", null],
])("the time %s is minute %s", (typed, minute) => {
  expect(minuteOfDay(typed)).toBe(minute);
  if (minute !== null) expect(clockOfMinute(minute)).toBe(typed.slice(0, 5));
});
