import { DAY_MS, isoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** How a move names the platform's own side: the account of its cash, which no provider is called. */
export const PLATFORM_CASH_NAME = "platform_cash";

/** What is noted late is noted while it can still be looked up at the bank. */
const PAST_MS = 90 * DAY_MS;
/** A withdrawal is asked for before it leaves, so that somebody else can look at it. */
const AHEAD_MS = 7 * DAY_MS;

/**
 * What is wrong with the day (`YYYY-MM-DD`, São Paulo) on which money of the platform moves, or
 * null: what came in came already, what goes out may leave within a week, and nothing is older than
 * 90 days.
 */
export function movementDayProblem(
  way: "in" | "out",
  { movedOn, now }: { movedOn: string; now: Instant },
): "future" | "far" | null {
  if (movedOn < isoDay(now - PAST_MS)) return "far";
  if (way === "in") return movedOn > isoDay(now) ? "future" : null;
  return movedOn > isoDay(now + AHEAD_MS) ? "far" : null;
}
