import { DAY_MS, MINUTE_MS, TIME_ZONE } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { instantOfWall, wallClock } from "./wall-clock.ts";

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
