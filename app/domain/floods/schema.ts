/** At most `limit` acts of one kind by one person in `windowMs`. */
export type FloodLimit = { windowMs: number; limit: number };
