import { decidePlanWay, heldSubscription } from "#app/domain/access/rules/plan-way.ts";
import type { HeldSubscription, PlanWay } from "#app/domain/access/rules/plan-way.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";

const accessRuleKinds = ["public", "followers", "subscribers", "plan", "price"] as const;
type AccessRuleKind = (typeof accessRuleKinds)[number];

/**
 * One way into a post. A plan rule names its plan, a price rule its amount; `opensAt` null opens
 * with the post.
 */
export type AccessRule = {
  kind: AccessRuleKind;
  planId: string | null;
  amountCents: Cents | null;
  opensAt: Instant | null;
};

const planIntervals = ["weekly", "monthly", "quarterly", "semiannual", "annual"] as const;
export type PlanInterval = (typeof planIntervals)[number];

/** What the post's author sells now: current prices of active plans with a seat left. */
export type PlanPriceOffer = {
  planId: string;
  planName: string;
  interval: PlanInterval;
  amountCents: Cents;
};

/** A collection of the author's that holds the post and is sold as one. */
export type SoldCollection = { collectionId: string; title: string; amountCents: Cents };

/** All that the decision needs to know of a post. */
export type GuardedPost = {
  authorId: string;
  state: "draft" | "scheduled" | "published";
  publishedAt: Instant | null;
  heldAt: Instant | null;
  deletedAt: Instant | null;
  authorBannedAt: Instant | null;
  /**
   * Since when the author is leaving: whoever pays them still sees what they pay for, and nobody
   * else anything.
   */
  authorLeavingAt: Instant | null;
  /** The author may sell now: what is not for sale is no way in, whatever its price. */
  authorSells: boolean;
  /**
   * Until when the author is away and sells no plan; what is paid once stays sold. Null while they
   * are here.
   */
  authorAwayUntil: Instant | null;
  rules: AccessRule[];
  offers: PlanPriceOffer[];
  collectionOffers: SoldCollection[];
  /** On a page that its owner marked as for adults. */
  isForAdults: boolean;
};

/** What the viewer is to the post and to its author. `viewerId` null is a visitor. */
export type ViewerStatus = {
  viewerId: string | null;
  isModerator: boolean;
  /** In the team that runs the author's page, in whatever role. */
  isTeam: boolean;
  follows: boolean;
  /** A block in either direction. */
  blocked: boolean;
  /** An age check answered that they are an adult, and adult spaces are switched on here. */
  isAgeChecked: boolean;
  purchased: boolean;
  /** The viewer's subscriptions to this author, in whatever state. */
  subscriptions: (HeldSubscription & { accessUntil: Instant | null })[];
};

export type LockReason =
  /** Not even its card is shown: draft, deleted, held, banned, left, blocked, for adults. */
  | { kind: "hidden" }
  | { kind: "followers" }
  | { kind: "subscribers" }
  | { kind: "plans"; planIds: string[] }
  | { kind: "price"; amountCents: Cents }
  /** Some rule opens by itself later. */
  | { kind: "opens_later"; opensAt: Instant };

export type Unlock =
  | { kind: "follow" }
  | ({ kind: "plan"; way: PlanWay } & PlanPriceOffer)
  /** What they subscribe to comes first: back from a pause, an overdue payment, or its start. */
  | { kind: "subscription"; way: PlanWay; planId: string }
  | { kind: "price"; amountCents: Cents }
  | ({ kind: "collection" } & SoldCollection);

/**
 * `otherUnlocks` are the other ways in, the cheapest first: at most one plan and one collection.
 * `vacationUntil` is when the plan that would open it is sold again, where its author is away; else
 * null.
 */
export type Access =
  | { visible: true }
  | {
      visible: false;
      reasons: LockReason[];
      cheapestUnlock: Unlock | null;
      otherUnlocks: Unlock[];
      awayUntil: Instant | null;
    };

/**
 * States in which a subscription opens nothing, whatever its dates say. Source: domain rules,
 * "Subscriptions".
 */
export const CLOSED_SUBSCRIPTION_STATES = ["incomplete", "expired", "paused"] as const;

const HIDDEN: Access = {
  visible: false,
  reasons: [{ kind: "hidden" }],
  cheapestUnlock: null,
  otherUnlocks: [],
  awayUntil: null,
};

