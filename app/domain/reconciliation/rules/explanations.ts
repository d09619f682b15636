import type { Cents } from "#app/domain/money.ts";
import type { Difference } from "#app/domain/reconciliation/schema.ts";

/**
 * Whether an explanation needs somebody else who agrees: more money is at stake than one person of
 * the staff may let go, in either direction. `limitCents`: that of payouts. Source:
 * docs/decisions/money/require-a-second-person-for-risky-money-decisions.md.
 */
export const needsSecondApproval = (
  { isMoney, gapCents }: Pick<Difference, "isMoney" | "gapCents">,
  limitCents: Cents,
): boolean => isMoney && Math.abs(gapCents) > limitCents;
