import { MINUTE_MS } from "#app/domain/time.ts";

/** How many failures have no back-off: most are over by the next minute. */
const AT_ONCE = 2;
/** The longest back-off. */
export const MAX_BACKOFF_MS = 30 * MINUTE_MS;

/**
 * Kinds of jobs that share their row's id with a more important job, and neither wait for it nor
 * delay it. They are e-mails about charges or answers, and what ends with its seller. Jobs without
 * a kind are about the row itself; two of those wait together.
 */
export type RetryKind =
  | "full_price"
  | "price_reminder"
  | "seller_closed"
  | "dispute_reminder"
  | "key_reminder"
  | "registry"
  | "event_blocked_seat"
  | "event_offers"
  | "event_answers"
  | "event_list"
  | "event_reminder"
  | "event_zone"
  | "event_series"
  | "event_series_change"
  | "digest";

/**
 * Returns the key under which the failures of one kind of job are stored. INVARIANT: a job never
 * waits for the failure of a job of another kind.
 */
export const retryKey = (subjectId: string, kind?: RetryKind): string =>
  kind === undefined ? subjectId : `${kind}:${subjectId}`;

/**
 * Returns the back-off after `failures` failures: nothing at first, then 1, 2, 4 … up to 30
 * minutes.
 */
export function retryBackoffMs(failures: number): number {
  return failures <= AT_ONCE
    ? 0
    : Math.min(MAX_BACKOFF_MS, MINUTE_MS * 2 ** Math.min(failures - AT_ONCE - 1, 10));
}
