import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

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
  const cached = formats.get(timeZone);
  if (cached) return cached;
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
