import type { CheckoutCharge } from "#app/domain/payments/charges/queries/checkout.server.ts";
import { pixMandateState } from "#app/domain/subscriptions/pix-mandates/rules.ts";

/**
 * What the page of a payment waits to see change: how it stands and, where its code is also an
 * authorisation, how that does.
 */
export function paymentPageState({
  status,
  automatic,
}: Pick<CheckoutCharge, "status" | "automatic">): string {
  return automatic ? `${status} ${pixMandateState(automatic)}` : status;
}
