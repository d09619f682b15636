import { expect, test } from "vitest";
import { countdownText } from "#app/components/checkout/charge/countdown-text.ts";
import { addDays, HOUR_MS, instantOf, MINUTE_MS } from "#app/domain/time.ts";

const now = instantOf({ year: 2026, month: 3, day: 2 }, 14 * HOUR_MS + 5 * MINUTE_MS);

test.each([
  ["30 minutes", now + 30 * MINUTE_MS, "O código vale por mais 30:00"],
  ["1 hour", now + HOUR_MS, "O código vale por mais 60:00"],
  ["a second more", now + HOUR_MS + 1_000, "O código vale até 02/03, 15:05"],
  ["3 days", addDays(now, 3), "O código vale até 05/03, 14:05"],
  ["10 days", addDays(now, 10), "O código vale até 12/03, 14:05"],
])("a Pix code with %s left shows a countdown or its end date", (_, expiresAt, said) => {
  const { lead, value } = countdownText({ leftMs: expiresAt - now, expiresAt });
  expect(`${lead} ${value}`).toBe(said);
});
