import { HOUR_MS, instantOf, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

const CIVIL_MOMENT = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::\d{2})?$/;

/**
 * Parses a `datetime-local` value in São Paulo time, such as `2026-11-27T17:00`. Empty is null.
 * "invalid" for any other text, and for a date that does not exist.
 */
export function parseCivilMoment(text: string): Instant | "invalid" | null {
  if (text.trim() === "") return null;
  const match = CIVIL_MOMENT.exec(text.trim());
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = match?.slice(1).map(Number) ?? [];
  const isDate =
    new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day && month >= 1 && month <= 12;
  return match && isDate && hour < 24 && minute < 60
    ? instantOf({ year, month, day }, hour * HOUR_MS + minute * MINUTE_MS)
    : "invalid";
}
