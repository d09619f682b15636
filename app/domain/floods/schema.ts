/** At most `limit` acts of one kind by one person in `windowMs`. */
export type FloodLimit = { windowMs: number; limit: number };

/** Acts of one kind by one person, and how many may be done. */
export type FloodAct = { act: string; personId: string; limits: readonly FloodLimit[] };
