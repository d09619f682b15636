import { VACATION_DAYS_MIN } from "./limits.ts";
import type { Vacation } from "#app/domain/plans/schema/vacations.ts";
import { addDays, DAY_MS, formatShortDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** When a vacation that starts at `startsAt` ends, at the same time of day. */
export const vacationEndFrom = (startsAt: Instant, days: number): Instant =>
  addDays(startsAt, days);

/** The end of a vacation: the announced return, or the real one. */
export const vacationEndsAt = ({
  endsAt,
  returnedAt,
}: Pick<Vacation, "endsAt" | "returnedAt">): Instant => returnedAt ?? endsAt;

/** When the vacation at `now` ends; null without one. */
export const vacationUntil = (
  vacation: Pick<Vacation, "endsAt" | "returnedAt"> | null,
  now: Instant,
): Instant | null => (vacation !== null && vacationEndsAt(vacation) > now ? vacation.endsAt : null);

/** "De férias até 12/03". */
export const vacationLabel = (until: Instant): string => `De férias até ${formatShortDay(until)}`;

/**
 * The shortest and longest wait between two vacations. Each notifies every subscriber, twice if it
 * is cut short.
 */
const REST_DAYS = { least: VACATION_DAYS_MIN, most: 30 } as const;

/**
 * Days left after `last` before another vacation: as long as that one was, within `REST_DAYS`; 0
 * for none.
 */
export function daysUntilNextVacation(
  last: Pick<Vacation, "startsAt" | "endsAt" | "returnedAt">,
  now: Instant,
): number {
  const end = vacationEndsAt(last);
  const restMs = Math.max(
    REST_DAYS.least * DAY_MS,
    Math.min(end - last.startsAt, REST_DAYS.most * DAY_MS),
  );
  return Math.max(0, Math.ceil((end + restMs - now) / DAY_MS));
}
