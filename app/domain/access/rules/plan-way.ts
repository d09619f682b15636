/** A viewer's subscription to a creator. */
export type HeldSubscription = {
  id: string;
  planId: string;
  /**
   * A `SubscriptionStatus`. Not typed as such: every module may import `access`, so it may import
   * none. `plan-way.unit.test.ts` compares the statuses below with those of `subscriptions`.
   */
  status: string;
  /** A gift or a comp, which the viewer cannot change. */
  isGiven: boolean;
};

/**
 * What a viewer does to get a plan. "settle": pay an overdue renewal first. "none": the viewer
 * already has this plan, or has a paid subscription that starts later.
 */
export type PlanWay =
  | { kind: "subscribe" }
  | {
      kind: "change_plan" | "reactivate" | "resume" | "settle" | "none";
      subscriptionId: string;
    };

const NOT_LIVE: readonly string[] = ["incomplete", "expired"];
const OVERDUE: readonly string[] = ["past_due", "requires_action"];

/**
 * Returns the live subscription of a viewer to one creator. Prefers the current one to an upcoming
 * one.
 */
export function heldSubscription<Held extends Pick<HeldSubscription, "status">>(
  subscriptions: readonly Held[],
): Held | null {
  const live = subscriptions.filter(({ status }) => !NOT_LIVE.includes(status));
  return live.find(({ status }) => status !== "upcoming") ?? live[0] ?? null;
}

/**
 * Decides how a viewer gets plan `planId`. Locked posts, plan cards and the checkout all use it. A
 * paused subscription must be resumed first, and an overdue one paid first, whatever plan was asked
 * for. A canceled one is reactivated before it changes. A gift or comp cannot change its plan: the
 * viewer subscribes, and that starts after it.
 */
export function decidePlanWay(planId: string, held: HeldSubscription | null): PlanWay {
  if (held === null || NOT_LIVE.includes(held.status)) return { kind: "subscribe" };
  const subscriptionId = held.id;
  if (held.status === "paused") return { kind: "resume", subscriptionId };
  if (OVERDUE.includes(held.status)) return { kind: "settle", subscriptionId };
  if (held.planId === planId || held.status === "upcoming") return { kind: "none", subscriptionId };
  if (held.isGiven) return { kind: "subscribe" };
  return { kind: held.status === "canceled" ? "reactivate" : "change_plan", subscriptionId };
}

/** Returns the button's label. Null: the button shows the plan's name and price. */
export function planWayLabel({ kind }: PlanWay): string | null {
  if (kind === "resume") return "Voltar agora";
  if (kind === "settle") return "Regularizar";
  if (kind === "reactivate") return "Reativar para mudar";
  return kind === "none" ? "Ver minha assinatura" : null;
}

/**
 * Returns the path of the button. `priceId` is the price to change to; without it, the page of the
 * plan change lists all prices.
 */
export function planWayPath(
  way: PlanWay,
  {
    planId,
    interval,
    priceId = null,
  }: { planId: string; interval?: string; priceId?: string | null },
): string {
  if (way.kind === "subscribe")
    return `/checkout?plan=${planId}${interval === undefined ? "" : `&interval=${interval}`}`;
  const page = `/settings/subscriptions/${way.subscriptionId}`;
  if (way.kind === "change_plan") return `${page}/plan${priceId === null ? "" : `/${priceId}`}`;
  if (way.kind === "reactivate") return `${page}/reactivation`;
  return way.kind === "resume" ? `${page}/resumption` : page;
}
