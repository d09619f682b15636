import type { FloodLimit } from "#app/domain/floods/schema.ts";
import { mayCancel, mayReactivate } from "#app/domain/subscriptions/rules.ts";
import { mayPause } from "#app/domain/subscriptions/rules/pause.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import type { LinkAct, SubscriptionLink } from "#app/domain/subscriptions/schema/links.ts";
import { addDays, HOUR_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** Days after its period that a link lives. Source: domain rules, "Subscriptions", "Reminders". */
const LIFE_DAYS = 7;

/** A link for `act` on a subscription whose period ends at `endsAt`. */
export function linkFor(
  act: LinkAct,
  { subscriptionId, endsAt }: { subscriptionId: string; endsAt: Instant },
): SubscriptionLink {
  return { subscriptionId, act, until: addDays(endsAt, LIFE_DAYS) };
}

/** What is signed of a link. */
export const signedText = ({ subscriptionId, act, until }: SubscriptionLink): string =>
  [subscriptionId, act, until].join("\n");

/** What takes an act back. */
export const UNDO = { pause: "resume", cancel: "reactivate" } as const satisfies Partial<
  Record<LinkAct, LinkAct>
>;

/** What whoever holds a link may do by it in an hour: back and forth a few times. */
export const LINK_LIMITS: readonly FloodLimit[] = [{ windowMs: HOUR_MS, limit: 12 }];

type Acted = Pick<
  Subscription,
  | "status"
  | "accessUntil"
  | "currentPeriodStartsAt"
  | "currentPeriodEndsAt"
  | "pausedAt"
  | "compEndsAt"
  | "giftedBy"
>;

/** Whether `act` is still to be done with a subscription at `now`. */
export function mayActByLink(act: LinkAct, subscription: Acted, now: Instant): boolean {
  const can: Record<LinkAct, boolean> = {
    pause: mayPause(subscription, now),
    cancel: mayCancel(subscription.status),
    resume: subscription.status === "paused",
    reactivate: mayReactivate(subscription, now),
  };
  return subscription.compEndsAt === null && can[act];
}
