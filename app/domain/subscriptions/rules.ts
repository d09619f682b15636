import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import { chargeStep, remainingCents } from "#app/domain/payments/rules.ts";
import { isWithinCoolingOff } from "#app/domain/payments/refunds/rules/cooling-off.ts";
import type { Cents } from "#app/domain/money.ts";
import {
  FALLBACK_METHOD,
  lacksSavedMethod,
  renewsByCode,
} from "#app/domain/payments/methods/rules.ts";
import { addDays, daysBetween, formatShortDay, isoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import {
  canBeDebited,
  canPayByCode,
  debitAfterRefusal,
} from "#app/domain/subscriptions/pix-mandates/rules.ts";
import {
  GRACE_DAYS,
  hasObsoleteAttempt,
  isOutcomeUnknown,
  canChargeRenewal,
  reminderDue,
} from "#app/domain/subscriptions/renewals/rules/calendar.ts";
import type { RenewalAttempt } from "#app/domain/subscriptions/renewals/rules/calendar.ts";
import { compBadge } from "#app/domain/subscriptions/comps/rules.ts";
import { canPrepay } from "#app/domain/subscriptions/prepayments/rules.ts";
import { hasOpenLaterCharge, latePaymentProblem } from "#app/domain/subscriptions/endings/rules.ts";
import { canPause } from "#app/domain/subscriptions/pauses/rules.ts";
import { canSubscribeAfter } from "#app/domain/subscriptions/renewals/rules/upcoming.ts";
import { periodFrom, periodsFrom } from "#app/domain/subscriptions/renewals/rules/periods.ts";
import type { Period } from "#app/domain/subscriptions/renewals/rules/periods.ts";
import { isOnTrial } from "#app/domain/subscriptions/trials/rules/trial.ts";
import type { SubscriptionRefundReason, Subscription, SubscriptionStatus } from "./schema.ts";

export const OPEN_CHECKOUTS_LIMIT = 5;
/**
 * Declined cards that one person may have in an hour. Enough for old cards, too few to test stolen
 * ones.
 */
export const DECLINES_LIMIT = 10;

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

/** What the subscriber can do with a subscription, in the order in which the page offers it. */
export type SubscriptionAction =
  | "follow"
  | "pay"
  | "pay_by_code"
  | "reactivate"
  | "resume"
  | "pay_ahead"
  | "pause"
  | "subscribe_again"
  | "change_plan"
  | "payment_method"
  | "cancel"
  | "leave_comp";

type SubscriptionDates = Pick<
  Subscription,
  | "status"
  | "accessUntil"
  | "startedAt"
  | "currentPeriodStartsAt"
  | "currentPeriodEndsAt"
  | "pausedAt"
  | "compEndsAt"
  | "trialEndsAt"
  | "createdAt"
  | "giftedBy"
>;

/**
 * The actions that a subscription allows at `now`. Source: domain rules, "Subscriptions", the
 * column "leaves to".
 */
export function availableActions(
  subscription: SubscriptionDates &
    Pick<Subscription, "method"> & {
      openChargeId: string | null;
      debit: { isRefused: boolean } | null;
      awayUntil?: Instant | null;
      hasUpcoming?: boolean;
      /** One of its payments is disputed and cannot be refunded. */ isDisputed?: boolean;
    },
  now: Instant,
): SubscriptionAction[] {
  const { status, openChargeId, compEndsAt } = subscription;
  // A member with a paid upcoming subscription has nothing to subscribe to again.
  const mayAgain = !subscription.hasUpcoming;
  // A comp is neither paid nor canceled.
  const follows = canSubscribeAfter({ id: "", ...subscription }, now) && !subscription.awayUntil;
  if (compEndsAt !== null)
    return [
      ...(follows ? (["follow"] as const) : []),
      ...(isLive(status)
        ? (["leave_comp"] as const)
        : mayAgain
          ? (["subscribe_again"] as const)
          : []),
    ];
  const can: Record<(typeof ACTS)[number], boolean> = {
    follow: follows,
    pay:
      openChargeId !== null && status !== "canceled" && status !== "expired" && status !== "paused",
    pay_by_code:
      openChargeId === null &&
      renewsByCode(subscription.method) &&
      canPayByCode(status, subscription.debit),
    reactivate: canReactivate(subscription, now),
    resume: status === "paused",
    pay_ahead: canPrepay(subscription, now),
    pause: canPause(subscription, now),
    subscribe_again:
      mayAgain && (status === "expired" || (status === "incomplete" && openChargeId === null)),
    change_plan: status === "active" && subscription.giftedBy === null,
    payment_method: isLive(status) && status !== "canceled",
    cancel: canCancel(status) || (!subscription.isDisputed && canWithdraw(subscription, now)),
  };
  return ACTS.filter(
    (act) => can[act] && !(subscription.awayUntil && IN_NO_VACATION.includes(act)),
  );
}

/** Actions that are not allowed during the creator's vacation. */
const IN_NO_VACATION: readonly SubscriptionAction[] = [
  "pay",
  "pay_by_code",
  "reactivate",
  "subscribe_again",
  "pay_ahead",
  "change_plan",
  "pause",
];

const ACTS = [
  "follow",
  "pay",
  "pay_by_code",
  "reactivate",
  "resume",
  "subscribe_again",
  "pay_ahead",
  "change_plan",
  "payment_method",
  "pause",
  "cancel",
] as const satisfies readonly SubscriptionAction[];

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

/** The badge of a subscription with its date, in the words of the domain rules. */
export function subscriptionBadge(
  subscription: Pick<
    Subscription,
    | "status"
    | "accessUntil"
    | "currentPeriodEndsAt"
    | "startedAt"
    | "resumesAt"
    | "compEndsAt"
    | "giftedBy"
  > & { /** Its first payment waits for the payer's bank. */ isToConfirm?: boolean },
): string {
  const { status, compEndsAt, isToConfirm = false } = subscription;
  if (compEndsAt !== null) return compBadge({ status, compEndsAt });
  const until = subscription.accessUntil === null ? "" : formatShortDay(subscription.accessUntil);
  const renews =
    subscription.currentPeriodEndsAt === null
      ? ""
      : formatShortDay(subscription.currentPeriodEndsAt);
  const words: Record<SubscriptionStatus, string> = {
    incomplete: isToConfirm ? "Falta terminar o pagamento" : "Aguardando pagamento",
    upcoming: `Começa em ${subscription.startedAt === null ? "breve" : formatShortDay(subscription.startedAt)}`,
    trialing: `Período grátis · até ${until}`,
    active: `Ativa · renova em ${renews}`,
    requires_action: "Falta confirmar o pagamento",
    past_due: `Em atraso · acesso até ${until}`,
    paused: `Pausada · volta em ${subscription.resumesAt === null ? "breve" : formatShortDay(subscription.resumesAt)}`,
    canceled:
      subscription.giftedBy === null
        ? `Cancelada · termina em ${until}`
        : `Presente · até ${until}`,
    expired: "Expirada",
  };
  return words[subscription.status];
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

/**
 * A paid charge as the refund of its unused days needs it. Amounts are in centavos. `waitingCents`
 * is the sum of refunds already decided.
 */
export type CoveringCharge = {
  amountCents: Cents;
  refundedCents: Cents;
  disputedCents: Cents;
  waitingCents: Cents;
  /**
   * `amountCents`: what the charge pays for this period slice alone. Slices without it share the
   * rest of the charge by days.
   */
  periods: { startsAt: Instant; endsAt: Instant; amountCents?: Cents | null }[];
};

/**
 * The centavos of a paid charge to refund when its subscription ends at `at`. A priced period that
 * did not start is refunded whole. The current period is refunded for its days not started, in São
 * Paulo days, rounded half up to the centavo. Period slices without a price share the rest by days.
 * Never more than what remains of the charge. Source: domain rules, "Access" (unused days).
 */
export function unusedCents(charge: CoveringCharge, at: Instant): Cents {
  const alone = charge.periods.filter((period) => typeof period.amountCents === "number");
  const together = charge.periods.filter((period) => typeof period.amountCents !== "number");
  const aloneCents = alone.reduce((sum, { amountCents }) => sum + (amountCents ?? 0), 0);
  const unused = alone.reduce(
    (sum, period) => sum + proratedCents(period.amountCents ?? 0, countDays([period], at)),
    proratedCents(charge.amountCents - aloneCents, countDays(together, at)),
  );
  return Math.max(0, Math.min(remainingCents(charge) - charge.waitingCents, unused));
}

type DayCount = { total: number; left: number };

/** The share of an amount for `left` of `total` days, in centavos rounded half up. */
export const proratedCents = (amountCents: Cents, { total, left }: DayCount): Cents =>
  total === 0 ? 0 : Math.floor((2 * amountCents * left + total) / (2 * total));

/** Counts the days of some periods, and how many of them had not started at `at`. */
export function countDays(
  periods: readonly { startsAt: Instant; endsAt: Instant }[],
  at: Instant,
): DayCount {
  return periods
    .map((period) => daysOf(period, at))
    .reduce((sum, { total, left }) => ({ total: sum.total + total, left: sum.left + left }), {
      total: 0,
      left: 0,
    });
}

/** The day of `at` counts as used. */
function daysOf(
  { startsAt, endsAt }: { startsAt: Instant; endsAt: Instant },
  at: Instant,
): DayCount {
  const total = daysBetween(startsAt, endsAt);
  const begun = at < startsAt ? 0 : daysBetween(startsAt, at) + 1;
  return { total, left: Math.max(0, total - begun) };
}

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
  said: ProviderCharge | null;
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
  coupon: { isFreed: boolean; mayRetake: boolean } | null;
  now: Instant;
};

/**
 * Decides what happens to a charge and its subscription after the provider answered. Pure: the same
 * input gives the same decision. Twenty equal deliveries decide alike, and the database lets one
 * through. Source: domain rules, "Charges" and "Subscriptions".
 */
export function decideCharge(facts: ChargeDecisionInput): ChargeDecision {
  const { charge, said, subscription, now } = facts;
  const step = chargeStep(charge, said, now);
  if (step.kind === "nothing") return step;
  if (step.kind === "paid") return decidePaid(facts, step.said);
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

function decidePaid(
  {
    charge,
    subscription,
    hasOtherLive,
    beginsAt = null,
    isShut,
    isPayerLeaving,
    awayUntil = null,
    plan,
    coupon,
    now,
  }: ChargeDecisionInput,
  said: ProviderCharge,
): ChargeDecision {
  if (said.amountCents !== charge.amountCents)
    return {
      kind: "give_back",
      reason: "amount_differs",
      endsPurchase: subscription.status === "incomplete",
    };
  if (isShut)
    return {
      kind: "give_back",
      reason: "not_sold",
      endsPurchase: subscription.status === "incomplete",
    };
  if (isPayerLeaving)
    return {
      kind: "give_back",
      reason: "payer_leaving",
      endsPurchase: subscription.status === "incomplete",
    };
  // Nothing starts or renews during a vacation: the period was moved, or is about to be.
  if (awayUntil !== null)
    return {
      kind: "give_back",
      reason: "creator_away",
      endsPurchase: subscription.status === "incomplete",
    };
  // The payer was not present for a debit: it only renews, and never starts a subscription.
  if (charge.debitOn !== null && !canBeDebited(subscription.status))
    return { kind: "give_back", reason: "debit_stopped", endsPurchase: false };
  if (isLive(subscription.status)) {
    const { periodStartsAt, periodEndsAt } = charge;
    const isNextPeriod =
      periodStartsAt !== null &&
      periodEndsAt !== null &&
      periodStartsAt === subscription.currentPeriodEndsAt;
    if (isNextPeriod)
      return {
        kind: "renew",
        periods:
          charge.periodsCents === null
            ? [{ startsAt: periodStartsAt, endsAt: periodEndsAt }]
            : periodsFrom(
                subscription.anchorAt ?? subscription.startedAt ?? periodStartsAt,
                subscription.interval,
                periodStartsAt,
                charge.periodsCents.length,
              ),
      };
    return { kind: "give_back", reason: "already_subscribed", endsPurchase: false };
  }
  if (hasOtherLive && beginsAt === null)
    return {
      kind: "give_back",
      reason: "already_subscribed",
      endsPurchase: subscription.status === "incomplete",
    };
  const problem = latePaymentProblem(subscription, charge);
  if (problem) return { kind: "give_back", reason: problem, endsPurchase: false };
  const needsSeat = !subscription.holdsSeat;
  if (plan.state === "draft" || (plan.state === "archived" && needsSeat))
    return {
      kind: "give_back",
      reason: "not_sold",
      endsPurchase: subscription.status === "incomplete",
    };
  if (needsSeat && !plan.hasFreeSeat)
    return {
      kind: "give_back",
      reason: "no_seat",
      endsPurchase: subscription.status === "incomplete",
    };
  const retakesCoupon = coupon?.isFreed ?? false;
  if (retakesCoupon && !coupon?.mayRetake)
    return {
      kind: "give_back",
      reason: "coupon_gone",
      endsPurchase: subscription.status === "incomplete",
    };
  const from = beginsAt ?? now;
  return {
    kind: "activate",
    needsSeat,
    retakesCoupon,
    periods: periodsFrom(from, subscription.interval, from, charge.periodsCents?.length ?? 1),
    ...(beginsAt === null ? {} : { beginsAt }),
  };
}

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
    | "untold"
    | "told"
    | null;
  now: Instant;
};

/** The one step that a live subscription needs at `now`. Call it again until the step is "nothing". */
export function dueStep(subscription: Subscription, facts: DueStepInput): DueStep {
  const { status, accessUntil, currentPeriodEndsAt: endsAt, startedAt } = subscription;
  const { now, isAway = false } = facts;
  if (endsAt === null || startedAt === null) return { kind: "nothing" };
  const isOver = accessUntil !== null && accessUntil <= now;
  // The command that ends a subscription cancels its open charges. This covers a run that failed or
  // crashed.
  if (status === "expired")
    return hasOpenLaterCharge(subscription, facts.attempts)
      ? { kind: "let_go" }
      : { kind: "nothing" };
  if (status === "canceled") return isOver ? { kind: "expire" } : { kind: "nothing" };
  if (status === "paused")
    return subscription.resumesAt !== null && subscription.resumesAt <= now
      ? { kind: "resume" }
      : { kind: "nothing" };
  if (status !== "active" && status !== "past_due" && status !== "requires_action")
    return { kind: "nothing" };
  if (hasObsoleteAttempt(facts)) return { kind: "let_go" };
  const mayCharge = !isAway && canChargeRenewal(subscription, endsAt, facts);
  if (mayCharge && facts.withoutTaxId === "untold") return { kind: "ask_tax_id" };
  if (mayCharge && !facts.withoutTaxId)
    return {
      kind: "send_renewal",
      period: periodFrom(subscription.anchorAt ?? startedAt, subscription.interval, endsAt),
    };
  if (status !== "active")
    return isOver && !isOutcomeUnknown(subscription.method, endsAt, facts)
      ? { kind: "expire" }
      : { kind: "nothing" };
  if (endsAt <= now)
    return isAway
      ? { kind: "nothing" }
      : { kind: "past_due", accessUntil: addDays(endsAt, GRACE_DAYS) };
  const leadDays = facts.isReminded ? null : reminderDue(subscription, now);
  return leadDays === null ? { kind: "nothing" } : { kind: "remind", leadDays };
}
