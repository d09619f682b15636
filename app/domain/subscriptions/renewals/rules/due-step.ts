import { addDays } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import {
  GRACE_DAYS,
  hasObsoleteAttempt,
  isOutcomeUnknown,
  canChargeRenewal,
  reminderDue,
} from "./calendar.ts";
import type { RenewalAttempt } from "#app/domain/subscriptions/open-renewals/rules.ts";
import { hasOpenLaterCharge } from "#app/domain/subscriptions/endings/rules.ts";
import { periodFrom } from "./periods.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";

export type DueStep =
  | { kind: "nothing" }
  | { kind: "send_renewal"; period: { startsAt: Instant; endsAt: Instant } }
  | { kind: "let_go" }
  | { kind: "ask_tax_id" }
  | { kind: "remind"; leadDays: number }
  | { kind: "past_due"; accessUntil: Instant }
  | { kind: "resume" }
  /**
   * The step of an upcoming subscription: start, move with the end of the one before it, wait, be
   * canceled, or expire.
   */
  | { kind: "begin" }
  | { kind: "move"; to: Instant }
  | { kind: "wait" }
  | { kind: "call_off" }
  | { kind: "expire" };

/**
 * What else decides the step: the charges of the next period, oldest first; when the payment method
 * last changed; whether the current reminder was sent.
 */
export type DueStepInput = {
  attempts: readonly RenewalAttempt[];
  methodChangedAt: Instant | null;
  isReminded: boolean;
  /** Its next charge is debited by a Pix mandate. */ isDebited: boolean;
  /** The creator is on vacation: nothing is charged or falls past due. */ isAway?: boolean;
  /** The payer's CPF or CNPJ is missing for its code; whether they were notified. */ withoutTaxId?:
    | "not_notified"
    | "notified"
    | null;
  now: Instant;
};

/** The one step that a live subscription needs at `now`. Call it again until the step is "nothing". */
export function dueStep(subscription: Subscription, input: DueStepInput): DueStep {
  const { status, accessUntil, currentPeriodEndsAt: endsAt, startedAt } = subscription;
  const { now, isAway = false } = input;
  if (endsAt === null || startedAt === null) return { kind: "nothing" };
  const isOver = accessUntil !== null && accessUntil <= now;
  // The command that ends a subscription cancels its open charges. This covers a run that failed or
  // crashed.
  if (status === "expired")
    return hasOpenLaterCharge(subscription, input.attempts)
      ? { kind: "let_go" }
      : { kind: "nothing" };
  if (status === "canceled") return isOver ? { kind: "expire" } : { kind: "nothing" };
  if (status === "paused")
    return subscription.resumesAt !== null && subscription.resumesAt <= now
      ? { kind: "resume" }
      : { kind: "nothing" };
  if (status !== "active" && status !== "past_due" && status !== "requires_action")
    return { kind: "nothing" };
  if (hasObsoleteAttempt(input)) return { kind: "let_go" };
  const mayCharge = !isAway && canChargeRenewal(subscription, endsAt, input);
  if (mayCharge && input.withoutTaxId === "not_notified") return { kind: "ask_tax_id" };
  if (mayCharge && !input.withoutTaxId)
    return {
      kind: "send_renewal",
      period: periodFrom(subscription.anchorAt ?? startedAt, subscription.interval, endsAt),
    };
  if (status !== "active")
    return isOver && !isOutcomeUnknown(subscription.method, endsAt, input)
      ? { kind: "expire" }
      : { kind: "nothing" };
  if (endsAt <= now)
    return isAway
      ? { kind: "nothing" }
      : { kind: "past_due", accessUntil: addDays(endsAt, GRACE_DAYS) };
  const leadDays = input.isReminded ? null : reminderDue(subscription, now);
  return leadDays === null ? { kind: "nothing" } : { kind: "remind", leadDays };
}