/**
 * Who may see a post at `now`, the one rule of every surface; `access/sql.server.ts` says the same
 * in SQL. A deleted post is nobody's; its author and moderators see it otherwise, even held, and so
 * does the author's team; a block or a ban hides it from everyone else, and a leaving author's is
 * shown only to who pays them. What is for adults is hidden, from the team too, until an age check
 * said that they are one. Any open rule is enough, and what was bought stays bought. Subscribing to
 * any plan includes what followers see. Source: domain rules, "Access to a post"; issue 19.
 */
export function decideAccess(post: GuardedPost, viewerStatus: ViewerStatus, now: Instant): Access {
  if (post.deletedAt !== null) return HIDDEN;
  if (viewerStatus.isModerator || viewerStatus.viewerId === post.authorId) return { visible: true };
  if (post.isForAdults && !viewerStatus.isAgeChecked) return HIDDEN;
  if (seesAsTeam(post, viewerStatus)) return { visible: true };
  if (!isListed(post, viewerStatus, now)) return HIDDEN;
  if (viewerStatus.purchased) return { visible: true };
  const open = post.rules.filter((rule) => rule.opensAt === null || rule.opensAt <= now);
  if (open.some((rule) => ruleAdmits(rule, viewerStatus, now))) return { visible: true };
  const [cheapestUnlock = null, ...otherUnlocks] = unlocksOf(open, post, viewerStatus);
  const awayUntil =
    post.authorSells && cheapestPlan(open, post.offers) ? post.authorAwayUntil : null;
  return {
    visible: false,
    reasons: lockReasons(post.rules, now),
    cheapestUnlock,
    otherUnlocks,
    awayUntil,
  };
}

/** True when the viewer may know that the post exists: its card may be shown, open or locked. */
export function canList(access: Access): boolean {
  return access.visible || access.reasons.every((reason) => reason.kind !== "hidden");
}

/**
 * What a price comes to in a month, rounded down to the centavo; weeks count 52 a year. For
 * comparing offers, never for charging.
 */
export function comparableMonthlyCents(
  offer: Pick<PlanPriceOffer, "interval" | "amountCents">,
): Cents {
  const periodsPerYear: Record<PlanInterval, number> = {
    weekly: 52,
    monthly: 12,
    quarterly: 4,
    semiannual: 2,
    annual: 1,
  };
  return Math.floor((offer.amountCents * periodsPerYear[offer.interval]) / 12);
}

/** A team works while its author does: not for one who is banned or leaving, nor against a block. */
function seesAsTeam(post: GuardedPost, viewerStatus: ViewerStatus): boolean {
  return (
    viewerStatus.isTeam &&
    post.authorBannedAt === null &&
    post.authorLeavingAt === null &&
    !viewerStatus.blocked
  );
}

function isListed(post: GuardedPost, viewerStatus: ViewerStatus, now: Instant): boolean {
  return (
    post.state === "published" &&
    post.publishedAt !== null &&
    post.publishedAt <= now &&
    post.heldAt === null &&
    post.authorBannedAt === null &&
    (post.authorLeavingAt === null || pays(viewerStatus, now)) &&
    !viewerStatus.blocked
  );
}

function pays(viewerStatus: ViewerStatus, now: Instant): boolean {
  return (
    viewerStatus.purchased ||
    viewerStatus.subscriptions.some((subscription) => subscriptionGrantsAccess(subscription, now))
  );
}

function ruleAdmits(rule: AccessRule, viewerStatus: ViewerStatus, now: Instant): boolean {
  if (rule.kind === "public") return true;
  if (rule.kind === "price") return false;
  if (rule.kind === "followers" && viewerStatus.follows) return true;
  return viewerStatus.subscriptions.some(
    (subscription) =>
      subscriptionGrantsAccess(subscription, now) &&
      (rule.kind !== "plan" || subscription.planId === rule.planId),
  );
}

/** Whoever asks for access compares `accessUntil` with now; some states give none at all. */
function subscriptionGrantsAccess(
  subscription: { status: string; accessUntil: Instant | null },
  now: Instant,
): boolean {
  const closed: readonly string[] = CLOSED_SUBSCRIPTION_STATES;
  return (
    subscription.accessUntil !== null &&
    subscription.accessUntil > now &&
    !closed.includes(subscription.status)
  );
}

