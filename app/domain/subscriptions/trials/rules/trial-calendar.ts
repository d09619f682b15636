import { isUnpaid, isAwaitingPayment } from "#app/domain/payments/rules.ts";
import {
  hasSavedMethod,
  renewsByCode,
  renewsBySavedMethod,
} from "#app/domain/payments/methods/rules.ts";
import { periodEndsAt } from "#app/domain/plans/rules.ts";
import {
  GRACE_DAYS,
  isRenewalCodeSent,
  hasObsoleteAttempt,
  PIX_RENEWAL_LEAD_DAYS,
  reminderDue,
} from "#app/domain/subscriptions/renewals/rules/calendar.ts";
import type { DueStepInput, DueStep } from "#app/domain/subscriptions/renewals/rules/due-step.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import { addDays } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

type RunningTrial = Pick<
  Subscription,
  "status" | "method" | "savedMethodId" | "recurringPixId" | "interval" | "currentPeriodEndsAt"
>;

/**
 * Decides the next step of a running trial. A card with consent is charged at its end, with the
 * grace period of a renewal. By Pix, a code is sent three days before. Without its payment, or
 * without any method, the trial just ends. A code replaced by a card is canceled before anything
 * else. A member who already paid gets no reminder. Source: domain rules, "Subscriptions".
 */
export function dueTrialStep(
  subscription: RunningTrial,
  {
    attempts,
    methodChangedAt,
    isReminded,
    isAway = false,
    withoutTaxId = null,
    now,
  }: Pick<
    DueStepInput,
    "attempts" | "methodChangedAt" | "isReminded" | "isAway" | "withoutTaxId" | "now"
  >,
): DueStep {
  const { method, interval, currentPeriodEndsAt: endsAt } = subscription;
  if (endsAt === null) return { kind: "nothing" };
  if (hasObsoleteAttempt({ attempts, methodChangedAt })) return { kind: "let_go" };
  const isByCard = hasSavedMethod(subscription);
  const [asksFrom, asksUntil] = isByCard
    ? [endsAt, addDays(endsAt, GRACE_DAYS)]
    : [addDays(endsAt, -PIX_RENEWAL_LEAD_DAYS), endsAt];
  const wasRenewalTried =
    isRenewalCodeSent(attempts) ||
    attempts.some((one) => renewsBySavedMethod(one.method) || isAwaitingPayment(one.status));
  const goesOn = isByCard || renewsByCode(method);
  const mayCharge = goesOn && !isAway && !wasRenewalTried && now >= asksFrom && now < asksUntil;
  if (mayCharge && withoutTaxId === "not_notified") return { kind: "ask_tax_id" };
  if (mayCharge && !withoutTaxId)
    return {
      kind: "send_renewal",
      period: { startsAt: endsAt, endsAt: periodEndsAt(endsAt, interval) },
    };
  const isPaid = attempts.some(({ status }) => !isUnpaid(status));
  const leadDays = isReminded || isPaid ? null : reminderDue(subscription, now);
  if (endsAt > now) return leadDays === null ? { kind: "nothing" } : { kind: "remind", leadDays };
  if (isByCard && isAway) return { kind: "nothing" };
  return isByCard
    ? { kind: "past_due", accessUntil: addDays(endsAt, GRACE_DAYS) }
    : { kind: "expire" };
}

/**
 * Until when the first charge after a trial may be paid. A Pix code expires with the trial, which
 * ends without it.
 */
export const firstChargeExpiresAt = (
  { method }: Pick<Subscription, "method">,
  endsAt: Instant,
): Instant => (renewsByCode(method) ? endsAt : addDays(endsAt, GRACE_DAYS));
