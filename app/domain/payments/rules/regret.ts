import { addDays, civilDate, instantOf } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** Right of regret, CDC art. 49. */
const REGRET_DAYS = 7;

/**
 * The instant from which what was contracted at `at` cannot be regretted any more: the day of the contract does not count and the seventh after it does,
 * whole, in São Paulo. Invariant: never before seven times 24 hours, and never after the first sale's money is released (`releaseAt`). Source: CDC art. 49
 * and Código Civil art. 132.
 */
export const regretEndsAt = (at: Instant): Instant => instantOf(civilDate(addDays(at, REGRET_DAYS + 1)));

/** Whether what was contracted at `at` can still be regretted at `now`. */
export const isRegrettable = (at: Instant, now: Instant): boolean => now < regretEndsAt(at);
