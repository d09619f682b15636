import type { Charge } from "#app/domain/payments/queries.server.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import { isWaiting, statesBefore } from "#app/domain/payments/rules.ts";
import { periodEndsAt } from "#app/domain/plans/rules.ts";
import type { Interval } from "#app/domain/plans/schema.ts";
import { addDays, formatShortDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import type { AutomaticRefundReason, Subscription, SubscriptionStatus } from "./schema.ts";

/** Days of access after a renewal failed. Source: domain rules, "Subscriptions". */
export const GRACE_DAYS = 7;
/** A Pix renewal is sent this many days before the period begins. */
export const PIX_RENEWAL_LEAD_DAYS = 3;
/** Right of regret, CDC art. 49. */
export const REGRET_DAYS = 7;
export const OPEN_CHECKOUTS_LIMIT = 5;
/** Cards that one person may see declined in an hour: enough for a drawer of old ones, too few for a list of stolen ones. */
export const DECLINES_LIMIT = 10;

/** The period that begins at `startsAt` of a subscription anchored at `anchorAt`: boundaries count from the anchor and never drift. */
export function periodFrom(anchorAt: Instant, interval: Interval, startsAt: Instant): { startsAt: Instant; endsAt: Instant } {
  let periods = 1;
  while (periodEndsAt(anchorAt, interval, periods) <= startsAt) periods += 1;
  return { startsAt, endsAt: periodEndsAt(anchorAt, interval, periods) };
}

/** Live is every state but these two. */
export const isLive = (status: SubscriptionStatus): boolean => status !== "incomplete" && status !== "expired";

/** Whether the subscription opens doors at `now`. Source: domain rules, "Access". */
export function givesAccess(subscription: Pick<Subscription, "status" | "accessUntil">, now: Instant): boolean {
  return isLive(subscription.status) && subscription.status !== "paused" && subscription.accessUntil !== null && subscription.accessUntil > now;
}

/** The badge of a subscription with its date, as domain rules word it. */
export function badgeOf(subscription: Pick<Subscription, "status" | "accessUntil" | "currentPeriodEndsAt" | "startedAt">): string {
  const until = subscription.accessUntil === null ? "" : formatShortDay(subscription.accessUntil);
  const renews = subscription.currentPeriodEndsAt === null ? "" : formatShortDay(subscription.currentPeriodEndsAt);
  const words: Record<SubscriptionStatus, string> = {
    incomplete: "Aguardando pagamento",
    upcoming: `Começa em ${subscription.startedAt === null ? "breve" : formatShortDay(subscription.startedAt)}`,
    trialing: `Período grátis · até ${until}`,
    active: `Ativa · renova em ${renews}`,
    requires_action: "Falta confirmar o pagamento",
    past_due: `Em atraso · acesso até ${until}`,
    paused: `Pausada · volta em ${renews}`,
    canceled: `Cancelada · termina em ${until}`,
    expired: "Expirada",
  };
  return words[subscription.status];
}

/** Whether everything can still be given back because the person regrets: seven days from the first payment. */
export function mayRegret(subscription: Pick<Subscription, "status" | "startedAt">, now: Instant): boolean {
  return isLive(subscription.status) && subscription.startedAt !== null && now < addDays(subscription.startedAt, REGRET_DAYS);
}

export type ChargeDecision =
  | { kind: "nothing" }
  /** `endsPurchase`: the subscription it was to start ends with it, and its seat is free again. */
  | { kind: "progress"; status: ProviderCharge["status"]; failureCode: string | null; endsPurchase: boolean }
  | { kind: "activate"; needsSeat: boolean; period: { startsAt: Instant; endsAt: Instant } }
  | { kind: "renew"; period: { startsAt: Instant; endsAt: Instant } }
  | { kind: "give_back"; reason: AutomaticRefundReason; endsPurchase: boolean };

export type ChargeFacts = {
  charge: Pick<Charge, "status" | "amountCents" | "expiresAt" | "periodStartsAt" | "periodEndsAt">;
  /** What the provider says now; null when it never heard of the charge. */
  said: ProviderCharge | null;
  subscription: Subscription;
  /** Another subscription of the same fan to the same creator is live. */
  hasOtherLive: boolean;
  /** Who sells was banned, or a block stands between the two. */
  isShut: boolean;
  plan: { state: "draft" | "active" | "archived"; hasFreeSeat: boolean };
  now: Instant;
};

/**
 * What happens to a charge and to the subscription it pays for, now that the provider was asked. Pure: the same facts give
 * the same decision, so that twenty equal deliveries decide alike and the database lets one through.
 * Source: domain rules, "Charges" and "Subscriptions".
 */
export function decideCharge(facts: ChargeFacts): ChargeDecision {
  const { charge, said, now } = facts;
  if (!said) {
    const isOver = isWaiting(charge.status) && charge.expiresAt !== null && charge.expiresAt <= now;
    return isOver ? { kind: "progress", status: "expired", failureCode: "never_reached", endsPurchase: facts.subscription.status === "incomplete" } : { kind: "nothing" };
  }
  if (!statesBefore(said.status).includes(charge.status)) return { kind: "nothing" };
  if (said.status === "succeeded") return decidePaid(facts, said);
  const ended = said.status === "failed" || said.status === "expired" || said.status === "canceled";
  return { kind: "progress", status: said.status, failureCode: said.failureCode, endsPurchase: ended && facts.subscription.status === "incomplete" };
}

function decidePaid({ charge, subscription, hasOtherLive, isShut, plan, now }: ChargeFacts, said: ProviderCharge): ChargeDecision {
  if (said.amountCents !== charge.amountCents) return { kind: "give_back", reason: "amount_differs", endsPurchase: subscription.status === "incomplete" };
  if (isShut) return { kind: "give_back", reason: "not_sold", endsPurchase: subscription.status === "incomplete" };
  if (isLive(subscription.status)) {
    const { periodStartsAt, periodEndsAt } = charge;
    const isNextPeriod = periodStartsAt !== null && periodEndsAt !== null && periodStartsAt === subscription.currentPeriodEndsAt;
    if (isNextPeriod) return { kind: "renew", period: { startsAt: periodStartsAt, endsAt: periodEndsAt } };
    return { kind: "give_back", reason: "already_subscribed", endsPurchase: false };
  }
  if (hasOtherLive) return { kind: "give_back", reason: "already_subscribed", endsPurchase: subscription.status === "incomplete" };
  const needsSeat = !subscription.holdsSeat;
  if (plan.state === "draft" || (plan.state === "archived" && needsSeat)) return { kind: "give_back", reason: "not_sold", endsPurchase: subscription.status === "incomplete" };
  if (needsSeat && !plan.hasFreeSeat) return { kind: "give_back", reason: "no_seat", endsPurchase: subscription.status === "incomplete" };
  return { kind: "activate", needsSeat, period: periodFrom(now, subscription.interval, now) };
}

export type DueStep =
  | { kind: "nothing" }
  | { kind: "send_renewal"; period: { startsAt: Instant; endsAt: Instant } }
  | { kind: "past_due"; accessUntil: Instant }
  | { kind: "expire" };

/** What the calendar asks of a live subscription at `now`. `wasRenewalTried`: a charge for its next period was made already. */
export function dueStep(subscription: Subscription, { wasRenewalTried, now }: { wasRenewalTried: boolean; now: Instant }): DueStep {
  const { status, accessUntil, currentPeriodEndsAt: endsAt, startedAt } = subscription;
  if (endsAt === null || startedAt === null) return { kind: "nothing" };
  if (status === "canceled" || status === "past_due") return accessUntil !== null && accessUntil <= now ? { kind: "expire" } : { kind: "nothing" };
  if (status !== "active") return { kind: "nothing" };
  const leadDays = subscription.method === "pix" ? PIX_RENEWAL_LEAD_DAYS : 0;
  if (!wasRenewalTried && now >= addDays(endsAt, -leadDays) && now < addDays(endsAt, GRACE_DAYS)) {
    return { kind: "send_renewal", period: periodFrom(startedAt, subscription.interval, endsAt) };
  }
  return endsAt <= now ? { kind: "past_due", accessUntil: addDays(endsAt, GRACE_DAYS) } : { kind: "nothing" };
}
