import {
  instantOfWallTime,
  storedWallTime,
  wallTimeOf,
  wallTimeText,
  zoneChanges,
  zoneOffsetMs,
} from "#app/domain/events/rules/wall-time.ts";
import type { OffsetOf } from "#app/domain/events/rules/wall-time.ts";
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

/** Returns the wall times of an event as they are stored beside its instants. */
export const wallsOf = ({
  startsAt,
  endsAt,
  timeZone,
}: Pick<StoredTimes, "startsAt" | "endsAt" | "timeZone">) => ({
  startsWall: wallTimeText(wallTimeOf(startsAt, timeZone)),
  endsWall: wallTimeText(wallTimeOf(endsAt, timeZone)),
});

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
