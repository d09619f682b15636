import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { onShiftedClock, shiftClockSource, withShiftedClock } from "#scripts/shifted-clock.ts";

const DAY_MS = 86_400_000;

test("a script's realm gets the shifted time, only where it reads the current time", () => {
  const asked = `[
    Date.now() - machine.now(),
    new Date().getTime() - machine.now(),
    new Date(0).getTime(),
    new Date(2028, 1, 29).getDate(),
    Date.UTC(1970, 0, 2),
    Date.parse("1970-01-02T00:00:00Z"),
    new Date() instanceof Date,
    new (class extends Date {})().getTime() - machine.now(),
    typeof Date(),
  ]`;
  const found = runInNewContext(
    `const machine = Date; ${shiftClockSource(3 * DAY_MS)} ${shiftClockSource(5 * DAY_MS)} ${asked}`,
  ) as unknown[];
  const near = (ms: unknown) => typeof ms === "number" && Math.abs(ms - 3 * DAY_MS) < 1_000;
  expect([found[0], found[1], found[7]].map(near)).toEqual([true, true, true]);
  expect(found.slice(2, 7)).toEqual([0, 29, DAY_MS, DAY_MS, true]);
  expect(found[8]).toBe("string");
});

test("a worker and SQL are unchanged where the clock is the machine's", () => {
  expect(withShiftedClock(0, "index.js")).toEqual([]);
  const sql = "UPDATE media SET unused_since = CAST(strftime('%s', 'now') AS INTEGER) * 1000";
  expect(onShiftedClock(sql, 0)).toBe(sql);
  expect(onShiftedClock(sql, -2_500)).toContain("strftime('%s', 'now', '-2 seconds')");
});
