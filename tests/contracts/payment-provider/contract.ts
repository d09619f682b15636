import { chargesContract } from "./charges.ts";
import { faultsContract } from "./faults.ts";
import type { PaymentHarness } from "./harness.ts";
import { moneyBackContract } from "./refunds-and-disputes.ts";
import { reconciliationContract } from "./reconciliation.ts";
import { recurringPixContract } from "./pix-mandates.ts";

/** What the product asks of every payment provider; what one lacks it must refuse by name. */
export function paymentContract(harness: PaymentHarness): void {
  chargesContract(harness);
  recurringPixContract(harness);
  moneyBackContract(harness);
  reconciliationContract(harness);
  faultsContract(harness);
}
