import { DAY_MS, MINUTE_MS, SECOND_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** A date and time on a wall, in some zone. `month` is 1 to 12. */
export type WallTime = { year: number; month: number; day: number; hour: number; minute: number };

const ISO = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::\d{2})?$/;
const BRAZILIAN = /^(\d{1,2})\/(\d{1,2})\/(\d{4}),? (?:às )?(\d{1,2})(?::|h)(\d{2})$/;
/** An area with a place, or UTC: abbreviations and offsets know no daylight saving. */
const ZONE = /^(?:[A-Za-z]+(?:\/[A-Za-z0-9_+-]+)+|UTC)$/;
const ZONE_NAME_MAX = 64;

const FORMATS_MAX = 500;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Whether `name` is a zone that the runtime knows, such as `America/Manaus`. */
export function isTimeZone(name: string): boolean {
  if (name.length > ZONE_NAME_MAX || !ZONE.test(name)) return false;
  try {
    return formatOf(name) !== null;
  } catch {
    return false;
  }
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const cached = formats.get(zone);
  if (cached) return cached;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  // Names in another case are the same zone: they do not grow the cache without end.
  if (formats.size < FORMATS_MAX) formats.set(zone, made);
  return made;
}

/**
 * The clock rules of all zones: how far a zone is ahead of UTC at an instant, in milliseconds.
 * `zoneOffsetMs` has the runtime's; tests give other ones.
 */
export type OffsetOf = (at: Instant, zone: string) => number;

/** Returns how far a zone is ahead of UTC at an instant, in milliseconds. */
export function zoneOffsetMs(at: Instant, zone: string): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const of = (name: Intl.DateTimeFormatPartTypes): number => Number(parts.get(name) ?? 0);
  const wall = Date.UTC(
    of("year"),
    of("month") - 1,
    of("day"),
    of("hour"),
    of("minute"),
    of("second"),
  );
  return wall - Math.floor(at / SECOND_MS) * SECOND_MS;
}

/** Returns the wall time of an instant in a zone. Seconds are left out. */
export function wallTimeOf(at: Instant, zone: string): WallTime {
  const wall = new Date(at + zoneOffsetMs(at, zone));
  return {
    year: wall.getUTCFullYear(),
    month: wall.getUTCMonth() + 1,
    day: wall.getUTCDate(),
    hour: wall.getUTCHours(),
    minute: wall.getUTCMinutes(),
  };
}

/**
 * Returns the instants of a wall time in a zone, earliest first. None where the clocks skip it, two
 * where they are set back over it.
 */
export function instantsOfWallTime(
  wall: WallTime,
  zone: string,
  offsetOf: OffsetOf = zoneOffsetMs,
): Instant[] {
  const asUtc = asIfUtc(wall);
  const offsets = new Set([offsetOf(asUtc - DAY_MS, zone), offsetOf(asUtc + DAY_MS, zone)]);
  return [...offsets]
    .map((offset) => asUtc - offset)
    .filter((at) => at + offsetOf(at, zone) === asUtc)
    .toSorted((one, other) => one - other);
}

/**
 * Returns the instant of a wall time that nobody types now: of a date that repeats, or after a
 * change of clock rules. A time that happens twice is its first one. A time that the clocks skip is
 * as far after the skip as it was into it: 20:30 becomes 21:30 where they go from 20:00 to 21:00. A
 * form refuses a skipped time instead (`parseWallTime`).
 */
export function instantOfWallTime(
  wall: WallTime,
  zone: string,
  offsetOf: OffsetOf = zoneOffsetMs,
): Instant {
  const asUtc = asIfUtc(wall);
  // Before a skip the zone is less far ahead of UTC: with that offset the time falls after it.
  return instantsOfWallTime(wall, zone, offsetOf)[0] ?? asUtc - offsetOf(asUtc - DAY_MS, zone);
}

/** Reads a wall time as if its zone were UTC: for calculations on the clock. */
export const asIfUtc = ({ year, month, day, hour, minute }: WallTime): Instant =>
  Date.UTC(year, month - 1, day, hour, minute);

/** Reads a stored wall time, `2026-12-20T20:00`. Throws for another text. */
export function storedWallTime(text: string): WallTime {
  const wall = wallFrom(text);
  if (wall === null) throw new Error(`no wall time: ${text}`);
  return wall;
}

/** Formats a wall time for a `datetime-local` field: `2026-12-20T20:00`. */
export function wallTimeText(wall: WallTime): string {
  const two = (count: number): string => String(count).padStart(2, "0");
  return `${String(wall.year).padStart(4, "0")}-${two(wall.month)}-${two(wall.day)}T${two(wall.hour)}:${two(wall.minute)}`;
}

export type WallTimeProblem = "missing" | "unreadable" | "no_such_day" | "skipped";

/**
 * Reads a typed time (`2026-12-20T20:00` or `20/12/2026 20:00`) in a zone. A time that happens
 * twice is its first one. Returns a problem for a text that is none, a day that does not exist, and
 * a time that the clocks skip that day.
 */
export function parseWallTime(text: string, zone: string): Instant | WallTimeProblem {
  const typed = text.trim().replaceAll(/\s+/g, " ");
  if (typed === "") return "missing";
  const wall = wallFrom(typed);
  if (wall === null) return "unreadable";
  if (!isOnCalendar(wall)) return "no_such_day";
  return instantsOfWallTime(wall, zone)[0] ?? "skipped";
}

function wallFrom(typed: string): WallTime | null {
  const iso = ISO.exec(typed)?.slice(1).map(Number);
  const local = BRAZILIAN.exec(typed)?.slice(1).map(Number);
  const [year, month, day, hour, minute] =
    iso ?? (local ? [local[2], local[1], local[0], local[3], local[4]] : []);
  if (year === undefined || month === undefined || day === undefined) return null;
  if (hour === undefined || minute === undefined || hour > 23 || minute > 59) return null;
  return { year, month, day, hour, minute };
}

function isOnCalendar({ year, month, day }: WallTime): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1970 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** A change of a zone's offset: from `at` on it is `toMs` ahead of UTC, before `fromMs`. */
export type ZoneChange = { at: Instant; fromMs: number; toMs: number };

/** No zone changes twice within it. */
const STEP_MS = 7 * DAY_MS;

/** Finds the changes of a zone's offset after `from` and up to `to`, earliest first. */
export function zoneChanges(
  zone: string,
  from: Instant,
  to: Instant,
  offsetOf: OffsetOf = zoneOffsetMs,
): ZoneChange[] {
  const changes: ZoneChange[] = [];
  let before = offsetOf(from, zone);
  for (let at = from; at < to; at += STEP_MS) {
    const next = Math.min(at + STEP_MS, to);
    const after = offsetOf(next, zone);
    if (after !== before)
      changes.push({ at: changeBetween(zone, at, next, offsetOf), fromMs: before, toMs: after });
    before = after;
  }
  return changes;
}

/** Searches the minute of the one change between two instants. */
function changeBetween(zone: string, from: Instant, to: Instant, offsetOf: OffsetOf): Instant {
  const before = offsetOf(from, zone);
  let low = Math.floor(from / MINUTE_MS);
  let high = Math.ceil(to / MINUTE_MS);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetOf(middle * MINUTE_MS, zone) === before) low = middle;
    else high = middle;
  }
  return high * MINUTE_MS;
}
