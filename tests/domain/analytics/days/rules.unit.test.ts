import fc from "fast-check";
import { expect, test } from "vitest";
import { knownZone, startOfZonedDay, zonedDay } from "#app/domain/analytics/days/rules.ts";
import { TIME_ZONES } from "#app/domain/notifications/rules/quiet-hours.ts";
import { DAY_MS } from "#app/domain/time.ts";

const zones = fc.constantFrom(...Object.keys(TIME_ZONES));
const instants = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2030, 0, 1) });

test("each instant is in exactly one day of a zone, with changes of clock too", () => {
  fc.assert(
    fc.property(zones, instants, (zone, at) => {
      const day = zonedDay(zone, at);
      expect(startOfZonedDay(zone, day)).toBeLessThanOrEqual(at);
      expect(startOfZonedDay(zone, day + 1)).toBeGreaterThan(at);
    }),
  );
});

test.each([
  ["America/Sao_Paulo", "2026-11-11T02:59:59Z", "2026-11-10"],
  ["America/Sao_Paulo", "2026-11-11T03:00:00Z", "2026-11-11"],
  ["Europe/Lisbon", "2026-11-11T00:00:00Z", "2026-11-11"],
  ["America/Manaus", "2026-11-11T03:59:59Z", "2026-11-10"],
  ["Asia/Tokyo", "2026-11-10T15:00:00Z", "2026-11-11"],
])("in %s %s is in %s", (zone, at, day) => {
  expect(new Date(zonedDay(zone, Date.parse(at)) * DAY_MS).toISOString().slice(0, 10)).toBe(day);
});

test("an unknown zone is São Paulo's", () => {
  expect([knownZone("Mars/Olympus"), knownZone(null), knownZone("Asia/Tokyo")]).toEqual([
    "America/Sao_Paulo",
    "America/Sao_Paulo",
    "Asia/Tokyo",
  ]);
});
