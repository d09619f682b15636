import {
  addDays,
  BEHIND_UTC_MS,
  DAY_MS,
  HOUR_MS,
  instantOfIsoDay,
  isoDay,
} from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Returns the Monday of the week of a day, both as `2026-12-21` in São Paulo; null for a text that
 * is no day of the years 2000 to 2100.
 */
export function mondayOf(text: string | null): string | null {
  const at = DAY.test(text ?? "") ? Date.parse(`${text}T00:00Z`) : Number.NaN;
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text) return null;
  const year = new Date(at).getUTCFullYear();
  if (year < 2000 || year > 2100) return null;
  const weekday = (new Date(at).getUTCDay() + 6) % 7;
  return new Date(at - weekday * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the seven days of the week that starts on `monday`. */
export const weekDays = (monday: string): string[] =>
  Array.from({ length: 7 }, (_, later) => isoDay(addDays(instantOfIsoDay(monday), later)));

type Timed = { startsAt: Instant; endsAt: Instant };

/** An event on one day of the grid. Hours are counted from midnight in São Paulo, with fractions. */
export type Placed<Event extends Timed> = Event & {
  /** It started on a day before. */
  continues: boolean;
  fromHour: number;
  toHour: number;
};

/** The hours that a grid shows at least. */
const SHOWN = { from: 8, to: 22 };

/** Returns the whole hours of a grid that holds every event of a week. */
export function hoursOfWeek(days: readonly (readonly Placed<Timed>[])[]): {
  from: number;
  to: number;
} {
  const all = days.flat();
  return {
    from: Math.min(SHOWN.from, ...all.map(({ fromHour }) => Math.floor(fromHour))),
    to: Math.max(SHOWN.to, ...all.map(({ toHour }) => Math.ceil(toHour))),
  };
}

/**
 * Returns the events of each day (ISO, in São Paulo), with the part of it that they take, earliest
 * first. One that ends at midnight is not on the next day.
 */
export function placeInWeek<Event extends Timed>(
  events: readonly Event[],
  days: readonly string[],
): Placed<Event>[][] {
  return days.map((day) => {
    const midnight = Date.parse(`${day}T00:00Z`) + BEHIND_UTC_MS;
    const hourOf = (at: Instant): number => Math.min(24, Math.max(0, (at - midnight) / HOUR_MS));
    return events
      .filter(({ startsAt, endsAt }) => startsAt < midnight + DAY_MS && endsAt > midnight)
      .toSorted((one, other) => one.startsAt - other.startsAt || other.endsAt - one.endsAt)
      .map((event) => ({
        ...event,
        continues: event.startsAt < midnight,
        fromHour: hourOf(event.startsAt),
        toHour: hourOf(event.endsAt),
      }));
  });
}

/**
 * Returns the half hours of a grid that starts at the hour `from` which an event takes, as the
 * lines of a CSS grid: from 1, and at least one half hour.
 */
export function halfHourLines(
  { fromHour, toHour }: { fromHour: number; toHour: number },
  from: number,
): { start: number; end: number } {
  const start = Math.floor((fromHour - from) * 2) + 1;
  return { start, end: Math.max(start + 1, Math.ceil((toHour - from) * 2) + 1) };
}
