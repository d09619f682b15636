/** At most `limit` actions of one kind by one person in `windowMs`. */
export type RateLimit = { windowMs: number; limit: number };

/** The actions of one kind by one person, and their limits. */
export type RateLimitedAction = { act: string; personId: string; limits: readonly RateLimit[] };
