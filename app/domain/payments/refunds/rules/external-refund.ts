import type { Cents } from "#app/domain/money.ts";
import { remainingCents } from "#app/domain/payments/rules.ts";
import type { ChargeAmounts } from "#app/domain/payments/rules.ts";

/**
 * What of a charge went back at the provider without our asking (centavos): what it says in all,
 * less what we know of and what we asked for and it did not confirm yet; never more than what is
 * left. `sentCents` is what went back by a Pix of ours, of which it knows nothing.
 */
export function externalRefundCents(
  charge: Pick<ChargeAmounts, "amountCents" | "refundedCents" | "disputedCents">,
  {
    saidCents,
    waitingCents,
    sentCents,
  }: { saidCents: Cents; waitingCents: Cents; sentCents: Cents },
): Cents {
  return Math.max(
    0,
    Math.min(remainingCents(charge), saidCents - (charge.refundedCents - sentCents) - waitingCents),
  );
}
