import { DAY_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** Fits a row of the list of notifications on a phone. */
export const NEWS_TEXT_MAX = 200;

/** The time between two pieces of news: nobody gets more than one in a day. */
export const NEWS_INTERVAL_MS = DAY_MS;

/** Returns when the next piece of news may be sent. `lastSentAt` is null before the first. */
export const nextNewsAt = (lastSentAt: Instant | null): Instant =>
  lastSentAt === null ? 0 : lastSentAt + NEWS_INTERVAL_MS;
