import type { Instant } from "#app/domain/time.ts";

/**
 * When the net of a charge is released that waits for something without a date, such as a gift for
 * whoever claims it.
 */
export const UNSCHEDULED_RELEASE_AT: Instant = Date.UTC(9999, 11, 31);
