import type { RefundRecourse } from "#app/domain/ledger/rules/legs.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import type { ChargeFunds } from "#app/domain/payments/charges/queries/charge-funds.server.ts";

/**
 * Returns how much can be debited from the creator of `charge` now, in the order of the domain
 * rules.
 */
export function refundRecourse(
  { pendingCents, purchaseKind }: Charge,
  { availableCents, restOfDebtCents }: ChargeFunds,
): RefundRecourse {
  // A refunded debt payment is owed again. Only its overpaid part is debited from the available
  // balance.
  return {
    pendingOfChargeCents: pendingCents,
    availableCents:
      purchaseKind === "debt" ? Math.min(availableCents, restOfDebtCents) : availableCents,
  };
}
