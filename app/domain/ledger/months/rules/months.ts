import { civilDate, instantOf } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** `YYYY-MM`, in São Paulo. Sorts in time order. */
export type Month = string;

/** Returns the São Paulo month of `at`. */
export function monthOf(at: Instant): Month {
  const { year, month } = civilDate(at);
  return `${year}-${String(month).padStart(2, "0")}`;
}

/** Returns the start and the end (exclusive) of a month, by the wall clock of São Paulo. */
export function monthBounds(month: Month): { from: Instant; until: Instant } {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return {
    from: instantOf({ year, month: number, day: 1 }),
    until: instantOf(
      number === 12 ? { year: year + 1, month: 1, day: 1 } : { year, month: number + 1, day: 1 },
    ),
  };
}

/** Formats a month as it is shown: "11/2026". */
export const monthLabel = (month: Month): string => `${month.slice(5)}/${month.slice(0, 4)}`;

/** Returns the next month. */
export const monthAfter = (month: Month): Month => monthOf(monthBounds(month).until);

/** Returns the previous month. */
export const monthBefore = (month: Month): Month => monthOf(monthBounds(month).from - 1);

const WRITTEN = /^20\d{2}-(0[1-9]|1[0-2])$/;

/** Parses the month in a URL, or null. */
export const parseMonth = (text: string | undefined): Month | null =>
  text !== undefined && WRITTEN.test(text) ? text : null;

/**
 * Parses the month of a report in a URL. Returns the present month for invalid text or a future
 * month.
 */
export function parseReportMonth(text: string | null, now: Instant): Month {
  const present = monthOf(now);
  return text !== null && WRITTEN.test(text) && text < present ? text : present;
}
