import { formatShortMinute, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import type { RateLimitedAction, RateLimit } from "./schema.ts";

/** Returns the key under which a person's actions of one kind are counted within one window. */
export const rateLimitKey = (
  { act, personId }: Pick<RateLimitedAction, "act" | "personId">,
  { windowMs }: RateLimit,
): string => `${act}:${personId}:${windowMs}`;

export type RateLimitCount = { count: number; windowStartedAt: Instant };

/**
 * Returns when an action that was refused at `now` is allowed again: the end of the last full
 * window, or now where none is full.
 */
export function rateLimitResetFrom(
  counts: readonly (RateLimitCount & RateLimit)[],
  now: Instant,
): Instant {
  return Math.max(
    now,
    ...counts
      .filter(({ count, limit }) => count >= limit)
      .map(({ windowStartedAt, windowMs }) => windowStartedAt + windowMs),
  );
}

/**
 * Formats that time as a sentence, rounded up to the minute: "Tente de novo a partir de 24/11,
 * 10:32."
 */
export const retryAfterText = (freeAt: Instant): string =>
  `Tente de novo a partir de ${formatShortMinute(Math.ceil(freeAt / MINUTE_MS) * MINUTE_MS)}.`;
