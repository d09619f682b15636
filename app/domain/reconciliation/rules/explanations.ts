import type { Cents } from "#app/domain/money.ts";
import type { Difference } from "#app/domain/reconciliation/schema.ts";

/**
 * Whether an explanation needs somebody else who agrees: more money is at stake than one person of
 * the staff may let go, in either direction. `limitCents`: that of payouts. Source: decision 0338.
 */
export const needsSecond = (
  { isMoney, gapCents }: Pick<Difference, "isMoney" | "gapCents">,
  limitCents: Cents,
): boolean => isMoney && Math.abs(gapCents) > limitCents;
