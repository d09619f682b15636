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
 * "MM-DD" of the national holidays that never move, with the first year of those that are young
 * (Lei 14.759/2023).
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
 * Easter Sunday of a year of the Gregorian calendar. Source: the anonymous Gregorian computus
 * (Meeus, "Astronomical Algorithms").
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

/**
 * The days of a year, "YYYY-MM-DD" in order, that are no business days of banks in all of Brazil,
 * weekends apart.
 */
export function bankHolidays(year: number): string[] {
  const fixed = FIXED.filter(({ since }) => since === undefined || year >= since).map(
    ({ day }) => `${year}-${day}`,
  );
  const moving = FROM_EASTER.map((days) => iso(dayOf(easter(year), days)));
  return [...new Set([...fixed, ...moving, lastWeekday(year)])].toSorted();
}

/** The last Monday to Friday of a year: 31 December, or the Friday before. */
function lastWeekday(year: number): string {
  const last = dayOf({ year, month: 12, day: 31 });
  return iso(
    isWeekend(last) ? dayOf({ year, month: 12, day: 31 - (last.getUTCDay() === 6 ? 1 : 2) }) : last,
  );
}

/**
 * Whether banks move money for their clients by TED on the São Paulo day of `at`. Not on weekends,
 * nor on national holidays, the Monday and Tuesday of Carnival, Good Friday and Corpus Christi
 * (Resolução CMN 4.880/2020, art. 5; Febraban's calendar of bank holidays); nor on the last weekday
 * of the year: the STR is open on it and markets count it, but banks serve only each other
 * (Resolução 2.932/2002, art. 3, kept by the one of 2020), and Febraban announces each year that no
 * TED is made on 31 December. Holidays of states and towns do not matter: a TED is national. Ash
 * Wednesday and 24 December are business days with short hours at the counter.
 */
export function isBusinessDay(at: Instant): boolean {
  const date = dayOf(civilDate(at));
  return !isWeekend(date) && !bankHolidays(date.getUTCFullYear()).includes(iso(date));
}

/**
 * Banks take a TED for a client from 6:30 to 17:00; what waits a moment in a queue must still
 * arrive. Source: Banco Central, hours of the STR; Celcoin and QI Tech, "TED".
 */
const TED_FROM_MS = 7 * HOUR_MS;
const TED_UNTIL_MS = 16 * HOUR_MS + 30 * MINUTE_MS;

/**
 * When a transfer to a bank account may leave: `now` within the hours of a business day, or else
 * the first moment of the next one's. It arrives on the day on which it leaves. Always at `now` or
 * later, within ten days, and the same when asked again at the moment that it gave.
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
