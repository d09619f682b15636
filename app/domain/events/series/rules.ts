import {
  asIfUtc,
  instantOfWallTime,
  storedWallTime,
  wallTimeOf,
  wallTimeText,
} from "#app/domain/events/times/rules/wall-time.ts";
import type { AnnouncedChange } from "#app/domain/events/rules.ts";
import { counted } from "#app/domain/text.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** How an event may repeat. `none` is one date. */
export const REPEATS = [
  "none",
  "daily",
  "weekly",
  "biweekly",
  "monthly_day",
  "monthly_weekday",
] as const;

/** How an event repeats: a frequency, and until a day (`2027-06-30`) or a number of times. */
export type SeriesRule = {
  repeat: Exclude<(typeof REPEATS)[number], "none">;
  /** Days of the week for `weekly` and `biweekly`, 0 is Monday. */
  weekdays: number[];
  until: string | null;
  times: number | null;
};

/**
 * A change of the dates from `fromDay` on ("" for all): they become as the date `sourceId` is.
 * `announced` has the dates whose people are still to be told, and what changed of each.
 */
export type SeriesChange = {
  kind: "update";
  fromDay: string;
  sourceId: string;
  announced?: { id: string; changed: AnnouncedChange[] }[];
};

export const SERIES_TIMES_MAX = 366;
export const SERIES_YEARS_MAX = 3;
/** How many dates to come a repeating event has at once, and how far ahead they are made. */
export const DATES_AHEAD_MAX = 60;
export const MONTHS_AHEAD_MAX = 12;

/** Which dates a change or a cancellation is for. */
export const SCOPES = ["one", "next", "all"] as const;
export type Scope = (typeof SCOPES)[number];

/** The labels of `Scope`, in the order of a form. */
export const SCOPE_LABELS: Record<Scope, string> = {
  one: "Só esta data",
  next: "Esta e as próximas",
  all: "Todas",
};

export const WEEKDAY_NAMES = [
  "segunda-feira",
  "terça-feira",
  "quarta-feira",
  "quinta-feira",
  "sexta-feira",
  "sábado",
  "domingo",
] as const;

/** Returns the day of the week of `2026-12-20`; 0 is Monday. */
export const weekdayOf = (day: string): number => (new Date(`${day}T00:00Z`).getUTCDay() + 6) % 7;

/**
 * Returns which day of its kind in its month a day is: 3 for the third Thursday. The fifth is the
 * last, -1, because not every month has a fifth.
 */
export function ordinalOf(day: string): number {
  const ordinal = Math.ceil(Number(day.slice(8)) / 7);
  return ordinal === 5 ? -1 : ordinal;
}

/** The hour of every date, its length on the clock in minutes, and its zone. */
export type DateClock = { startsWall: string; durationMinutes: number; timeZone: string };

/**
 * Returns when the date of a day takes place: its wall times, and their instants by
 * `instantOfWallTime`.
 */
export function timesOnDay(day: string, { startsWall, durationMinutes, timeZone }: DateClock) {
  const start = storedWallTime(`${day}T${startsWall.slice(11)}`);
  const end = wallTimeOf(asIfUtc(start) + durationMinutes * MINUTE_MS, "UTC");
  const startsAt = instantOfWallTime(start, timeZone);
  const endsAt = instantOfWallTime(end, timeZone);
  return {
    startsWall: wallTimeText(start),
    endsWall: wallTimeText(end),
    startsAt,
    // A start that the clocks skip moves behind an end that they do not.
    endsAt: endsAt > startsAt ? endsAt : startsAt + durationMinutes * MINUTE_MS,
  };
}

/** Returns how many minutes pass on the clock from one wall time to another. */
export const minutesBetween = (startsWall: string, endsWall: string): number =>
  (asIfUtc(storedWallTime(endsWall)) - asIfUtc(storedWallTime(startsWall))) / MINUTE_MS;

/** Returns the day `count` days after `day`. */
export const dayAfter = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);

const ORDINALS: Record<string, string> = {
  "1": "primeir",
  "2": "segund",
  "3": "terceir",
  "4": "quart",
  "-1": "últim",
};
const LIST = new Intl.ListFormat("pt-BR");
const DAY = new Intl.DateTimeFormat("pt-BR", { timeZone: "UTC", dateStyle: "long" });

/** Says how an event repeats: "Toda semana: terça-feira e quinta-feira, 20 vezes". */
export function repeatText(rule: SeriesRule, firstDay: string): string {
  const end =
    rule.times === null
      ? `até ${DAY.format(Date.parse(`${rule.until}T00:00Z`))}`
      : counted(rule.times, "vez", "vezes");
  return `${frequencyText(rule, firstDay)}, ${end}`;
}

function frequencyText({ repeat, weekdays }: SeriesRule, firstDay: string): string {
  const days = LIST.format(weekdays.map((weekday) => WEEKDAY_NAMES[weekday] ?? ""));
  if (repeat === "daily") return "Todo dia";
  if (repeat === "weekly") return `Toda semana: ${days}`;
  if (repeat === "biweekly") return `A cada duas semanas: ${days}`;
  if (repeat === "monthly_day") {
    const date = Number(firstDay.slice(8));
    return `Todo mês, no dia ${date}${date > 28 ? " (ou no último, se o mês for mais curto)" : ""}`;
  }
  const weekday = weekdayOf(firstDay);
  const ending = weekday < 5 ? "a" : "o";
  const article = weekday < 5 ? "na" : "no";
  return `Todo mês, ${article} ${ORDINALS[String(ordinalOf(firstDay))]}${ending} ${WEEKDAY_NAMES[weekday]}`;
}

/** One date of a repeating event, as its page lists it. */
export type SeriesDate = { id: string; startsAt: Instant; endsAt: Instant; timeZone: string };
