import {
  instantOfWallTime,
  parseWallTime,
  storedWallTime,
  wallTimeOf,
  wallTimeText,
  zoneChanges,
  zoneOffsetMs,
} from "./wall-time.ts";
import type { OffsetOf, WallTimeProblem } from "./wall-time.ts";
import type { Instant } from "#app/domain/time.ts";

/** An event starts at most 3 years ahead and lasts 14 days. */
const YEARS = 5;

/**
 * Describes a zone's clock rules from the start of `year` on, for 5 years: its first offset and its
 * changes. Two texts of one year are equal only if the rules are.
 */
export function zoneRulesText(
  zone: string,
  year: number,
  offsetOf: OffsetOf = zoneOffsetMs,
): string {
  const [from, to] = [Date.UTC(year, 0, 1), Date.UTC(year + YEARS, 0, 1)];
  const changes = zoneChanges(zone, from, to, offsetOf);
  return JSON.stringify([offsetOf(from, zone), ...changes.map(({ at, toMs }) => [at, toMs])]);
}

/** The times of an event: as typed, and the instants by the clock rules of some day. */
export type StoredTimes = {
  startsAt: Instant;
  endsAt: Instant;
  startsWall: string | null;
  endsWall: string | null;
  timeZone: string;
};

type TimesWithWalls = Pick<StoredTimes, "startsAt" | "endsAt" | "timeZone"> & {
  startsWall?: string | null | undefined;
  endsWall?: string | null | undefined;
};

/**
 * Returns the wall times of an event as they are stored beside its instants. A given wall time that
 * the clocks skip on that day is kept: its instant is another hour on that day only.
 */
export const wallsOf = ({ startsAt, endsAt, timeZone, ...given }: TimesWithWalls) => ({
  startsWall: wallOf(startsAt, timeZone, given.startsWall),
  endsWall: wallOf(endsAt, timeZone, given.endsWall),
});

function wallOf(at: Instant, zone: string, given: string | null | undefined): string {
  const isOfInstant =
    typeof given === "string" && instantOfWallTime(storedWallTime(given), zone) === at;
  return isOfInstant ? given : wallTimeText(wallTimeOf(at, zone));
}

/** The wall times of a saved event. */
export type SavedWalls = { startsWall: string | null; endsWall: string | null };

type TypedTime = { at: Instant | WallTimeProblem; wall: string | null };

/**
 * Reads the times of a form in its zone. A time that the clocks skip has an instant only where it
 * was `saved`. `startsWall` and `endsWall` are the saved wall times that the form still has.
 */
export function typedTimes(
  form: { startsAt: string; endsAt: string; timeZone: string },
  saved: SavedWalls | null,
) {
  const start = typedTime(form.startsAt, form.timeZone, saved?.startsWall);
  const end = typedTime(form.endsAt, form.timeZone, saved?.endsWall);
  return { startsAt: start.at, startsWall: start.wall, endsAt: end.at, endsWall: end.wall };
}

function typedTime(typed: string, zone: string, saved: string | null | undefined): TypedTime {
  const wall = typeof saved === "string" && typed.startsWith(saved) ? saved : null;
  const at = parseWallTime(typed, zone);
  const isSaved = at === "skipped" && wall !== null;
  return { wall, at: isSaved ? instantOfWallTime(storedWallTime(wall), zone) : at };
}

/**
 * Returns the instants at which an event takes place by the clock rules `offsetOf`, so that it
 * stays at its hour. The rule for skipped and repeated times is `instantOfWallTime`'s; an event
 * whose end would not be after its start keeps its length. Without stored wall times nothing
 * moves.
 */
export function timesByRules(
  { startsAt, endsAt, startsWall, endsWall, timeZone }: StoredTimes,
  offsetOf: OffsetOf = zoneOffsetMs,
): { startsAt: Instant; endsAt: Instant } {
  if (startsWall === null || endsWall === null) return { startsAt, endsAt };
  const start = instantOfWallTime(storedWallTime(startsWall), timeZone, offsetOf);
  const end = instantOfWallTime(storedWallTime(endsWall), timeZone, offsetOf);
  return { startsAt: start, endsAt: end > start ? end : start + (endsAt - startsAt) };
}
