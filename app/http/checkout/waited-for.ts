import type { CheckoutCharge } from "#app/domain/payments/queries/checkout.server.ts";
import { pixMandateState } from "#app/domain/subscriptions/rules/automatic.ts";

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
