import { DAY_MS, HOUR_MS, MINUTE_MS, TIME_ZONE } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** A person's time zone (an IANA name) and quiet hours, in minutes after midnight there. */
export type NotificationHours = {
  timeZone: string;
  /** Null without quiet hours. With an end before the start they cross midnight. */
  quiet: { fromMinute: number; untilMinute: number } | null;
};

export const DEFAULT_HOURS: NotificationHours = { timeZone: TIME_ZONE, quiet: null };

const DAY_MINUTES = 24 * 60;

/** The time zones that a person may choose, with their names. */
export const TIME_ZONES = {
  "America/Sao_Paulo": "Brasília",
  "America/Noronha": "Fernando de Noronha",
  "America/Manaus": "Amazonas, Mato Grosso, Rondônia e Roraima",
  "America/Rio_Branco": "Acre",
  "America/Argentina/Buenos_Aires": "Buenos Aires",
  "America/Santiago": "Santiago",
  "America/Mexico_City": "Cidade do México",
  "America/New_York": "Nova York",
  "America/Chicago": "Chicago",
  "America/Los_Angeles": "Los Angeles",
  "Atlantic/Azores": "Açores",
  "Europe/Lisbon": "Lisboa",
  "Europe/London": "Londres",
  "Europe/Paris": "Paris, Madri, Roma e Berlim",
  "Africa/Luanda": "Luanda",
  "Africa/Maputo": "Maputo",
  "Asia/Tokyo": "Tóquio",
  "Australia/Sydney": "Sydney",
} as const;
export type TimeZoneName = keyof typeof TIME_ZONES;

export const isTimeZone = (name: string): name is TimeZoneName => Object.hasOwn(TIME_ZONES, name);

/** Reads a time of day as a form sends it, `HH:MM`, in minutes after midnight; null if it is none. */
export function minuteOfDay(typed: string): number | null {
  const [, hours = "", minutes = ""] = /^([01]\d|2[0-3]):([0-5]\d)(?::[0-5]\d)?$/.exec(typed) ?? [];
  return hours === "" ? null : Number(hours) * 60 + Number(minutes);
}

/** Writes minutes after midnight as `HH:MM`. */
export const clockOfMinute = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

/**
 * Returns when the quiet hours end in which `at` lies; null outside of them. The start belongs to
 * them, the end does not. Where a change of clock skips the end, they end right after the skip;
 * where it repeats the end, at the first of the two. Equal start and end are no quiet hours.
 */
export function quietUntil({ timeZone, quiet }: NotificationHours, at: Instant): Instant | null {
  if (quiet === null || quiet.fromMinute === quiet.untilMinute) return null;
  const { fromMinute, untilMinute } = quiet;
  const wall = wallClock(timeZone, at);
  const minute = Math.floor((wall % DAY_MS) / MINUTE_MS);
  const isQuiet =
    fromMinute < untilMinute
      ? minute >= fromMinute && minute < untilMinute
      : minute >= fromMinute || minute < untilMinute;
  if (!isQuiet) return null;
  const midnight = wall - (wall % DAY_MS);
  const day = minute < untilMinute ? midnight : midnight + DAY_MS;
  const end = instantOfWall(timeZone, day + untilMinute * MINUTE_MS);
  // The repeated hour after a change of clock may begin after the first of two ends.
  return end > at ? end : at + ((untilMinute - minute + DAY_MINUTES) % DAY_MINUTES) * MINUTE_MS;
}

/** Returns the time on a clock there, as if it were UTC. */
export function wallClock(timeZone: string, at: Instant): Instant {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map((p) => [p.type, Number(p.value)]),
  );
  const of = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  return Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"), of("second"));
}

/** Returns the first instant at which the clock there shows `wall`, or later if it is skipped. */
export function instantOfWall(timeZone: string, wall: Instant): Instant {
  const offsets = [wall - DAY_MS, wall + DAY_MS].map((near) => wallClock(timeZone, near) - near);
  const shown = offsets
    .map((offset) => wall - offset)
    .filter((instant) => wallClock(timeZone, instant) === wall);
  if (shown.length > 0) return Math.min(...shown);
  return firstAfterSkip(timeZone, wall, Math.min(...offsets.map((offset) => wall - offset)));
}

/** A clock skips at most a few hours. */
function firstAfterSkip(timeZone: string, wall: Instant, from: Instant): Instant {
  let at = from - (from % MINUTE_MS);
  const last = at + 3 * HOUR_MS;
  while (at < last && wallClock(timeZone, at) < wall) at += MINUTE_MS;
  return at;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Building a format takes much longer than using it. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  formats.set(timeZone, made);
  return made;
}
