import type { Cents } from "#app/domain/money.ts";
import { feeShareOfRefund } from "#app/domain/payments/rules.ts";

type Kept = { amountCents: Cents; feeCents: Cents; netCents: Cents; refundedCents: Cents; refundedFeeCents: Cents };

/**
 * How much of a charge goes back to who paid so that of what it brought `notPaidOutCents` (net, not paid out to its seller) are taken and never more: everything
 * that is left where nothing of it was paid out, else the most whose net still fits (centavos). Source: domain rules, "Documents", a false age.
 */
export function goesBackCents(charge: Kept, notPaidOutCents: Cents): Cents {
  const leftCents = charge.amountCents - charge.refundedCents;
  const leftNetCents = charge.netCents - (charge.refundedCents - charge.refundedFeeCents);
  if (leftCents <= 0 || notPaidOutCents <= 0) return 0;
  if (notPaidOutCents >= leftNetCents) return leftCents;
  const netOf = (cents: Cents): Cents => (cents === 0 ? 0 : cents - feeShareOfRefund(charge, cents));
  // What is taken grows with what goes back: halved until one centavo more would be too much.
  let fits = 0;
  let tooMuch = leftCents;
  while (tooMuch - fits > 1) {
    const middle = Math.floor((fits + tooMuch) / 2);
    if (netOf(middle) <= notPaidOutCents) fits = middle;
    else tooMuch = middle;
  }
  return fits;
}
