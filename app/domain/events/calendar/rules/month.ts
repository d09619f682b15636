import { daysInMonth, isoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** A month of a year; `month` is 1 to 12. */
export type Month = { year: number; month: number };

const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/;

/** Parses `2026-12`; null for anything else. */
export function parseMonth(text: string | null): Month | null {
  const match = MONTH.exec(text ?? "");
  const year = Number(match?.[1]);
  return match && year >= 2000 && year <= 2100 ? { year, month: Number(match[2]) } : null;
}

/** Formats `2026-12`. */
export const monthText = ({ year, month }: Month): string =>
  `${year}-${String(month).padStart(2, "0")}`;

/** Returns the month `count` months later. */
export function monthAfter({ year, month }: Month, count: number): Month {
  const index = year * 12 + (month - 1) + count;
  return { year: Math.floor(index / 12), month: (index % 12) + 1 };
}

/** A day of the grid, as `YYYY-MM-DD`. */
export type GridDay = { iso: string; day: number; isInMonth: boolean };

/**
 * Groups events by the days (ISO, of `days`) on which they take place. One that ends at midnight is
 * not on the next day; `continues` marks each day after the first.
 */
export function eventsByDay<Timed extends { startsAt: Instant; endsAt: Instant }>(
  events: readonly Timed[],
  days: readonly string[],
): Record<string, (Timed & { continues: boolean })[]> {
  const byDay: Record<string, (Timed & { continues: boolean })[]> = {};
  for (const event of events) {
    const [first, last] = [isoDay(event.startsAt), isoDay(event.endsAt - 1)];
    for (const day of days.filter((one) => one >= first && one <= last))
      (byDay[day] ??= []).push({ ...event, continues: day !== first });
  }
  return byDay;
}

/** Returns the whole weeks that hold a month, each from Monday to Sunday. */
export function monthWeeks({ year, month }: Month): GridDay[][] {
  const first = new Date(Date.UTC(year, month - 1, 1));
  const before = (first.getUTCDay() + 6) % 7;
  const weeks = Math.ceil((before + daysInMonth(year, month)) / 7);
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (__, weekday) => {
      const date = new Date(Date.UTC(year, month - 1, 1 - before + week * 7 + weekday));
      return {
        iso: date.toISOString().slice(0, 10),
        day: date.getUTCDate(),
        isInMonth: date.getUTCMonth() === month - 1,
      };
    }),
  );
}
