/** At most `limit` acts of one kind by one person in `windowMs`. */
export type RateLimit = { windowMs: number; limit: number };

/** Acts of one kind by one person, and how many may be done. */
export type RateLimitedAction = { act: string; personId: string; limits: readonly RateLimit[] };
