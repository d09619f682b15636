import { givesAccess } from "#app/domain/subscriptions/rules.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * What a payment of a subscription opens now: its doors; only until a day, since nothing more is
 * charged; nothing while it is paused; or nothing any more.
 */
export type PaymentAccess = {
  kind: "open" | "ending" | "paused" | "over";
  until: Instant | null;
  /** When the next period is charged; null when unknown. */ nextChargeAt: Instant | null;
};

/**
 * How a subscription stands at `now` for who looks at a payment of it again, however long ago that
 * was made. What is still to begin, or on its free days, counts as open.
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
