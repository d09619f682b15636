import { DAY_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { paymentMethods } from "#app/domain/payments/methods/rules.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";

/**
 * Hold of a first sale. The first Pix of a contract outlasts the cooling-off period (CDC art. 49);
 * a renewal is held one day.
 */
export const FIRST_SALE_HOLD_MS = 8 * DAY_MS;

export const RENEWAL_HOLD_MS = DAY_MS;

/**
 * Returns when a charge's net leaves pending: the later of the provider's settlement and the end of
 * the hold. Source: domain rules, "Ledger", row "released".
 */
export function releaseAt(sale: {
  method: PaymentMethod;
  isRenewal: boolean;
  succeededAt: Instant;
  settlesAt: Instant | null;
}): Instant {
  const holdUntil = sale.succeededAt + (sale.isRenewal ? RENEWAL_HOLD_MS : FIRST_SALE_HOLD_MS);
  const settlesAt =
    sale.settlesAt ?? sale.succeededAt + paymentMethods[sale.method].settlementDays * DAY_MS;
  return Math.max(holdUntil, settlesAt);
}
