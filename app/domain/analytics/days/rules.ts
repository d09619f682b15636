import { isTimeZone } from "#app/domain/notifications/rules/quiet-hours.ts";
import { instantOfWall, wallClock } from "#app/domain/notifications/rules/wall-clock.ts";
import { BEHIND_UTC_MS, DAY_MS, TIME_ZONE } from "#app/domain/time.ts";
import type { DayNumber, Instant } from "#app/domain/time.ts";

/** Returns the day that a calendar shows there, in days since 1970. */
export const zonedDay = (timeZone: string, at: Instant): DayNumber =>
  timeZone === TIME_ZONE
    ? Math.floor((at - BEHIND_UTC_MS) / DAY_MS)
    : Math.floor(wallClock(timeZone, at) / DAY_MS);

/** Returns the first instant of a day there. */
export const startOfZonedDay = (timeZone: string, day: DayNumber): Instant =>
  timeZone === TIME_ZONE ? day * DAY_MS + BEHIND_UTC_MS : instantOfWall(timeZone, day * DAY_MS);

/** Returns a zone that the product knows; São Paulo for any other. */
export const knownZone = (timeZone: string | null | undefined): string =>
  timeZone && isTimeZone(timeZone) ? timeZone : TIME_ZONE;
