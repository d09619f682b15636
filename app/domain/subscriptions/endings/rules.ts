import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { isAwaitingPayment } from "#app/domain/payments/rules.ts";
import { renewsBySavedMethod } from "#app/domain/payments/methods/rules.ts";
import type { SubscriptionRefundReason, Subscription } from "#app/domain/subscriptions/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import type { RenewalAttempt } from "#app/domain/subscriptions/open-renewals/rules.ts";

type EndedSubscription = Pick<Subscription, "status" | "accessUntil" | "currentPeriodEndsAt">;

/**
 * Whether a subscription ended early: by a refund, a lost dispute or a closing. A normal end keeps
 * access until the end of the paid period and its grace period. An early end, also within the grace
 * period, is before the end of the period (`earlyEnd`).
 */
const endedEarly = ({ status, accessUntil, currentPeriodEndsAt }: EndedSubscription): boolean =>
  status === "expired" &&
  accessUntil !== null &&
  currentPeriodEndsAt !== null &&
  accessUntil < currentPeriodEndsAt;

/**
 * Until when access lasts after an early end at `now`. Within the grace period it is the last
 * moment of the period, by which `endedEarly` recognises it.
 */
export const earlyEnd = (
  { currentPeriodEndsAt }: Pick<Subscription, "currentPeriodEndsAt">,
  now: Instant,
): Instant => (currentPeriodEndsAt === null ? now : Math.min(now, currentPeriodEndsAt - 1));

/**
 * Whether a charge of a later period is still open after an early end. Pix mandate debits are
 * canceled separately.
 */
export const hasOpenLaterCharge = (
  subscription: EndedSubscription,
  attempts: readonly RenewalAttempt[],
): boolean =>
  endedEarly(subscription) &&
  attempts.some(
    ({ status, recurringPixId }) => recurringPixId === null && isAwaitingPayment(status),
  );

/**
 * Why the late payment of an ended subscription is refunded; null when it is honoured. INVARIANT:
 * no charge made for a subscription that ended early starts it again. After a normal end a late Pix
 * code is honoured, because somebody paid it. An automatic card charge is refunded, unless its
 * owner was asked to confirm it. A payment for another plan is refunded too: the end canceled the
 * change, and it would buy the former plan. Source:
 * docs/decisions/money/refund-what-is-paid-after-an-early-end-or-a-block.md.
 */
export function latePaymentProblem(
  subscription: EndedSubscription,
  charge: Pick<
    Charge,
    "method" | "confirmAskedAt" | "periodStartsAt" | "periodsCents" | "planChangeId"
  >,
): SubscriptionRefundReason | null {
  if (endedEarly(subscription)) return "ended_early";
  if (charge.planChangeId !== null) return "change_over";
  const isByItself =
    charge.periodStartsAt !== null &&
    charge.periodsCents === null &&
    renewsBySavedMethod(charge.method) &&
    charge.confirmAskedAt === null;
  return isByItself && subscription.status === "expired" ? "renewed_late" : null;
}
