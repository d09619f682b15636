import { expect, test } from "vitest";
import { rateLimitResetFrom, retryAfterText } from "#app/domain/rate-limits/rules.ts";
import { DAY_MS, HOUR_MS, instantOf, MINUTE_MS } from "#app/domain/time.ts";

const now = instantOf({ year: 2026, month: 11, day: 23 }, 10 * HOUR_MS);
const hour = (count: number, agoMs: number) => ({
  count,
  windowStartedAt: now - agoMs,
  windowMs: HOUR_MS,
  limit: 5,
});
const day = (count: number, agoMs: number) => ({
  count,
  windowStartedAt: now - agoMs,
  windowMs: DAY_MS,
  limit: 15,
});

test.each([
  ["the hour is full", [hour(5, 10 * MINUTE_MS), day(5, 10 * MINUTE_MS)], now + 50 * MINUTE_MS],
  [
    "the day is full, whatever the hour is",
    [hour(5, 10 * MINUTE_MS), day(15, 3 * HOUR_MS)],
    now + 21 * HOUR_MS,
  ],
  [
    "the day is full, and ends before the hour",
    [hour(5, 10 * MINUTE_MS), day(15, DAY_MS - MINUTE_MS)],
    now + 50 * MINUTE_MS,
  ],
  ["a full hour is over", [hour(5, 2 * HOUR_MS), day(14, 2 * HOUR_MS)], now],
  ["nothing was counted", [], now],
])("where %s, the action is allowed again from the given time", (_, counts, freeAt) => {
  expect(rateLimitResetFrom(counts, now)).toBe(freeAt);
});

test("the minute shown is never too early", () => {
  expect(retryAfterText(now)).toBe("Tente de novo a partir de 23/11, 10:00.");
  expect(retryAfterText(now + 1)).toBe("Tente de novo a partir de 23/11, 10:01.");
});
