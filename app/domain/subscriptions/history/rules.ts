import { givesAccess } from "#app/domain/subscriptions/rules.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * The access that a payment of a subscription gives now: open; until a day, since it no longer
 * renews; none while paused; or over.
 */
export type PaymentAccess = {
  kind: "open" | "ending" | "paused" | "over";
  until: Instant | null;
  /** When the next period is charged; null when unknown. */ nextChargeAt: Instant | null;
};

/**
 * The access of a subscription at `now`, for a page about one of its payments, however old. An
 * upcoming subscription or a trial counts as open.
 */
export function paymentAccess(
  subscription: Pick<Subscription, "status" | "accessUntil" | "currentPeriodEndsAt">,
  now: Instant,
): PaymentAccess {
  const { status, accessUntil, currentPeriodEndsAt } = subscription;
  if (status === "paused") return { kind: "paused", until: null, nextChargeAt: null };
  if (status === "upcoming")
    return { kind: "open", until: null, nextChargeAt: currentPeriodEndsAt };
  if (!givesAccess(subscription, now)) return { kind: "over", until: null, nextChargeAt: null };
  if (status === "canceled") return { kind: "ending", until: accessUntil, nextChargeAt: null };
  return {
    kind: "open",
    until: null,
    nextChargeAt:
      currentPeriodEndsAt !== null && currentPeriodEndsAt > now ? currentPeriodEndsAt : null,
  };
}

/** What a charge pays for, beside its plan. */
type PaidPart = {
  /** The subscription of which it pays another period. */
  renewsSubscriptionId: string | null;
  /** When the paid period starts, if later than the payment. */
  beginsAt: Instant | null;
  /** The change of plan that it pays. */
  change: object | null;
  /** The gift that it pays. */
  gift: object | null;
};

/**
 * Whether a payment of a plan made its payer a new subscriber who has access now: no renewal, plan
 * change or gift, no period that starts later, and no subscription that is paused or over. `access`
 * is null for a payment that gave none.
 */
export function isNewSubscription(
  { renewsSubscriptionId, beginsAt, change, gift }: PaidPart,
  access: PaymentAccess | null,
): boolean {
  const isFirstPayment =
    renewsSubscriptionId === null && beginsAt === null && change === null && gift === null;
  return isFirstPayment && (access?.kind === "open" || access?.kind === "ending");
}
