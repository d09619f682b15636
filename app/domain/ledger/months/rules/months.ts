import { civilDate, instantOf } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** `YYYY-MM`, in São Paulo. Sorts like its months. */
export type Month = string;

/** The month of São Paulo in which `at` is. */
export function monthOf(at: Instant): Month {
  const { year, month } = civilDate(at);
  return `${year}-${String(month).padStart(2, "0")}`;
}

/** Where a month begins and ends (exclusive), by the wall clock of São Paulo. */
export function monthBounds(month: Month): { from: Instant; until: Instant } {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return {
    from: instantOf({ year, month: number, day: 1 }),
    until: instantOf(
      number === 12 ? { year: year + 1, month: 1, day: 1 } : { year, month: number + 1, day: 1 },
    ),
  };
}

/** "11/2026". */
export const monthLabel = (month: Month): string => `${month.slice(5)}/${month.slice(0, 4)}`;

/** The month after. */
export const monthAfter = (month: Month): Month => monthOf(monthBounds(month).until);

/** The month before. */
export const monthBefore = (month: Month): Month => monthOf(monthBounds(month).from - 1);

const WRITTEN = /^20\d{2}-(0[1-9]|1[0-2])$/;

/** The month that an address names, or null. */
export const parseMonth = (text: string | undefined): Month | null =>
  text !== undefined && WRITTEN.test(text) ? text : null;

/**
 * The month of a report as its address says it; the present one where that cannot be read or is
 * still to come.
 */
export function parseReportMonth(text: string | null, now: Instant): Month {
  const present = monthOf(now);
  return text !== null && WRITTEN.test(text) && text < present ? text : present;
}
