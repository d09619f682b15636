import type { AccessRule, GuardedPost, ViewerStatus } from "#app/domain/access/rules.ts";

/** The time of the decisions. */
export const NOW = 1_000_000;

export const accessRule = (
  kind: AccessRule["kind"],
  more: Partial<AccessRule> = {},
): AccessRule => ({
  kind,
  planId: null,
  amountCents: null,
  opensAt: null,
  ...more,
});

/** A published post of Ana for her subscribers. */
export const guardedPost = (more: Partial<GuardedPost> = {}): GuardedPost => ({
  authorId: "ana",
  state: "published",
  publishedAt: NOW - 1,
  heldAt: null,
  deletedAt: null,
  authorBannedAt: null,
  authorLeavingAt: null,
  authorSells: true,
  authorAwayUntil: null,
  rules: [accessRule("subscribers")],
  offers: [],
  collectionOffers: [],
  isForAdults: false,
  ...more,
});

/** Bruno, who has no access. */
export const viewerStatus = (more: Partial<ViewerStatus> = {}): ViewerStatus => ({
  viewerId: "bruno",
  isModerator: false,
  isTeam: false,
  follows: false,
  blocked: false,
  isAgeChecked: false,
  purchased: false,
  subscriptions: [],
  ...more,
});

/** Bruno with a subscription of Ana. */
export const subscribedViewer = (status: string, accessUntil: number | null, planId = "camarim") =>
  viewerStatus({ subscriptions: [{ id: "s1", planId, status, isGiven: false, accessUntil }] });
