import { counted } from "./text.ts";

/** Milliseconds since 1970 UTC. Every `…At` of the product is one. */
export type Instant = number;

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** How long "Desfazer" of an act works that leaves nothing in a list to take back later. */
export const UNDO_MS = 10 * MINUTE_MS;

export const TIME_ZONE = "America/Sao_Paulo";

/**
 * São Paulo is three hours behind UTC, without daylight saving since 2019 (Decreto 9.772/2019). The
 * triggers that sum statement totals use the same number for days. So a statement and its totals
 * never disagree.
 */
export const BEHIND_UTC_MS = 3 * HOUR_MS;

/** A calendar date in São Paulo. `month` is 1 to 12. */
export type CivilDate = { year: number; month: number; day: number };

const PARTS = new Intl.DateTimeFormat("en-CA", {
  timeZone: TIME_ZONE,
  hourCycle: "h23",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

type CivilParts = CivilDate & { hour: number; minute: number; second: number };

/** São Paulo's last daylight saving ended on 17 February 2019 at midnight (Decreto 9.772/2019). */
const ALWAYS_BEHIND_SINCE = Date.UTC(2019, 1, 17, 2);

function civilParts(at: Instant): CivilParts {
  return at < ALWAYS_BEHIND_SINCE ? partsOfZone(at) : partsOfUtc(at - BEHIND_UTC_MS);
}

/** A page formats many times, and this takes a thirtieth of the time of `partsOfZone`. */
function partsOfUtc(at: Instant): CivilParts {
  const wall = new Date(at);
  return {
    year: wall.getUTCFullYear(),
    month: wall.getUTCMonth() + 1,
    day: wall.getUTCDate(),
    hour: wall.getUTCHours(),
    minute: wall.getUTCMinutes(),
    second: wall.getUTCSeconds(),
  };
}

function partsOfZone(at: Instant): CivilParts {
  const parts = Object.fromEntries(
    PARTS.formatToParts(at).map((part) => [part.type, Number(part.value)]),
  );
  const of = (name: string) => parts[name] ?? 0;
  return {
    year: of("year"),
    month: of("month"),
    day: of("day"),
    hour: of("hour"),
    minute: of("minute"),
    second: of("second"),
  };
}

/** Returns the date on a São Paulo wall calendar at `at`. */
export function civilDate(at: Instant): CivilDate {
  const { year, month, day } = civilParts(at);
  return { year, month, day };
}

/** Returns the same date as `YYYY-MM-DD`, which sorts by day. */
export function isoDay(at: Instant): string {
  const { year, month, day } = civilDate(at);
  return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/** Returns midnight in São Paulo of a day written `YYYY-MM-DD`. */
export function instantOfIsoDay(text: string): Instant {
  const [year = 0, month = 1, day = 1] = text.split("-").map(Number);
  return instantOf({ year, month, day });
}

function offsetMs(at: Instant): number {
  const parts = civilParts(at);
  const wall = Date.UTC(
    parts.year,
    parts.month - 1,
    parts.day,
    parts.hour,
    parts.minute,
    parts.second,
  );
  return wall - Math.floor(at / SECOND_MS) * SECOND_MS;
}

/** Returns the instant of a São Paulo wall-clock time, daylight saving of past years included. */
export function instantOf(date: CivilDate, timeOfDayMs = 0): Instant {
  const wall = Date.UTC(date.year, date.month - 1, date.day) + timeOfDayMs;
  const guess = wall - offsetMs(wall);
  return wall - offsetMs(guess);
}

/** Returns the time of the São Paulo day at `at`, in milliseconds. */
export function timeOfDayMs(at: Instant): number {
  const parts = civilParts(at);
  return (
    parts.hour * HOUR_MS +
    parts.minute * MINUTE_MS +
    parts.second * SECOND_MS +
    (((at % SECOND_MS) + SECOND_MS) % SECOND_MS)
  );
}

/** A day of São Paulo as a number, to count or store days: whole days since 1970. */
export type DayNumber = number;

/** Returns the day of an instant. */
export const dayNumberOf = (at: Instant): DayNumber => Math.floor((at - BEHIND_UTC_MS) / DAY_MS);

/** Returns the first instant of a day. */
export const startOfDay = (day: DayNumber): Instant => day * DAY_MS + BEHIND_UTC_MS;

/** Returns the same day as `YYYY-MM-DD`, for a date field. */
export const isoOfDayNumber = (day: DayNumber): string =>
  new Date(day * DAY_MS).toISOString().slice(0, 10);

const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const BRAZILIAN_DAY = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;

/**
 * Parses the day of a date field (`2026-12-20`), or a typed one (`20/12/2026`). Null when it is no
 * day.
 */
export function parseDay(text: string): DayNumber | null {
  const iso = ISO_DAY.exec(text.trim());
  const typed = BRAZILIAN_DAY.exec(text.trim());
  const [year, month, date] = iso ? [iso[1], iso[2], iso[3]] : [typed?.[3], typed?.[2], typed?.[1]];
  const at = Date.UTC(Number(year), Number(month) - 1, Number(date));
  const isThatDay =
    new Date(at).getUTCDate() === Number(date) && new Date(at).getUTCMonth() === Number(month) - 1;
  return isThatDay ? at / DAY_MS : null;
}

/** Returns the days of a month. `month` is 1 to 12. */
export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/**
 * Returns `months` after `anchor`, on the anchor's own day or the month's last: 31 Jan, 28 Feb, 31
 * Mar. Always counted from the anchor, so it never drifts. The time of day stays.
 */
export function addMonths(anchor: Instant, months: number): Instant {
  const start = civilDate(anchor);
  const index = start.year * 12 + (start.month - 1) + months;
  const year = Math.floor(index / 12);
  const month = (index % 12) + 1;
  const day = Math.min(start.day, daysInMonth(year, month));
  return instantOf({ year, month, day }, timeOfDayMs(anchor));
}

/** Returns `days` later at the same time of a São Paulo day. */
export function addDays(at: Instant, days: number): Instant {
  const { year, month, day } = civilDate(at);
  const moved = new Date(Date.UTC(year, month - 1, day + days));
  return instantOf(
    { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() },
    timeOfDayMs(at),
  );
}

/** Counts the São Paulo midnights from `from` to `to`; 0 within one day. */
export function daysBetween(from: Instant, to: Instant): number {
  const midnightMs = (at: Instant): number => {
    const { year, month, day } = civilDate(at);
    return Date.UTC(year, month - 1, day);
  };
  return (midnightMs(to) - midnightMs(from)) / DAY_MS;
}

const DAY_FORMAT = new Intl.DateTimeFormat("pt-BR", {
  timeZone: TIME_ZONE,
  day: "2-digit",
  month: "2-digit",
  year: "numeric",
});
const SHORT_DAY_FORMAT = new Intl.DateTimeFormat("pt-BR", {
  timeZone: TIME_ZONE,
  day: "2-digit",
  month: "2-digit",
});
const MINUTE_FORMAT = new Intl.DateTimeFormat("pt-BR", {
  timeZone: TIME_ZONE,
  day: "2-digit",
  month: "2-digit",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});

const SHORT_MINUTE_FORMAT = new Intl.DateTimeFormat("pt-BR", {
  timeZone: TIME_ZONE,
  day: "2-digit",
  month: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
});

const TIME_FORMAT = new Intl.DateTimeFormat("pt-BR", {
  timeZone: TIME_ZONE,
  hour: "2-digit",
  minute: "2-digit",
});

/** Formats `20/12/2026`. */
export const formatDay = (at: Instant): string => DAY_FORMAT.format(at);
/** Formats `20/12`. */
export const formatShortDay = (at: Instant): string => SHORT_DAY_FORMAT.format(at);
/** Formats `20/12/2026, 17:05`. */
export const formatMinute = (at: Instant): string => MINUTE_FORMAT.format(at);

/** Formats `20/12, 17:05`. */
export const formatShortMinute = (at: Instant): string => SHORT_MINUTE_FORMAT.format(at);

/** Formats `17:05`. */
export const formatTimeOfDay = (at: Instant): string => TIME_FORMAT.format(at);

/** Formats "agora", "há 25 min", "há 2 horas", "ontem", then the date. */
export function formatAgo(at: Instant, now: Instant): string {
  const elapsed = Math.max(0, now - at);
  if (elapsed < MINUTE_MS) return "agora";
  if (elapsed < HOUR_MS) return `há ${Math.floor(elapsed / MINUTE_MS)} min`;
  const today = instantOf(civilDate(now));
  if (at >= today || elapsed < 6 * HOUR_MS) {
    const hours = Math.floor(elapsed / HOUR_MS);
    return `há ${counted(hours, "hora", "horas")}`;
  }
  if (at >= addDays(today, -1)) return "ontem";
  return civilDate(at).year === civilDate(now).year ? formatShortDay(at) : formatDay(at);
}

/** Returns the smallest id of ours made at `at`: ids start with their time. */
export const lowestIdAt = (at: Instant): string =>
  Math.max(0, Math.floor(at)).toString(16).padStart(12, "0");
