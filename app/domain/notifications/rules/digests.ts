import { counted } from "#app/domain/text.ts";
import { dayNumberOf, HOUR_MS, startOfDay } from "#app/domain/time.ts";
import type { DayNumber, Instant } from "#app/domain/time.ts";

export const DIGEST_RHYTHMS = ["never", "daily", "weekly"] as const;
export type DigestRhythm = (typeof DIGEST_RHYTHMS)[number];

/** Digests go at eight in the morning in São Paulo, the weekly one on Mondays. */
const SENT_AT_MS = 8 * HOUR_MS;
/** 1 January 1970 was a Thursday. */
const isMonday = (day: DayNumber): boolean => day % 7 === 4;

/** Returns when the next digest is due, always after `now`. */
export function nextDigestAt(rhythm: Exclude<DigestRhythm, "never">, now: Instant): Instant {
  let day = dayNumberOf(now);
  if (startOfDay(day) + SENT_AT_MS <= now) day += 1;
  while (rhythm === "weekly" && !isMonday(day)) day += 1;
  return startOfDay(day) + SENT_AT_MS;
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
