import {
  addDays,
  civilDate,
  HOUR_MS,
  instantOf,
  MINUTE_MS,
  timeOfDayMs,
} from "#app/domain/time.ts";
import type { CivilDate, Instant } from "#app/domain/time.ts";

/**
 * "MM-DD" of the national holidays with a fixed date, with the first year of recent ones (Lei
 * 14.759/2023).
 */
const FIXED: readonly { day: string; since?: number }[] = [
  { day: "01-01" },
  { day: "04-21" },
  { day: "05-01" },
  { day: "09-07" },
  { day: "10-12" },
  { day: "11-02" },
  { day: "11-15" },
  { day: "11-20", since: 2024 },
  { day: "12-25" },
];

/** Days from Easter: Carnival Monday and Tuesday, Good Friday, Corpus Christi. */
const FROM_EASTER = [-48, -47, -2, 60];

/**
 * Returns Easter Sunday of a Gregorian year. Source: the anonymous Gregorian computus (Meeus,
 * "Astronomical Algorithms").
 */
export function easter(year: number): CivilDate {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const h =
    (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const sum = h + l - 7 * m + 114;
  return { year, month: Math.floor(sum / 31), day: (sum % 31) + 1 };
}

const dayOf = ({ year, month, day }: CivilDate, days = 0): Date =>
  new Date(Date.UTC(year, month - 1, day + days));
const iso = (date: Date): string => date.toISOString().slice(0, 10);
const isWeekend = (date: Date): boolean => date.getUTCDay() % 6 === 0;

/** Returns the bank holidays of all Brazil in a year, "YYYY-MM-DD" in order, without weekends. */
export function bankHolidays(year: number): string[] {
  const fixed = FIXED.filter(({ since }) => since === undefined || year >= since).map(
    ({ day }) => `${year}-${day}`,
  );
  const moving = FROM_EASTER.map((days) => iso(dayOf(easter(year), days)));
  return [...new Set([...fixed, ...moving, lastWeekday(year)])].toSorted();
}

/** Returns the last weekday of a year: 31 December, or the Friday before it. */
function lastWeekday(year: number): string {
  const last = dayOf({ year, month: 12, day: 31 });
  return iso(
    isWeekend(last) ? dayOf({ year, month: 12, day: 31 - (last.getUTCDay() === 6 ? 1 : 2) }) : last,
  );
}

/**
 * Whether banks make TED transfers for clients on the São Paulo day of `at`.
 *
 * They do not on weekends, national holidays, Carnival Monday and Tuesday, Good Friday and Corpus
 * Christi (Resolução CMN 4.880/2020, art. 5; Febraban's calendar of bank holidays). They do not on
 * the last weekday of the year either. The STR is open on that day, but banks serve only each other
 * (Resolução 2.932/2002, art. 3, which the one of 2020 preserves). Febraban announces each year
 * that no TED is made on 31 December. Holidays of states and towns do not count: a TED is national.
 * Ash Wednesday and 24 December are business days with short hours at the counter.
 */
export function isBusinessDay(at: Instant): boolean {
  const date = dayOf(civilDate(at));
  return !isWeekend(date) && !bankHolidays(date.getUTCFullYear()).includes(iso(date));
}

/**
 * Banks accept a TED for a client from 6:30 to 17:00. Our window is shorter, so that a queued
 * transfer still arrives. Source: Banco Central, hours of the STR; Celcoin and QI Tech, "TED".
 */
const TED_FROM_MS = 7 * HOUR_MS;
const TED_UNTIL_MS = 16 * HOUR_MS + 30 * MINUTE_MS;

/**
 * Returns when a transfer to a bank account may leave.
 *
 * It is `now` within the hours of a business day, or else the start of the next window. The
 * transfer arrives on the day on which it leaves. The result is never before `now` and at most ten
 * days later. Called again with its own result, it returns the same instant.
 */
export function nextTransferWindow(now: Instant): Instant {
  const midnight = instantOf(civilDate(now));
  const passed = timeOfDayMs(now);
  if (isBusinessDay(now) && passed < TED_UNTIL_MS)
    return passed < TED_FROM_MS ? midnight + TED_FROM_MS : now;
  let day = addDays(midnight, 1);
  while (!isBusinessDay(day)) day = addDays(day, 1);
  return instantOf(civilDate(day), TED_FROM_MS);
}
