/** A viewer's subscription to a creator, as the way to another plan needs it. */
export type HeldSubscription = {
  id: string;
  planId: string;
  status: string;
  /** A gift or a comp: nothing of it is theirs to change. */
  isGiven: boolean;
};

/** "none": the plan is theirs already, or paid for and about to start. */
export type PlanWay =
  | { kind: "subscribe" }
  | { kind: "change_plan" | "resume" | "settle" | "none"; subscriptionId: string };

const NOT_LIVE: readonly string[] = ["incomplete", "expired"];
const OVERDUE: readonly string[] = ["past_due", "requires_action"];

/** The live subscription among a viewer's to one creator: the current one before an upcoming one. */
export function heldSubscription<Held extends Pick<HeldSubscription, "status">>(
  subscriptions: readonly Held[],
): Held | null {
  const live = subscriptions.filter(({ status }) => !NOT_LIVE.includes(status));
  return live.find(({ status }) => status !== "upcoming") ?? live[0] ?? null;
}

/**
 * How a viewer comes to what `planId` opens, for every place that shows a way: locked posts, plans
 * and the checkout. What is paused comes back first and what is overdue is paid first, whichever
 * plan was asked for. After a gift or a comp one subscribes, as its own checkout says.
 */
export function decidePlanWay(planId: string, held: HeldSubscription | null): PlanWay {
  if (held === null || NOT_LIVE.includes(held.status)) return { kind: "subscribe" };
  const subscriptionId = held.id;
  if (held.status === "paused") return { kind: "resume", subscriptionId };
  if (OVERDUE.includes(held.status)) return { kind: "settle", subscriptionId };
  if (held.planId === planId || held.status === "upcoming") return { kind: "none", subscriptionId };
  return held.isGiven ? { kind: "subscribe" } : { kind: "change_plan", subscriptionId };
}

/** What the button of a way says; null where the plan's own name and price belong on it. */
export function planWayLabel({ kind }: PlanWay): string | null {
  if (kind === "resume") return "Voltar agora";
  if (kind === "settle") return "Regularizar";
  return kind === "none" ? "Ver minha assinatura" : null;
}

/**
 * Where a way leads. `priceId` is the price to change to, where it is known; without it the change
 * shows all of them.
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
  return way.kind === "resume" ? `${page}/resumption` : page;
}
