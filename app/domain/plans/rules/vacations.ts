import { VACATION_DAYS_MIN } from "#app/domain/plans/schema/vacations.ts";
import type { Vacation } from "#app/domain/plans/schema/vacations.ts";
import { addDays, DAY_MS, formatShortDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** When a vacation that begins at `startsAt` is over, at the same time of day. */
export const vacationEndFrom = (startsAt: Instant, days: number): Instant =>
  addDays(startsAt, days);

/** Up to when somebody is, or was, away: their return, announced or real. */
export const vacationEndsAt = ({
  endsAt,
  returnedAt,
}: Pick<Vacation, "endsAt" | "returnedAt">): Instant => returnedAt ?? endsAt;

/** Until when somebody is away at `now`; null when they are not. */
export const vacationUntil = (
  vacation: Pick<Vacation, "endsAt" | "returnedAt"> | null,
  now: Instant,
): Instant | null => (vacation !== null && vacationEndsAt(vacation) > now ? vacation.endsAt : null);

/** "De férias até 12/03". */
export const vacationLabel = (until: Instant): string => `De férias até ${formatShortDay(until)}`;

/**
 * The least and the longest that has to pass between two vacations: each is told to every
 * subscriber, twice when it is cut short.
 */
const REST_DAYS = { least: VACATION_DAYS_MIN, most: 30 } as const;

/**
 * How many days are still to pass after `last` before another vacation: as long as that one was,
 * within `REST_DAYS`; 0 for none.
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
