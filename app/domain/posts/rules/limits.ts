import type { RateLimit } from "#app/domain/rate-limits/schema.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";

/**
 * Limits of publications, because each one notifies every follower. An archive can still be moved
 * in by hand.
 */
export const PUBLICATION_RATE_LIMITS: readonly RateLimit[] = [
  { windowMs: HOUR_MS, limit: 100 },
  { windowMs: DAY_MS, limit: 300 },
];
/** Limits of new drafts. Later saves of a draft are not counted. */
export const DRAFT_RATE_LIMITS: readonly RateLimit[] = [{ windowMs: HOUR_MS, limit: 200 }];
export const VOTE_RATE_LIMITS: readonly RateLimit[] = [{ windowMs: MINUTE_MS, limit: 30 }];
/** Far more than a person reads; taking a like back is not counted. */
export const LIKE_RATE_LIMITS: readonly RateLimit[] = [
  { windowMs: MINUTE_MS, limit: 60 },
  { windowMs: DAY_MS, limit: 2_000 },
];
