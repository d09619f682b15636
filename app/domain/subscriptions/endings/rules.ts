import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { isAwaitingPayment } from "#app/domain/payments/rules.ts";
import { renewsBySavedMethod } from "#app/domain/payments/methods/rules.ts";
import type { SubscriptionRefundReason, Subscription } from "#app/domain/subscriptions/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import type { RenewalAttempt } from "#app/domain/subscriptions/renewals/rules/calendar.ts";

type EndedSubscription = Pick<Subscription, "status" | "accessUntil" | "currentPeriodEndsAt">;

/**
 * Whether a subscription ended before its time: regretted, given back, lost to a bank or closed.
 * What ends by itself, canceled, unpaid or after its free days, is open until the end of what was
 * paid, and through its grace; what ends before its time, in its grace too, ends before the end of
 * its period (`earlyEnd`).
 */
const endedEarly = ({ status, accessUntil, currentPeriodEndsAt }: EndedSubscription): boolean =>
  status === "expired" &&
  accessUntil !== null &&
  currentPeriodEndsAt !== null &&
  accessUntil < currentPeriodEndsAt;

/**
 * Until when it opened what ends at `now` before its time: in its grace, the last moment of its
 * period, by which `endedEarly` knows it.
 */
export const earlyEnd = (
  { currentPeriodEndsAt }: Pick<Subscription, "currentPeriodEndsAt">,
  now: Instant,
): Instant => (currentPeriodEndsAt === null ? now : Math.min(now, currentPeriodEndsAt - 1));

/**
 * Whether something that was asked for a later period still waits after such an end; debits of Pix
 * Automático are taken back by themselves.
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
 * Why the payment of a subscription that is over goes back; null where it is honoured. INVARIANT:
 * what ended before its time is begun again by no charge that was made for it. Of what ended by
 * itself a late code is honoured, since somebody paid it; a card that renews by itself is not,
 * since nobody was there, unless its owner was asked to confirm, whenever their bank says what
 * became of that; nor is what was paid for another plan, which the end called off: it would buy the
 * plan of before. Source:
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
