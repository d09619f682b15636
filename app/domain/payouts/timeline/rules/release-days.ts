import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";

/** Days that the balance shows one by one. */
const DAYS_SHOWN = 12;

/** What becomes available on one São Paulo day: its first instant, and centavos. */
export type ReleaseDay = { releaseAt: Instant; netCents: Cents };
/**
 * `later` is what comes after the shown days. `undatedCents` waits for an event instead of a date,
 * such as a gift that nobody claimed.
 */
export type ReleaseDays = {
  days: ReleaseDay[];
  later: { after: Instant; netCents: Cents } | null;
  undatedCents: Cents;
};

/**
 * Groups the pending money by when it becomes available: the next days, what comes later, and the
 * rest. Together they are `pendingCents`. Source: issue 6, "Payouts".
 */
export function releaseDays(dated: readonly ReleaseDay[], pendingCents: Cents): ReleaseDays {
  const days = dated.slice(0, DAYS_SHOWN);
  const last = days.at(-1);
  const laterCents = sumOf(dated.slice(DAYS_SHOWN));
  return {
    days,
    later: last && laterCents > 0 ? { after: last.releaseAt, netCents: laterCents } : null,
    undatedCents: pendingCents - sumOf(dated),
  };
}

const sumOf = (days: readonly ReleaseDay[]): Cents =>
  days.reduce((sum, { netCents }) => sum + netCents, 0);
