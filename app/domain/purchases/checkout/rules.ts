import { isAwaitingPayment, isUnpaid } from "#app/domain/payments/rules.ts";
import type { CheckoutCharge } from "#app/domain/payments/charges/queries/checkout.server.ts";

/**
 * What giving up an unpaid charge takes. `cancel_charge` takes back the code or the page at the
 * provider. `cancel_subscription`: what is given up is the renewal, and with it the subscription.
 * `leave`: nothing is open any more. Null while the bank is answering, and where it is paid.
 */
export type AbandonmentStep = "cancel_charge" | "cancel_subscription" | "leave";

/** Decides what "Desistir" does on the page of a charge. */
export function decideAbandonment({
  status,
  isDebt,
  renewsSubscriptionId,
  periods,
}: Pick<
  CheckoutCharge,
  "status" | "isDebt" | "renewsSubscriptionId" | "periods"
>): AbandonmentStep | null {
  if (isDebt || !isUnpaid(status) || status === "created" || status === "processing") return null;
  if (!isAwaitingPayment(status)) return "leave";
  return renewsSubscriptionId !== null && periods === 1 ? "cancel_subscription" : "cancel_charge";
}
