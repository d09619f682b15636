import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import { chargeStep } from "#app/domain/payments/rules.ts";
import type { Instant } from "#app/domain/time.ts";
import { canBeDebited, debitAfterRefusal } from "#app/domain/subscriptions/pix-mandates/rules.ts";
import { latePaymentProblem } from "#app/domain/subscriptions/endings/rules.ts";
import { periodsFrom } from "#app/domain/subscriptions/renewals/rules/periods.ts";
import type { Period } from "#app/domain/subscriptions/renewals/rules/periods.ts";
import type { SubscriptionRefundReason, Subscription } from "#app/domain/subscriptions/schema.ts";
import { isLive } from "#app/domain/subscriptions/rules.ts";

export type ChargeDecision =
  | { kind: "nothing" }
  /** `endsPurchase`: the incomplete subscription ends with its charge, and its seat is released. */
  | {
      kind: "progress";
      status: ProviderCharge["status"];
      failureCode: string | null;
      endsPurchase: boolean;
    }
  /** `periods`, here and below: the one or more periods that the charge covers. */
  | {
      kind: "activate";
      needsSeat: boolean;
      retakesCoupon: boolean;
      periods: Period[];
      /** Paid now, it starts when the gift or comp before it ends. */ beginsAt?: Instant;
    }
  | { kind: "renew"; periods: Period[] }
  | { kind: "give_back"; reason: SubscriptionRefundReason; endsPurchase: boolean };

export type ChargeDecisionInput = {
  charge: Pick<
    Charge,
    | "status"
    | "method"
    | "amountCents"
    | "expiresAt"
    | "periodStartsAt"
    | "periodEndsAt"
    | "periodsCents"
    | "planChangeId"
    | "debitOn"
    | "confirmAskedAt"
  >;
  /** The charge as the provider reports it now; null when the provider does not know it. */
  providerCharge: ProviderCharge | null;
  subscription: Subscription;
  /** The same fan has another live subscription to the same creator. */
  hasOtherLive: boolean;
  /** When the subscription before it ends, if nothing else between the two is live. */
  beginsAt?: Instant | null;
  /** The seller was banned or is leaving, or one of the two blocked the other. */
  isShut: boolean;
  isPayerLeaving: boolean;
  /** When the seller's vacation ends; null when they are not on vacation. */
  awayUntil?: Instant | null;
  plan: { state: "draft" | "active" | "archived"; hasFreeSeat: boolean };
  /** The coupon that discounted the charge. A released coupon has to be taken again. */
  coupon: { isFreed: boolean; canTakeAgain: boolean } | null;
  now: Instant;
};

/**
 * Decides what happens to a charge and its subscription after the provider answered. Pure: the same
 * input gives the same decision. Twenty equal deliveries decide alike, and the database lets one
 * through. Source: domain rules, "Charges" and "Subscriptions".
 */
export function decideCharge(input: ChargeDecisionInput): ChargeDecision {
  const { charge, providerCharge, subscription, now } = input;
  const step = chargeStep(charge, providerCharge, now);
  if (step.kind === "nothing") return step;
  if (step.kind === "paid") return decidePaid(input, step.providerCharge);
  if (step.status === "failed" && charge.debitOn !== null)
    return {
      kind: "progress",
      status: debitAfterRefusal(subscription.status, step.failureCode),
      failureCode: step.failureCode,
      endsPurchase: false,
    };
  return {
    kind: "progress",
    status: step.status,
    failureCode: step.failureCode,
    endsPurchase: step.isOver && subscription.status === "incomplete",
  };
}

function decidePaid(input: ChargeDecisionInput, providerCharge: ProviderCharge): ChargeDecision {
  const { charge, subscription, coupon, now, beginsAt = null } = input;
  // An incomplete subscription ends with the charge that was to start it.
  const refund = (reason: SubscriptionRefundReason): ChargeDecision => ({
    kind: "give_back",
    reason,
    endsPurchase: subscription.status === "incomplete",
  });
  const refused = refusedPaymentReason(input, providerCharge);
  if (refused) return refund(refused);
  // The payer was not present for a debit: it only renews, and never starts a subscription.
  if (charge.debitOn !== null && !canBeDebited(subscription.status))
    return { kind: "give_back", reason: "debit_stopped", endsPurchase: false };
  if (isLive(subscription.status)) return decideRenewal(input);
  if (input.hasOtherLive && beginsAt === null) return refund("already_subscribed");
  const problem = latePaymentProblem(subscription, charge);
  if (problem) return { kind: "give_back", reason: problem, endsPurchase: false };
  const startRefusal = refusedStartReason(input);
  if (startRefusal) return refund(startRefusal);
  const from = beginsAt ?? now;
  return {
    kind: "activate",
    needsSeat: !subscription.holdsSeat,
    retakesCoupon: coupon?.isFreed ?? false,
    periods: periodsFrom(from, subscription.interval, from, charge.periodsCents?.length ?? 1),
    ...(beginsAt === null ? {} : { beginsAt }),
  };
}

/** Why a payment of any period is refunded; null when it may start or renew. */
function refusedPaymentReason(
  { charge, isShut, isPayerLeaving, awayUntil = null }: ChargeDecisionInput,
  providerCharge: ProviderCharge,
): SubscriptionRefundReason | null {
  if (providerCharge.amountCents !== charge.amountCents) return "amount_differs";
  if (isShut) return "not_sold";
  if (isPayerLeaving) return "payer_leaving";
  // Nothing starts or renews during a vacation: the period was moved, or is about to be.
  return awayUntil === null ? null : "creator_away";
}

/** Why a first payment starts nothing: the plan, its seats, or the coupon. */
function refusedStartReason({
  subscription,
  plan,
  coupon,
}: ChargeDecisionInput): SubscriptionRefundReason | null {
  const needsSeat = !subscription.holdsSeat;
  if (plan.state === "draft" || (plan.state === "archived" && needsSeat)) return "not_sold";
  if (needsSeat && !plan.hasFreeSeat) return "no_seat";
  return coupon?.isFreed && !coupon.canTakeAgain ? "coupon_gone" : null;
}

/** A live subscription takes the payment of its next period, and refunds any other. */
function decideRenewal({ charge, subscription }: ChargeDecisionInput): ChargeDecision {
  const { periodStartsAt, periodEndsAt, periodsCents } = charge;
  if (
    periodStartsAt === null ||
    periodEndsAt === null ||
    periodStartsAt !== subscription.currentPeriodEndsAt
  )
    return { kind: "give_back", reason: "already_subscribed", endsPurchase: false };
  const anchorAt = subscription.anchorAt ?? subscription.startedAt ?? periodStartsAt;
  return {
    kind: "renew",
    periods:
      periodsCents === null
        ? [{ startsAt: periodStartsAt, endsAt: periodEndsAt }]
        : periodsFrom(anchorAt, subscription.interval, periodStartsAt, periodsCents.length),
  };
}
