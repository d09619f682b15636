import type { BasisPoints } from "#app/domain/money.ts";
import { addDays, instantOf, civilDate } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** Notice of a raise, so that sellers can adjust their prices first. */
const RAISE_NOTICE_DAYS = 30;
/** Latest day of a fee change, counted from today. */
const LATEST_DAYS = 365;

export type FeeChange = { basisPoints: BasisPoints | null; startsAt: Instant };

/**
 * Returns the fee in force at `at`, in basis points: the last change that started by then.
 * `changes` come oldest first; of two on a day the later one counts.
 */
export function feeAt(
  changes: readonly FeeChange[],
  platformBasisPoints: BasisPoints,
  at: Instant,
): BasisPoints {
  const last = changes
    .filter(({ startsAt }) => startsAt <= at)
    .reduce<FeeChange | null>(
      (found, one) => (found === null || one.startsAt >= found.startsAt ? one : found),
      null,
    );
  return last?.basisPoints ?? platformBasisPoints;
}

/**
 * Returns why a creator's fee may not become `to` from `startsAt` on, or null. Past sales keep
 * their fee. A raise needs thirty days. No change starts later than a year. Source: issue 6,
 * "Fees"; docs/decisions/money/fix-the-fee-at-the-sale-and-invoice-sealed-months.md.
 */
export function feeChangeProblem({
  from,
  to,
  startsAt,
  now,
}: {
  from: BasisPoints;
  to: BasisPoints;
  startsAt: Instant;
  now: Instant;
}): "past" | "same" | "too_late" | "raise_too_soon" | null {
  const today = instantOf(civilDate(now));
  if (startsAt < today) return "past";
  if (startsAt > addDays(today, LATEST_DAYS)) return "too_late";
  if (from === to) return "same";
  return to > from && startsAt < addDays(today, RAISE_NOTICE_DAYS) ? "raise_too_soon" : null;
}
