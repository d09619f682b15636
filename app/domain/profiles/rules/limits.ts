import type { RateLimit } from "#app/domain/rate-limits/schema.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";

/** Far more than a person follows; to stop following is not counted. */
export const FOLLOW_RATE_LIMITS: readonly RateLimit[] = [
  { windowMs: MINUTE_MS, limit: 60 },
  { windowMs: DAY_MS, limit: 500 },
];
