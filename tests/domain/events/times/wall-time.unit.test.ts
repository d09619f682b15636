import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  instantOfWallTime,
  instantsOfWallTime,
  isTimeZone,
  parseWallTime,
  storedWallTime,
  wallTimeOf,
  wallTimeText,
  zoneChanges,
  zoneOffsetMs,
} from "#app/domain/events/times/rules/wall-time.ts";
import type { OffsetOf } from "#app/domain/events/times/rules/wall-time.ts";
import { HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";

const ZONES = [
  "America/Sao_Paulo",
  "America/New_York",
  "Europe/Lisbon",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "Africa/Casablanca",
  "UTC",
];

test.each([
  ["America/Sao_Paulo", true],
  ["America/Argentina/Buenos_Aires", true],
  ["Etc/GMT+3", true],
  // A pattern that tries every split of it would not end.
  [`A${"-".repeat(60)}!`, false],
  [`A${"/a".repeat(5_000)}`, false],
  ["UTC", true],
  ["America/Olinda", false],
  ["Brasília", false],
  ["+03:00", false],
  ["EST", false],
  ["", false],
  ["America/Sao_Paulo ", false],
])("%s is a zone: %s", (name, isOne) => {
  expect(isTimeZone(name)).toBe(isOne);
});

describe("a typed time", () => {
  const at = (text: string) => Date.parse(text);

  test.each([
    ["2026-12-20T20:00", "America/Sao_Paulo", at("2026-12-20T23:00Z")],
    ["20/12/2026 20:00", "America/Sao_Paulo", at("2026-12-20T23:00Z")],
    ["20/12/2026 às 20h00", "America/Sao_Paulo", at("2026-12-20T23:00Z")],
    ["2027-07-01T20:00", "Europe/Lisbon", at("2027-07-01T19:00Z")],
    ["2027-01-01T20:00", "Europe/Lisbon", at("2027-01-01T20:00Z")],
    // São Paulo had daylight saving until 2019.
    ["2018-12-20T20:00", "America/Sao_Paulo", at("2018-12-20T22:00Z")],
    ["", "UTC", "missing"],
    ["amanhã", "UTC", "unreadable"],
    ["2026-12-20", "UTC", "unreadable"],
    ["2026-12-20T25:00", "UTC", "unreadable"],
    ["2026-02-31T20:00", "UTC", "no_such_day"],
    ["31/02/2027 20:00", "UTC", "no_such_day"],
    ["2026-13-01T20:00", "UTC", "no_such_day"],
    ["2027-02-29T20:00", "UTC", "no_such_day"],
    // New York sets its clocks from 02:00 to 03:00.
    ["2027-03-14T02:30", "America/New_York", "skipped"],
    ["2027-03-14T03:00", "America/New_York", at("2027-03-14T07:00Z")],
    // 01:30 happens twice; the first is meant.
    ["2027-11-07T01:30", "America/New_York", at("2027-11-07T05:30Z")],
  ])("%s in %s is %s", (text, zone, expected) => {
    expect(parseWallTime(text, zone)).toBe(expected);
  });

  test("that happens twice has two instants an hour apart, and a skipped one none", () => {
    const wall = { year: 2027, month: 11, day: 7, hour: 1, minute: 30 };
    const [first = 0, second = 0, ...more] = instantsOfWallTime(wall, "America/New_York");
    expect([second - first, more]).toEqual([HOUR_MS, []]);
    expect(instantsOfWallTime({ ...wall, month: 3, day: 14, hour: 2 }, "America/New_York")).toEqual(
      [],
    );
  });

  test("stays the same through the form, in every zone", () => {
    const minutes = fc.integer({
      min: Date.UTC(2000, 0) / MINUTE_MS,
      max: Date.UTC(2037, 11) / MINUTE_MS,
    });
    fc.assert(
      fc.property(minutes, fc.constantFrom(...ZONES), (minute, zone) => {
        const instant = minute * MINUTE_MS;
        const wall = wallTimeOf(instant, zone);
        expect(instantsOfWallTime(wall, zone)).toContain(instant);
        const typed = parseWallTime(wallTimeText(wall), zone);
        expect(instantsOfWallTime(wall, zone)[0]).toBe(typed);
      }),
      { numRuns: 300 },
    );
  });
});

test.each([
  // The clocks go from 02:00 to 03:00: as far after the skip as into it.
  ["2027-03-14T02:30", "America/New_York", "2027-03-14T07:30Z"],
  ["2027-03-14T03:30", "America/New_York", "2027-03-14T07:30Z"],
  // 01:30 happens twice: the first.
  ["2027-11-07T01:30", "America/New_York", "2027-11-07T05:30Z"],
  // Half an hour: from 02:00 to 02:30.
  ["2027-10-03T02:10", "Australia/Lord_Howe", "2027-10-02T15:40Z"],
  ["2027-04-04T01:45", "Australia/Lord_Howe", "2027-04-03T14:45Z"],
  ["2027-03-14T02:30", "America/Sao_Paulo", "2027-03-14T05:30Z"],
])("the stored time %s in %s is %s", (text, zone, expected) => {
  expect(instantOfWallTime(storedWallTime(text), zone)).toBe(Date.parse(expected));
});

test("a stored time follows the rules that it is given, and keeps its hour", () => {
  const later: OffsetOf = (at, zone) => zoneOffsetMs(at, zone) + HOUR_MS;
  const wall = storedWallTime("2027-06-01T20:00");
  expect(instantOfWallTime(wall, "America/Sao_Paulo")).toBe(Date.parse("2027-06-01T23:00Z"));
  expect(instantOfWallTime(wall, "America/Sao_Paulo", later)).toBe(Date.parse("2027-06-01T22:00Z"));
});

test("the changes of a zone are found to the minute", () => {
  const changes = zoneChanges("America/New_York", Date.UTC(2027, 0), Date.UTC(2028, 0));
  expect(changes.map(({ at }) => new Date(at).toISOString())).toEqual([
    "2027-03-14T07:00:00.000Z",
    "2027-11-07T06:00:00.000Z",
  ]);
  for (const { at, fromMs, toMs } of changes) {
    expect(zoneOffsetMs(at - MINUTE_MS, "America/New_York")).toBe(fromMs);
    expect(zoneOffsetMs(at, "America/New_York")).toBe(toMs);
  }
  expect(zoneChanges("America/Sao_Paulo", Date.UTC(2026, 0), Date.UTC(2028, 0))).toEqual([]);
});
