import { chargesContract } from "./charges.ts";
import { faultsContract } from "./faults.ts";
import type { PaymentHarness } from "./harness.ts";
import { moneyBackContract } from "./refunds-and-disputes.ts";
import { reconciliationContract } from "./reconciliation.ts";
import { recurringPixContract } from "./pix-mandates.ts";

/**
 * The tests that every payment provider must pass. A provider refuses by name what it does not
 * support.
 */
export function paymentContract(harness: PaymentHarness): void {
  chargesContract(harness);
  recurringPixContract(harness);
  moneyBackContract(harness);
  reconciliationContract(harness);
  faultsContract(harness);
}
