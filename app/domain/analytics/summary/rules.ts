import type { DayRange } from "#app/domain/analytics/ranges/rules.ts";
import type { DayNumber } from "#app/domain/time.ts";

/** Day 0 was a Thursday; weeks begin on Mondays. */
const MONDAY = 4;

/** Returns the whole week, Monday to Sunday, that ended before `today`. */
export function lastWeek(today: DayNumber): DayRange {
  const monday = today - ((((today - MONDAY) % 7) + 7) % 7);
  return { from: monday - 7, until: monday - 1 };
}

/** The week before a week. */
export const weekBefore = ({ from, until }: DayRange): DayRange => ({
  from: from - 7,
  until: until - 7,
});
