import { isHardDecline } from "#app/domain/payments/charges/rules/declines.ts";
import { isUnpaid, isAwaitingPayment } from "#app/domain/payments/rules.ts";
import {
  paymentMethods,
  renewsByCode,
  renewsBySavedMethod,
} from "#app/domain/payments/methods/rules.ts";
import { DEBIT_ORDER_LEAD_DAYS } from "#app/domain/subscriptions/pix-mandates/rules.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import type { Subscription, SubscriptionStatus } from "#app/domain/subscriptions/schema.ts";
import { addDays, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import type { RenewalAttempt } from "#app/domain/subscriptions/open-renewals/rules.ts";

/** Days of access after a failed renewal. Source: domain rules, "Subscriptions". */
export const GRACE_DAYS = 7;
/** A Pix renewal is sent this many days before the period starts. */
export const PIX_RENEWAL_LEAD_DAYS = paymentMethods.pix.renewalLeadDays;
/**
 * Days after the start of the period on which a declined card is tried again. Source: domain rules,
 * "Subscriptions".
 */
const CARD_RETRY_DAYS = [1, 3, 5, 7] as const;
/** The last attempt is made as the grace period ends; it is not made later than this. */
const LAST_ATTEMPT_MS = 6 * HOUR_MS;
/** An unconfirmed charge delays the end, but no longer than this. */
const UNKNOWN_DAYS = 1;

/** How long a message of the calendar's queue is valid: three times the interval of its cron. */
export const ENQUEUED_LIFETIME_MS = 15 * MINUTE_MS;

/**
 * Whether a message of the calendar's queue is so late that its row was, or will be, queued again.
 * A message without a time is never late.
 */
export const isQueueMessageStale = (until: Instant | undefined, now: Instant): boolean =>
  until !== undefined && until <= now;

type RenewalAttempts = { attempts: readonly RenewalAttempt[]; now: Instant };

/**
 * Whether a valid code for the next period was made. Codes that never reached the provider or were
 * canceled do not count. Nor do failed debits and codes for several periods, which nobody has to
 * pay.
 */
export const isRenewalCodeSent = (attempts: readonly RenewalAttempt[]): boolean =>
  attempts.some(
    ({ method, status, failureCode, recurringPixId, periodsCents }) =>
      renewsByCode(method) &&
      periodsCents === null &&
      status !== "canceled" &&
      failureCode !== "never_reached" &&
      !(recurringPixId !== null && (status === "failed" || status === "expired")),
  );

/**
 * Whether the period that starts at `startsAt` is to be charged now. A Pix code is sent once, from
 * three days before; a Pix mandate debit is ordered from five days before. When past due, a failed
 * debit is paid by hand. A code offered with a mandate and not paid is replaced by an ordinary one.
 * A card is charged on the day. After a decline it is tried on each of `CARD_RETRY_DAYS`; another
 * card is tried at once. Never while an attempt is open, unconfirmed or paid; never after a hard
 * decline of the same card. `attempts` are oldest first. Source: domain rules, "Subscriptions".
 */
export function canChargeRenewal(
  { method, status: state }: Pick<Subscription, "method" | "status">,
  startsAt: Instant,
  {
    attempts,
    methodChangedAt,
    isDebited,
    now,
  }: RenewalAttempts & { methodChangedAt: Instant | null; isDebited: boolean },
): boolean {
  if (attempts.some(({ status }) => isAwaitingPayment(status) || !isUnpaid(status))) return false;
  const graceEndsAt = addDays(startsAt, GRACE_DAYS);
  if (renewsByCode(method)) {
    if (state !== "active" && attempts.some(({ debitOn }) => debitOn !== null)) return false;
    const { renewalLeadDays } = paymentMethods[method];
    return (
      now >= addDays(startsAt, -(isDebited ? DEBIT_ORDER_LEAD_DAYS : renewalLeadDays)) &&
      now < graceEndsAt &&
      !isRenewalCodeSent(attempts)
    );
  }
  if (now < startsAt || now >= graceEndsAt + LAST_ATTEMPT_MS) return false;
  const last = attempts.findLast((one) => renewsBySavedMethod(one.method));
  if (!last || (methodChangedAt !== null && last.createdAt < methodChangedAt)) return true;
  return (
    !isHardDecline(last.failureCode) &&
    CARD_RETRY_DAYS.some(
      (days) => last.createdAt < addDays(startsAt, days) && addDays(startsAt, days) <= now,
    )
  );
}

/**
 * Whether an open charge uses a payment method that its subscriber has since changed. It is
 * canceled before anything else is charged.
 */
export function hasObsoleteAttempt({
  attempts,
  methodChangedAt,
}: {
  attempts: readonly RenewalAttempt[];
  methodChangedAt: Instant | null;
}): boolean {
  return (
    methodChangedAt !== null &&
    attempts.some(
      ({ status, createdAt }) =>
        (status === "awaiting_payment" || status === "requires_action") &&
        createdAt < methodChangedAt,
    )
  );
}

/** When a card declined with `failureCode` is tried again; null when it is not. */
export function nextCardRetryAt(
  startsAt: Instant,
  failureCode: string | null,
  now: Instant,
): Instant | null {
  if (isHardDecline(failureCode)) return null;
  return CARD_RETRY_DAYS.map((days) => addDays(startsAt, days)).find((at) => at > now) ?? null;
}

/** Whether the end of a past due subscription has to wait: the bank may still confirm the card. */
export function isOutcomeUnknown(
  method: Subscription["method"],
  startsAt: Instant,
  { attempts, now }: RenewalAttempts,
): boolean {
  return (
    renewsBySavedMethod(method) &&
    now < addDays(startsAt, GRACE_DAYS + UNKNOWN_DAYS) &&
    attempts.some(({ status }) => status === "created" || status === "processing")
  );
}

const LEADS: Record<Interval, readonly number[]> = {
  weekly: [],
  monthly: [3],
  quarterly: [7],
  semiannual: [30, 7],
  annual: [30, 7],
};
const TRIAL_LEADS: readonly number[] = [3, 1];

type ReminderInput = Pick<
  Subscription,
  "status" | "interval" | "method" | "recurringPixId" | "currentPeriodEndsAt"
>;

/**
 * How many days before the period's end reminders are sent, largest first. The email with a Pix
 * code is the reminder of its day. Source: domain rules, "Subscriptions", "Reminders".
 */
export function reminderLeadDays({
  status,
  interval,
  method,
  recurringPixId,
}: ReminderInput): readonly number[] {
  if (status !== "active" && status !== "trialing") return [];
  return (status === "trialing" ? TRIAL_LEADS : LEADS[interval]).filter(
    (days) =>
      !renewsByCode(method) ||
      recurringPixId !== null ||
      days !== paymentMethods[method].renewalLeadDays,
  );
}

/**
 * The reminder due at `now`, in days before the end: the last one whose day came. Null before the
 * first, and once the period is over.
 */
export function reminderDue(subscription: ReminderInput, now: Instant): number | null {
  const { currentPeriodEndsAt: endsAt } = subscription;
  if (endsAt === null || endsAt <= now) return null;
  return reminderLeadDays(subscription).findLast((days) => addDays(endsAt, -days) <= now) ?? null;
}

/** The key by which a reminder is sent once. */
export const reminderKey = (subscriptionId: string, endsAt: Instant, leadDays: number): string =>
  `subscription:${subscriptionId}:reminder:${endsAt}:${leadDays}`;

const IN_ARREARS: readonly SubscriptionStatus[] = ["requires_action", "past_due"];

/**
 * When the calendar next checks a subscription that needs nothing at `now`: its first date after
 * it. An early check does no harm; later changes bring it forward (trigger
 * `subscriptions_calendar_update`). Null when nothing is scheduled. `awayUntil`: until when nothing
 * is charged.
 */
export function nextCalendarCheckAt(
  subscription: ReminderInput &
    Pick<Subscription, "startedAt" | "accessUntil" | "resumesAt" | "compEndsAt">,
  now: Instant,
  awayUntil: Instant | null = null,
): Instant | null {
  const {
    status,
    method,
    recurringPixId,
    currentPeriodEndsAt: endsAt,
    startedAt,
    accessUntil,
    resumesAt,
    compEndsAt,
  } = subscription;
  if (status === "incomplete" || status === "expired" || compEndsAt !== null) return null;
  const fromEnd =
    endsAt === null
      ? []
      : [
          ...reminderLeadDays(subscription).map((days) => -days),
          ...(recurringPixId === null ? [] : [-DEBIT_ORDER_LEAD_DAYS]),
          ...(renewsByCode(method) ? [-paymentMethods[method].renewalLeadDays] : []),
          ...(IN_ARREARS.includes(status) ? [...CARD_RETRY_DAYS, GRACE_DAYS + UNKNOWN_DAYS] : []),
        ];
  const dates = [
    startedAt,
    endsAt,
    accessUntil,
    resumesAt,
    ...fromEnd.map((days) => (endsAt === null ? null : addDays(endsAt, days))),
  ];
  // Dates within a vacation are handled when it is over.
  const putOff =
    awayUntil !== null && dates.some((at) => at !== null && at !== startedAt && at < awayUntil)
      ? [awayUntil]
      : [];
  const coming = [...dates, ...putOff].filter((at) => at !== null && at > now);
  return coming.length === 0 ? null : Math.min(...coming.map(Number));
}
