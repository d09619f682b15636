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
