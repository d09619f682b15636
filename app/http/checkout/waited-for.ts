import type { CheckoutCharge } from "#app/domain/payments/queries/checkout.server.ts";
import { automaticState } from "#app/domain/subscriptions/rules/automatic.ts";

/**
 * What the page of a payment waits to see change: how it stands and, where its code is also an
 * authorisation, how that does.
 */
export function waitedFor({
  status,
  automatic,
}: Pick<CheckoutCharge, "status" | "automatic">): string {
  return automatic ? `${status} ${automaticState(automatic)}` : status;
}
