import { addDays, addMonths, civilDate, instantOf } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** Cooling-off period, CDC art. 49. */
const COOLING_OFF_DAYS = 7;

/**
 * Refund reason of a cooling-off refund. Staff also finds such refunds by this text (index
 * `refunds_regretted`).
 */
export const COOLING_OFF_REFUND_REASON = "Arrependimento em até 7 dias.";

/**
 * Number of cooling-off refunds, within how many months, that leads to a staff review. It refuses
 * nothing by itself: the right remains. Source: domain rules, "Subscriptions".
 */
export const COOLING_OFF_REVIEW_COUNT = 3;
export const COOLING_OFF_REVIEW_MONTHS = 12;

/** Returns since when cooling-off refunds count at `now`. */
export const coolingOffReviewSince = (now: Instant): Instant =>
  addMonths(now, -COOLING_OFF_REVIEW_MONTHS);

/**
 * Returns the end of the cooling-off period of a contract made at `at`. The day of the contract
 * does not count; the seventh after it counts whole, in São Paulo. Invariant: never before seven
 * times 24 hours, and never after the first sale's money is released (`releaseAt`). Source: CDC
 * art. 49 and Código Civil art. 132.
 */
export const coolingOffEndsAt = (at: Instant): Instant =>
  instantOf(civilDate(addDays(at, COOLING_OFF_DAYS + 1)));

/** Reports whether a contract made at `at` is still within its cooling-off period at `now`. */
export const isWithinCoolingOff = (at: Instant, now: Instant): boolean =>
  now < coolingOffEndsAt(at);
