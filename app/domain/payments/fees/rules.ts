import type { BasisPoints } from "#app/domain/money.ts";
import { addDays, instantOf, civilDate } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** A raise is told this long ahead: who sells decides on their prices before it comes. */
const RAISE_NOTICE_DAYS = 30;
/** Nobody decides today about a day further off than this. */
const LATEST_DAYS = 365;

export type FeeChange = { basisPoints: BasisPoints | null; startsAt: Instant };

/**
 * The fee in force at `at`, in basis points: of the changes that began by then the one that began
 * last (`changes` oldest first; of two on a day the later written).
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
 * Why a creator's fee may not become `to` from `startsAt` on, or null: never for what was sold
 * already, a raise only thirty days ahead, and nothing later than a year. Source: issue 6, "Fees";
 * docs/decisions/money/fix-the-fee-at-the-sale-and-invoice-sealed-months.md.
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
