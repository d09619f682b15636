import { addDays, addMonths, civilDate, instantOf } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** Right of regret, CDC art. 49. */
const REGRET_DAYS = 7;

/**
 * Why a refund was made that its payer asked for by that right; by these words, too, the staff
 * finds them (index `refunds_regretted`).
 */
export const COOLING_OFF_REFUND_REASON = "Arrependimento em até 7 dias.";

/**
 * From how many regrets within how many months on the staff looks at somebody. It refuses nothing
 * by itself: the right stays. Source: domain rules, "Subscriptions".
 */
export const COOLING_OFF_REVIEW_COUNT = 3;
export const COOLING_OFF_REVIEW_MONTHS = 12;

/** Since when regrets count at `now`. */
export const coolingOffReviewSince = (now: Instant): Instant =>
  addMonths(now, -COOLING_OFF_REVIEW_MONTHS);

/**
 * The instant from which what was contracted at `at` cannot be regretted any more: the day of the
 * contract does not count and the seventh after it does, whole, in São Paulo. Invariant: never
 * before seven times 24 hours, and never after the first sale's money is released (`releaseAt`).
 * Source: CDC art. 49 and Código Civil art. 132.
 */
export const coolingOffEndsAt = (at: Instant): Instant =>
  instantOf(civilDate(addDays(at, REGRET_DAYS + 1)));

/** Whether what was contracted at `at` can still be regretted at `now`. */
export const isWithinCoolingOff = (at: Instant, now: Instant): boolean =>
  now < coolingOffEndsAt(at);
