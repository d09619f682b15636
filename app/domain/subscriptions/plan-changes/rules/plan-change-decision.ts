import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { chargeStep } from "#app/domain/payments/rules.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import type { PlanChangeRefundReason } from "#app/domain/subscriptions/plan-changes/schema.ts";
import { isoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import type { PlanChangeState } from "./plan-changes.ts";

/** A change with what decides about its money. */
export type PlanChangeSnapshot = {
  change: {
    state: PlanChangeState;
    holdsSeat: boolean;
    fromPlanPriceId: string;
    toPlanId: string;
    beforeEndsAt: Instant;
    createdAt: Instant;
    toPlanState: "draft" | "active" | "archived";
    toHasFreeSeat: boolean;
  };
  subscription: Pick<Subscription, "status" | "planId" | "planPriceId" | "currentPeriodEndsAt">;
};

export type PlanChangeDecision =
  | { kind: "nothing" }
  | {
      kind: "progress";
      status: ProviderCharge["status"];
      failureCode: string | null;
      endsAttempt: boolean;
    }
  | { kind: "change"; needsSeat: boolean }
  | { kind: "give_back"; reason: PlanChangeRefundReason; endsAttempt: boolean };

/**
 * Decides what happens to the charge of a difference and its change after the provider answered. It
 * changes only what was quoted: the same period of the same plan. A payment after its code expired
 * is honoured while there is a seat. It counts the days of its code. Source: domain rules, "Plans"
 * (late payment) and "Subscriptions" (changing plan).
 */
export function decidePlanChange({
  charge,
  providerCharge,
  isShut,
  isPayerLeaving,
  awayUntil = null,
  now,
  ...snapshot
}: PlanChangeSnapshot & {
  charge: Pick<Charge, "status" | "amountCents" | "expiresAt">;
  providerCharge: ProviderCharge | null;
  isShut: boolean;
  isPayerLeaving: boolean;
  awayUntil?: Instant | null;
  now: Instant;
}): PlanChangeDecision {
  const step = chargeStep(charge, providerCharge, now);
  const isOpen = snapshot.change.state === "open";
  if (step.kind === "nothing") return step;
  if (step.kind === "progress")
    return {
      kind: "progress",
      status: step.status,
      failureCode: step.failureCode,
      endsAttempt: step.isOver && isOpen,
    };
  const reason =
    step.providerCharge.amountCents !== charge.amountCents
      ? "amount_differs"
      : isShut
        ? "not_sold"
        : isPayerLeaving
          ? "payer_leaving"
          : awayUntil !== null
            ? "moved"
            : refundReason(snapshot, now);
  return reason
    ? { kind: "give_back", reason, endsAttempt: isOpen }
    : { kind: "change", needsSeat: needsSeat(snapshot) };
}

function refundReason(snapshot: PlanChangeSnapshot, now: Instant): PlanChangeRefundReason | null {
  const { change, subscription } = snapshot;
  const isInTime =
    change.state === "open" ||
    (change.state === "over" && isoDay(change.createdAt) === isoDay(now));
  const isAsAgreed =
    subscription.status === "active" &&
    subscription.planPriceId === change.fromPlanPriceId &&
    subscription.currentPeriodEndsAt === change.beforeEndsAt;
  return isInTime && isAsAgreed ? seatProblem(snapshot) : "moved";
}

/** Whether a seat of the new plan is still to be taken. */
export const needsSeat = ({ change, subscription }: PlanChangeSnapshot): boolean =>
  change.toPlanId !== subscription.planId && !change.holdsSeat;

/** Why a seat of the new plan, still to be taken, cannot be given now; null when it can. */
export function seatProblem(snapshot: PlanChangeSnapshot): "not_sold" | "no_seat" | null {
  if (!needsSeat(snapshot)) return null;
  if (snapshot.change.toPlanState !== "active") return "not_sold";
  return snapshot.change.toHasFreeSeat ? null : "no_seat";
}
