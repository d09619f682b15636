import type { Cents } from "#app/domain/money.ts";
import { feeShareOfRefund, remainingCents } from "#app/domain/payments/rules.ts";
import type { ChargeAmounts } from "#app/domain/payments/rules.ts";

/**
 * How much of a charge goes back to who paid so that of what it brought `unpaidBalanceCents` (net,
 * not paid out to its seller) are taken and never more: everything that is left where nothing of it
 * was paid out, else the most whose net still fits (centavos). Source: domain rules, "Documents", a
 * false age.
 */
export function refundOfUnpaidNetCents(charge: ChargeAmounts, notPaidOutCents: Cents): Cents {
  const mostCents = remainingCents(charge);
  const netOf = (cents: Cents): Cents =>
    cents === 0 ? 0 : cents - feeShareOfRefund(charge, cents);
  if (mostCents <= 0 || notPaidOutCents <= 0) return 0;
  if (notPaidOutCents >= netOf(mostCents)) return mostCents;
  // What is taken grows with what goes back: halved until one centavo more would be too much.
  let fits = 0;
  let tooMuch = mostCents;
  while (tooMuch - fits > 1) {
    const middle = Math.floor((fits + tooMuch) / 2);
    if (netOf(middle) <= notPaidOutCents) fits = middle;
    else tooMuch = middle;
  }
  return fits;
}
