import { DAY_MS, isoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** The name of the platform's own side of a transfer: its cash account. No provider has it. */
export const PLATFORM_CASH_NAME = "platform_cash";

/** How late a movement may be recorded: while it can still be looked up at the bank. */
const PAST_MS = 90 * DAY_MS;
/** A withdrawal is requested before it leaves, so that somebody else can check it. */
const AHEAD_MS = 7 * DAY_MS;

/**
 * Decides what is wrong with the São Paulo day (`YYYY-MM-DD`) of a movement of platform money, or
 * null.
 *
 * A deposit must have arrived already. A withdrawal may leave within a week. Neither may be older
 * than 90 days.
 */
export function movementDayProblem(
  way: "in" | "out",
  { movedOn, now }: { movedOn: string; now: Instant },
): "future" | "far" | null {
  if (movedOn < isoDay(now - PAST_MS)) return "far";
  if (way === "in") return movedOn > isoDay(now) ? "future" : null;
  return movedOn > isoDay(now + AHEAD_MS) ? "far" : null;
}
