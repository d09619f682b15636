import { eventMomentText, zoneText } from "#app/domain/events/times/rules.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** The earliest choice of "Mostrar o link": a week before the start. */
export const LINK_MINUTES_MAX = 7 * 24 * 60;

/** An event's link, and from how many minutes before the start it is shown; null with the seat. */
export type TimedLink = { link: string | null; linkMinutes: number | null; startsAt: Instant };

/** Returns when a link that is not shown yet at `now` will be; null without such a link. */
export function linkOpensAt(
  { link, linkMinutes, startsAt }: TimedLink,
  now: Instant,
): Instant | null {
  if (link === null || linkMinutes === null) return null;
  const opensAt = startsAt - linkMinutes * MINUTE_MS;
  return opensAt > now ? opensAt : null;
}

/** Returns the link as a person with a seat sees it at `now`: null before its time. */
export const linkAt = (event: TimedLink, now: Instant): string | null =>
  linkOpensAt(event, now) === null ? event.link : null;

/** Says when the link comes, in the zone of the event. */
export const linkOpensText = (opensAt: Instant, timeZone: string): string =>
  `O link aparece no ingresso a partir de ${eventMomentText(opensAt, timeZone)}, ${zoneText(opensAt, timeZone)}.`;

/** The choices of "Mostrar o link": with the seat, minutes before the start, or a typed number. */
export const LINK_CHOICES = ["seat", "60", "15", "other"] as const;

/** Returns the minutes before the start; null with the seat, undefined for a wrong number. */
export function linkMinutesOf({
  linkFrom,
  linkMinutes,
}: {
  linkFrom: (typeof LINK_CHOICES)[number];
  linkMinutes: string;
}): number | null | undefined {
  if (linkFrom === "seat") return null;
  if (linkFrom !== "other") return Number(linkFrom);
  const minutes = /^\d{1,5}$/.test(linkMinutes) ? Number(linkMinutes) : 0;
  return minutes >= 1 && minutes <= LINK_MINUTES_MAX ? minutes : undefined;
}
