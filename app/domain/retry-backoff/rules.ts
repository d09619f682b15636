import { MINUTE_MS } from "#app/domain/time.ts";

/** How often something may fail before it waits: most failures are over by the next minute. */
const AT_ONCE = 2;
/** No wait is longer. */
export const MAX_BACKOFF_MS = 30 * MINUTE_MS;

/**
 * Jobs that share their row's id with a weightier one, and neither wait for it nor hold it up:
 * letters about what is charged or answered, and what ends with its seller. Jobs without a kind are
 * about the row itself; two of those wait together.
 */
export type RetryKind =
  | "full_price"
  | "price_reminder"
  | "seller_closed"
  | "dispute_reminder"
  | "key_reminder"
  | "registry";

/**
 * By which the setbacks of one kind of job are kept. INVARIANT: a job never waits for what failed
 * in a job of another kind.
 */
export const retryKey = (subjectId: string, kind?: RetryKind): string =>
  kind === undefined ? subjectId : `${kind}:${subjectId}`;

/**
 * How long what failed `failures` times waits for its next turn: nothing at first, then 1, 2, 4 …
 * up to 30 minutes.
 */
export function retryBackoffMs(failures: number): number {
  return failures <= AT_ONCE
    ? 0
    : Math.min(MAX_BACKOFF_MS, MINUTE_MS * 2 ** Math.min(failures - AT_ONCE - 1, 10));
}
