import type { Cents } from "#app/domain/money.ts";
import { remainingCents } from "#app/domain/payments/rules.ts";
import type { ChargeAmounts } from "#app/domain/payments/rules.ts";

/**
 * Returns the external refunds of a charge (centavos): the provider's total, less refunds that we
 * know of and unconfirmed ones of ours. Never more than what remains. `sentCents` is the sum of
 * refund transfers, which the provider does not count.
 */
export function externalRefundCents(
  charge: Pick<ChargeAmounts, "amountCents" | "refundedCents" | "disputedCents">,
  {
    reportedCents,
    waitingCents,
    sentCents,
  }: { reportedCents: Cents; waitingCents: Cents; sentCents: Cents },
): Cents {
  return Math.max(
    0,
    Math.min(
      remainingCents(charge),
      reportedCents - (charge.refundedCents - sentCents) - waitingCents,
    ),
  );
}
