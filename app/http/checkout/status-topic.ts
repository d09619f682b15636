import type { CheckoutCharge } from "#app/domain/payments/charges/queries/checkout.server.ts";
import { pixMandateState } from "#app/domain/subscriptions/pix-mandates/rules.ts";

/**
 * The state for which a payment page waits: the charge's status and, if its code also starts a Pix
 * mandate, that mandate's.
 */
export function paymentPageState({
  status,
  automatic,
}: Pick<CheckoutCharge, "status" | "automatic">): string {
  return automatic ? `${status} ${pixMandateState(automatic)}` : status;
}
