import type { Cents } from "#app/domain/money.ts";
import { feeShareOfRefund, remainingCents } from "#app/domain/payments/rules.ts";
import type { ChargeAmounts } from "#app/domain/payments/rules.ts";

/**
 * Returns how much of a charge to refund so that its net takes at most `notPaidOutCents`. That is
 * the net not paid out to the seller. All that remains if none of it was paid out; otherwise the
 * most whose net fits (centavos). Source: domain rules, "Documents", a false age.
 */
export function refundOfUnpaidNetCents(charge: ChargeAmounts, notPaidOutCents: Cents): Cents {
  const mostCents = remainingCents(charge);
  const netOf = (cents: Cents): Cents =>
    cents === 0 ? 0 : cents - feeShareOfRefund(charge, cents);
  if (mostCents <= 0 || notPaidOutCents <= 0) return 0;
  if (notPaidOutCents >= netOf(mostCents)) return mostCents;
  // The net grows with the refund. A binary search finds the largest that fits.
  let fits = 0;
  let tooMuch = mostCents;
  while (tooMuch - fits > 1) {
    const middle = Math.floor((fits + tooMuch) / 2);
    if (netOf(middle) <= notPaidOutCents) fits = middle;
    else tooMuch = middle;
  }
  return fits;
}
