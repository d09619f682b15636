import { formatShortMinute, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import type { RateLimitedAction, RateLimit } from "./schema.ts";

/** Under which a person's acts of one kind are counted within one window. */
export const rateLimitKey = (
  { act, personId }: Pick<RateLimitedAction, "act" | "personId">,
  { windowMs }: RateLimit,
): string => `${act}:${personId}:${windowMs}`;

export type RateLimitCount = { count: number; windowStartedAt: Instant };

/**
 * When an act that a limit refused at `now` may be done again: the end of the last window that is
 * full; now where none is.
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

/** The same in a sentence, never too early: "Tente de novo a partir de 24/11, 10:32." */
export const retryAfterText = (freeAt: Instant): string =>
  `Tente de novo a partir de ${formatShortMinute(Math.ceil(freeAt / MINUTE_MS) * MINUTE_MS)}.`;
