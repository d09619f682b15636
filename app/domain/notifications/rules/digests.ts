import { counted } from "#app/domain/text.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { instantOfWall, wallClock } from "./wall-clock.ts";

export const DIGEST_RHYTHMS = ["never", "daily", "weekly"] as const;
export type DigestRhythm = (typeof DIGEST_RHYTHMS)[number];

/** Digests go at eight in the morning where the person is, the weekly one on Mondays. */
const SENT_AT_MS = 8 * HOUR_MS;
/** 1 January 1970 was a Thursday. */
const isMonday = (midnight: Instant): boolean => (midnight / DAY_MS) % 7 === 4;

/**
 * Returns when the next digest is due, always after `now`. `timeZone` is the person's, an IANA
 * name.
 */
export function nextDigestAt(
  rhythm: Exclude<DigestRhythm, "never">,
  { now, timeZone }: { now: Instant; timeZone: string },
): Instant {
  const wall = wallClock(timeZone, now);
  // Midnights are read as if the clock there were UTC.
  let midnight = wall - (wall % DAY_MS);
  if (instantOfWall(timeZone, midnight + SENT_AT_MS) <= now) midnight += DAY_MS;
  while (rhythm === "weekly" && !isMonday(midnight)) midnight += DAY_MS;
  return instantOfWall(timeZone, midnight + SENT_AT_MS);
}

/** Notifications that a digest names; it counts the rest. */
export const DIGEST_LINES = 15;

/**
 * Writes a digest: one line for each of `bodies`, newest first, and how many more of `total` there
 * are. `total` is at most 100, and 100 stands for more.
 */
export function digestMail({ bodies, total }: { bodies: readonly string[]; total: number }): {
  subject: string;
  body: string;
} {
  const rest = total - bodies.length;
  return {
    subject: `${total >= 100 ? "Mais de 99 novidades" : counted(total, "novidade", "novidades")} no Coreto`,
    body: [
      "O que aconteceu e você ainda não leu:",
      bodies.map((body) => `• ${body.replaceAll(/\s+/g, " ")}`).join("\n"),
      ...(rest > 0
        ? [total >= 100 ? "E muitas outras." : `E mais ${counted(rest, "novidade", "novidades")}.`]
        : []),
    ].join("\n\n"),
  };
}
