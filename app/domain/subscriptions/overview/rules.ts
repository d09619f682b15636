import { renewsByCode } from "#app/domain/payments/methods/rules.ts";
import { formatShortDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { canPayByCode } from "#app/domain/subscriptions/pix-mandates/rules.ts";
import { compBadge } from "#app/domain/subscriptions/comps/rules.ts";
import { canPrepay } from "#app/domain/subscriptions/prepayments/rules.ts";
import { canPause } from "#app/domain/subscriptions/pauses/rules.ts";
import { canSubscribeAfter } from "#app/domain/subscriptions/renewals/rules/upcoming.ts";
import type { Subscription, SubscriptionStatus } from "#app/domain/subscriptions/schema.ts";
import { canCancel, canReactivate, isLive, canWithdraw } from "#app/domain/subscriptions/rules.ts";

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
  const labels: Record<SubscriptionStatus, string> = {
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
  return labels[subscription.status];
}
