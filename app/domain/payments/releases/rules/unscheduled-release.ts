import type { Instant } from "#app/domain/time.ts";

/** Release date of a net that waits for an event without a date, such as the claim of a gift. */
export const UNSCHEDULED_RELEASE_AT: Instant = Date.UTC(9999, 11, 31);