function lockReasons(rules: AccessRule[], now: Instant): LockReason[] {
  const reasons: LockReason[] = [];
  const open = rules.filter((rule) => rule.opensAt === null || rule.opensAt <= now);
  if (open.some((rule) => rule.kind === "followers")) reasons.push({ kind: "followers" });
  if (open.some((rule) => rule.kind === "subscribers")) reasons.push({ kind: "subscribers" });
  const planIds = open.flatMap((rule) =>
    rule.kind === "plan" && rule.planId ? [rule.planId] : [],
  );
  if (planIds.length > 0) reasons.push({ kind: "plans", planIds });
  const prices = open.flatMap((rule) =>
    rule.kind === "price" && rule.amountCents !== null ? [rule.amountCents] : [],
  );
  if (prices.length > 0) reasons.push({ kind: "price", amountCents: Math.min(...prices) });
  const openings = rules.flatMap((rule) =>
    rule.opensAt !== null && rule.opensAt > now ? [rule.opensAt] : [],
  );
  if (openings.length > 0) reasons.push({ kind: "opens_later", opensAt: Math.min(...openings) });
  // A post that lost its rules is shown as its author's subscribers', never as open.
  return reasons.length > 0 ? reasons : [{ kind: "subscribers" }];
}

/** For the same money a plan opens more than a collection, and a collection more than one post. */
const WORTH: Record<Unlock["kind"], number> = {
  subscription: 0,
  follow: 1,
  plan: 2,
  collection: 3,
  price: 4,
};

/**
 * Every way in at `open`, by what it costs today: the cheapest plan, the cheapest collection, the
 * post by itself.
 */
function unlocksOf(
  open: AccessRule[],
  {
    authorSells,
    authorAwayUntil,
    offers,
    collectionOffers,
  }: Pick<GuardedPost, "authorSells" | "authorAwayUntil" | "offers" | "collectionOffers">,
  viewerStatus: Pick<ViewerStatus, "subscriptions">,
): Unlock[] {
  const unlocks: Unlock[] = [];
  const held = heldSubscription(viewerStatus.subscriptions);
  const first = subscriptionUnlock(open, held);
  if (first) unlocks.push(first);
  if (open.some((rule) => rule.kind === "followers")) unlocks.push({ kind: "follow" });
  if (!authorSells) return unlocks;
  const plan = authorAwayUntil === null && !first ? cheapestPlan(open, offers) : undefined;
  if (plan) unlocks.push({ kind: "plan", way: decidePlanWay(plan.planId, held), ...plan });
  const [collection] = collectionOffers.toSorted(
    (one, other) => one.amountCents - other.amountCents,
  );
  if (collection) unlocks.push({ kind: "collection", ...collection });
  const prices = open.flatMap((rule) =>
    rule.kind === "price" && rule.amountCents !== null ? [rule.amountCents] : [],
  );
  if (prices.length > 0) unlocks.push({ kind: "price", amountCents: Math.min(...prices) });
  return unlocks.toSorted(
    (one, other) => costToday(one) - costToday(other) || WORTH[one.kind] - WORTH[other.kind],
  );
}

const costToday = (unlock: Unlock): Cents => ("amountCents" in unlock ? unlock.amountCents : 0);

/** The way of a subscription that has to be put right before any plan opens anything. */
function subscriptionUnlock(open: AccessRule[], held: HeldSubscription | null): Unlock | null {
  const byPlan = open.some((rule) => rule.kind === "subscribers" || rule.kind === "plan");
  if (held === null || !byPlan) return null;
  const way = decidePlanWay(held.planId, held);
  const isSettled = way.kind === "none" && held.status !== "upcoming";
  return isSettled ? null : { kind: "subscription", way, planId: held.planId };
}

function cheapestPlan(open: AccessRule[], offers: PlanPriceOffer[]): PlanPriceOffer | undefined {
  const anyPlan = open.some((rule) => rule.kind === "subscribers");
  const plans = open.filter((rule) => rule.kind === "plan").map((rule) => rule.planId);
  const [cheapest] = smallestOfEachPlan(offers)
    .filter((offer) => anyPlan || plans.includes(offer.planId))
    .toSorted(
      (one, other) =>
        comparableMonthlyCents(one) - comparableMonthlyCents(other) ||
        one.amountCents - other.amountCents,
    );
  return cheapest;
}

/** What it takes to come in: a plan sold by the month and by the year is offered by the month. */
function smallestOfEachPlan(offers: PlanPriceOffer[]): PlanPriceOffer[] {
  const smallest = new Map<string, PlanPriceOffer>();
  for (const offer of offers) {
    const smallestPrice = smallest.get(offer.planId);
    if (!smallestPrice || offer.amountCents < smallestPrice.amountCents)
      smallest.set(offer.planId, offer);
  }
  return [...smallest.values()];
}
