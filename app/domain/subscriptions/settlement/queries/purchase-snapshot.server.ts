import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import type { EndSnapshot } from "#app/domain/subscriptions/endings/queries.server.ts";
import type { ChangeHistory } from "#app/domain/subscriptions/plan-changes/queries/change-history.server.ts";
import type { PlanChange } from "#app/domain/subscriptions/renewal-terms/queries/plan-changes.server.ts";
import type { ChargeMandateUpdate } from "#app/domain/subscriptions/pix-mandates/commands/mandate-transition.server.ts";

/**
 * What was loaded about a subscription together with one of its charges. A null field is loaded
 * when it is needed.
 */
export type SubscriptionPurchaseSnapshot = {
  subscriptionSnapshot: SubscriptionSnapshot | null;
  change: PlanChange | null;
  endSnapshot: EndSnapshot | null;
  changeHistory: ChangeHistory | null;
  /** Only when the charge pays the code of a Pix mandate. */
  mandateUpdate: ChargeMandateUpdate | null;
};

/** A charge that its provider answered, and the subscription that it pays for. */
export type PaidSubscriptionCharge = {
  charge: Charge;
  providerCharge: ProviderCharge | null;
  subscriptionSnapshot: SubscriptionSnapshot;
  /** The plan change of the period, if any. */
  change: PlanChange | null;
};
