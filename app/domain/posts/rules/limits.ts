import type { RateLimit } from "#app/domain/rate-limits/schema.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";

/**
 * Everyone who follows is told of each publication: more than these is a flood, and still lets an
 * archive move in by hand.
 */
export const PUBLICATION_RATE_LIMITS: readonly RateLimit[] = [
  { windowMs: HOUR_MS, limit: 100 },
  { windowMs: DAY_MS, limit: 300 },
];
/** New drafts; saving one again is not counted. */
export const DRAFT_RATE_LIMITS: readonly RateLimit[] = [{ windowMs: HOUR_MS, limit: 200 }];
export const VOTE_RATE_LIMITS: readonly RateLimit[] = [{ windowMs: MINUTE_MS, limit: 30 }];
/** Far more than a person reads; taking a like back is not counted. */
export const LIKE_RATE_LIMITS: readonly RateLimit[] = [
  { windowMs: MINUTE_MS, limit: 60 },
  { windowMs: DAY_MS, limit: 2_000 },
];
