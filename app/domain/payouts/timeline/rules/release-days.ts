import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";

/** Days that the balance shows one by one. */
const DAYS_SHOWN = 12;

/** What is free on one day of São Paulo: its first moment, and centavos. */
export type ReleaseDay = { releaseAt: Instant; netCents: Cents };
/**
 * `advanceAndTick` is what comes after the days that are shown; `undatedCents` what waits for a
 * happening instead of a day, such as a gift that nobody claimed.
 */
export type ReleaseDays = {
  days: ReleaseDay[];
  later: { after: Instant; netCents: Cents } | null;
  undatedCents: Cents;
};

/**
 * When what is pending will be free: the next days, what is after them, and the rest. All together
 * they are `pendingCents`. Source: issue 6, "Payouts".
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
