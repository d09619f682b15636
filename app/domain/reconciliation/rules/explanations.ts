import type { Cents } from "#app/domain/money.ts";
import type { Difference } from "#app/domain/reconciliation/schema.ts";

/**
 * Whether an explanation needs a second moderator: more money is at stake, in either direction,
 * than one staff member may write off. `limitCents`: the payout limit. Source:
 * docs/decisions/money/require-a-second-person-for-risky-money-decisions.md.
 */
export const needsSecondApproval = (
  { isMoney, gapCents }: Pick<Difference, "isMoney" | "gapCents">,
  limitCents: Cents,
): boolean => isMoney && Math.abs(gapCents) > limitCents;
