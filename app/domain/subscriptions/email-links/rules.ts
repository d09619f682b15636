import type { RateLimit } from "#app/domain/rate-limits/schema.ts";
import { canCancel, canReactivate } from "#app/domain/subscriptions/rules.ts";
import { canPause } from "#app/domain/subscriptions/pauses/rules.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import type { LinkAction, SubscriptionLink } from "./schema.ts";
import { addDays, HOUR_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * Days after the period for which a link is valid. Source: domain rules, "Subscriptions",
 * "Reminders".
 */
const LIFE_DAYS = 7;

/** A link for `act` on a subscription whose period ends at `endsAt`. */
export function subscriptionLink(
  act: LinkAction,
  { subscriptionId, endsAt }: { subscriptionId: string; endsAt: Instant },
): SubscriptionLink {
  return { subscriptionId, act, until: addDays(endsAt, LIFE_DAYS) };
}

/** The text of a link that is signed. */
export const linkSigningPayload = ({ subscriptionId, act, until }: SubscriptionLink): string =>
  [subscriptionId, act, until].join("\n");

/** The action that undoes another. */
export const INVERSE_ACTION = { pause: "resume", cancel: "reactivate" } as const satisfies Partial<
  Record<LinkAction, LinkAction>
>;

/** How often a link's holder may act by it in an hour: back and forth a few times. */
export const LINK_RATE_LIMITS: readonly RateLimit[] = [{ windowMs: HOUR_MS, limit: 12 }];

type LinkActionInput = Pick<
  Subscription,
  | "status"
  | "accessUntil"
  | "currentPeriodStartsAt"
  | "currentPeriodEndsAt"
  | "pausedAt"
  | "compEndsAt"
  | "giftedBy"
>;

/** Whether `act` is still possible on a subscription at `now`. */
export function canActByLink(
  act: LinkAction,
  subscription: LinkActionInput,
  now: Instant,
): boolean {
  const can: Record<LinkAction, boolean> = {
    pause: canPause(subscription, now),
    cancel: canCancel(subscription.status),
    resume: subscription.status === "paused",
    reactivate: canReactivate(subscription, now),
  };
  return subscription.compEndsAt === null && can[act];
}
