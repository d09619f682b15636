import { isoOfDayNumber } from "#app/domain/time.ts";
import type { DayNumber } from "#app/domain/time.ts";

const COUNT = new Intl.NumberFormat("pt-BR");
const PERCENT = new Intl.NumberFormat("pt-BR", { style: "percent", maximumFractionDigits: 1 });
const DAY = new Intl.DateTimeFormat("pt-BR", { timeZone: "UTC", day: "2-digit", month: "2-digit" });
const FULL_DAY = new Intl.DateTimeFormat("pt-BR", { timeZone: "UTC", dateStyle: "short" });

export const countText = (count: number): string => COUNT.format(count);
export const countOr = (count: number | null): string =>
  count === null ? "–" : COUNT.format(count);
export const percentText = (share: number | null): string =>
  share === null ? "sem dados" : PERCENT.format(share);

/** Formats seconds as "45 s" or "1 min 20 s". */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60];
  if (minutes === 0) return `${rest} s`;
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
}

const dateOf = (day: DayNumber): Date => new Date(`${isoOfDayNumber(day)}T00:00:00Z`);

/** Formats `20/12/2026`, a day in any zone. */
export const dayText = (day: DayNumber): string =>
  FULL_DAY.format(dateOf(day)).replace(/\/(\d\d)$/, "/20$1");

/** Formats a day or days for an axis: `20/12`, or `20/12 a 26/12`. */
export function daysText({ from, until }: { from: DayNumber; until: DayNumber }): string {
  const first = DAY.format(dateOf(from));
  return from === until ? first : `${first} a ${DAY.format(dateOf(until))}`;
}
