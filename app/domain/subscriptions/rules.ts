import { isWithinCoolingOff } from "#app/domain/payments/refunds/rules/cooling-off.ts";
import { FALLBACK_METHOD, lacksSavedMethod } from "#app/domain/payments/methods/rules.ts";
import { isoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import type { Subscription, SubscriptionStatus } from "./schema.ts";

/** The statuses in which another charge is expected. */
export const RENEWING_STATUSES: readonly SubscriptionStatus[] = [
  "upcoming",
  "trialing",
  "active",
  "requires_action",
  "past_due",
  "paused",
];

/** Whether there is a renewal to stop. Source: domain rules, "Subscriptions", the table of states. */
export const canCancel = (status: SubscriptionStatus): boolean =>
  status === "active" ||
  status === "trialing" ||
  status === "requires_action" ||
  status === "past_due" ||
  status === "paused";

/** Whether the current period is unpaid. */
export const isPaymentDue = (status: SubscriptionStatus): boolean =>
  status === "past_due" || status === "requires_action";

/** Whether the paid period is over, so that the next one is due. */
export const isPeriodOver = (
  { currentPeriodEndsAt }: Pick<Subscription, "currentPeriodEndsAt">,
  now: Instant,
): boolean => currentPeriodEndsAt !== null && currentPeriodEndsAt <= now;

/**
 * Whether the payment method can change: while another charge is expected. The change ends a Pix
 * mandate.
 */
export const canChangeMethod = ({
  status,
  compEndsAt,
}: Pick<Subscription, "status" | "compEndsAt">): boolean =>
  compEndsAt === null && RENEWING_STATUSES.includes(status);

/** Whether a stopped renewal can be resumed: until access ends. */
export function canReactivate(
  subscription: Pick<Subscription, "status" | "accessUntil" | "giftedBy">,
  now: Instant,
): boolean {
  // A gift has no renewal to resume.
  return (
    subscription.status === "canceled" &&
    subscription.giftedBy === null &&
    subscription.accessUntil !== null &&
    subscription.accessUntil > now
  );
}

/**
 * The payment method after a reactivation: the saved card while it is stored, else Pix where it is
 * offered.
 */
export function methodAfterReactivation(
  subscription: Pick<Subscription, "method" | "savedMethodId">,
  { isPixOffered }: { isPixOffered: boolean },
): Subscription["method"] {
  return lacksSavedMethod(subscription) && isPixOffered ? FALLBACK_METHOD : subscription.method;
}

/**
 * The number of a cancellation, short enough to read aloud: its day in São Paulo and eight
 * characters of its row's id.
 */
export const cancellationProtocol = (id: string, at: Instant): string =>
  `${isoDay(at).replaceAll("-", "")}-${id.slice(-8).toUpperCase()}`;

/** Whether a subscription is live: in every status but these two. */
export const isLive = (status: SubscriptionStatus): boolean =>
  status !== "incomplete" && status !== "expired";

/** Whether the subscription gives access at `now`. Source: domain rules, "Access". */
export function givesAccess(
  subscription: Pick<Subscription, "status" | "accessUntil">,
  now: Instant,
): boolean {
  return (
    isLive(subscription.status) &&
    subscription.status !== "paused" &&
    subscription.accessUntil !== null &&
    subscription.accessUntil > now
  );
}

/**
 * Whether the subscriber can still ask for a cooling-off refund (CDC art. 49). It is allowed to the
 * end of the seventh day after the first payment; free days do not count. An upcoming subscription
 * allows it on any day. Of a gift, only the payer can ask.
 */
export function canWithdraw(
  subscription: Pick<
    Subscription,
    "status" | "startedAt" | "trialEndsAt" | "createdAt" | "giftedBy"
  >,
  now: Instant,
): boolean {
  return (
    isLive(subscription.status) &&
    subscription.giftedBy === null &&
    !isOnTrial(subscription) &&
    subscription.startedAt !== null &&
    (subscription.status === "upcoming" || isWithinCoolingOff(subscription.startedAt, now))
  );
}

/** Whether nothing was paid since the trial started: the first charge after it moves the start. */
export function isOnTrial({
  trialEndsAt,
  startedAt,
  createdAt,
}: Pick<Subscription, "trialEndsAt" | "startedAt" | "createdAt">): boolean {
  return trialEndsAt !== null && startedAt === createdAt;
}
