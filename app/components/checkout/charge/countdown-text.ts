import { formatShortMinute, HOUR_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * Remaining time of a code: a countdown in its last hour, the date and time of its end before. Both
 * in milliseconds.
 */
export function countdownText({ leftMs, expiresAt }: { leftMs: number; expiresAt: Instant }): {
  lead: string;
  value: string;
} {
  if (leftMs > HOUR_MS) return { lead: "O código vale até", value: formatShortMinute(expiresAt) };
  return { lead: "O código vale por mais", value: minutesAndSeconds(leftMs) };
}

function minutesAndSeconds(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1_000);
  return `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
}
