import type { BadgeTone } from "#app/components/ui/badge.tsx";
import type { SubscriptionStatus } from "#app/domain/subscriptions/schema.ts";

const TONES: Record<SubscriptionStatus, BadgeTone> = {
  incomplete: "attention",
  upcoming: "neutral",
  trialing: "good",
  active: "good",
  requires_action: "attention",
  past_due: "attention",
  paused: "neutral",
  canceled: "neutral",
  expired: "neutral",
};

/** The colour of a subscription's badge; its words come from the domain. */
export const subscriptionTone = (status: SubscriptionStatus): BadgeTone => TONES[status];
