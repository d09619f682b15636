import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import { addDays, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * How many days before the end of a gift or comp the next subscription may be paid. A Pix can be
 * refunded for ninety days, which must include the cooling-off period.
 */
const SOONEST_DAYS = 60;

/**
 * How late the calendar may start it and still count from the agreed day. Later than this it starts
 * at that time, with all of its days.
 */
const LATE_MS = 15 * MINUTE_MS;
/**
 * How many days from now the start stays while the page is closed. Its funds are not released
 * meanwhile, and it starts within a day of the reopening.
 */
const SHUT_DAYS = 1;

type RunningGift = Pick<Subscription, "id" | "status" | "accessUntil" | "giftedBy" | "compEndsAt">;

/** The id of a current subscription, and when its access ends. */
export type EndingAccess = { id: string; endsAt: Instant };

/**
 * The member's gift or comp that ends soon enough to pay now for a subscription after it. Null when
 * there is none, when its end is far, or when another subscription between the two is live. Source:
 * domain rules, "Subscriptions", row `upcoming`;
 * docs/decisions/money/treat-a-gift-as-a-subscription-that-another-paid.md.
 */
export function endingGiftOrComp(live: readonly RunningGift[], now: Instant): EndingAccess | null {
  const [one, ...others] = live;
  if (
    !one ||
    others.length > 0 ||
    (one.giftedBy === null && one.compEndsAt === null) ||
    one.accessUntil === null
  )
    return null;
  return one.accessUntil > now && one.accessUntil <= addDays(now, SOONEST_DAYS)
    ? { id: one.id, endsAt: one.accessUntil }
    : null;
}

export type UpcomingStep =
  | { kind: "nothing" }
  | { kind: "begin" }
  | { kind: "move"; to: Instant }
  | { kind: "wait" }
  | { kind: "call_off" };

type UpcomingStepInput = {
  /** The other live subscriptions between the same two. */
  others: readonly Pick<Subscription, "accessUntil">[];
  /** The agreed end of the one that it follows; null when it follows nothing. */
  agreedAt: Instant | null;
  awayUntil: Instant | null;
  /** Nothing starts on a closed page. The run that closes it refunds what was paid. */
  isShut: boolean;
  /** One of the two blocked the other. */
  isBlocked?: boolean;
  /** Its payment is disputed: nothing of it is refunded meanwhile. */
  isDisputed?: boolean;
  now: Instant;
};

/**
 * Decides the step of a paid upcoming subscription. Invariant: it gives no access until it starts,
 * and starts with all of its days. It never starts while another subscription between the two is
 * live, nor during a vacation. Its start is the end of the current one, and moves with that, later
 * or earlier. If the current one ended early, the agreed start stays. On a closed page the start
 * stays in the future. Across a block it is canceled: neither leaving nor a ban ends it there, and
 * it would wait for ever.
 */
export function upcomingStep(
  { startedAt }: Pick<Subscription, "startedAt">,
  {
    others,
    agreedAt,
    awayUntil,
    isShut,
    isBlocked = false,
    isDisputed = false,
    now,
  }: UpcomingStepInput,
): UpcomingStep {
  if (startedAt === null) return { kind: "nothing" };
  if (isBlocked && !isDisputed) return { kind: "call_off" };
  const ends = others.flatMap(({ accessUntil }) => accessUntil ?? []);
  const at = Math.max(awayUntil ?? 0, ...(ends.length > 0 ? ends : [agreedAt ?? startedAt]));
  if (others.length > 0 || at > now) {
    if (at !== startedAt) return { kind: "move", to: at };
    return at > now ? { kind: "nothing" } : { kind: "wait" };
  }
  if (isShut)
    return startedAt > now ? { kind: "nothing" } : { kind: "move", to: addDays(now, SHUT_DAYS) };
  return startedAt > now || startedAt < now - LATE_MS
    ? { kind: "move", to: now }
    : { kind: "begin" };
}

/** Whether the page of a gift or comp offers the subscription after it. */
export function canSubscribeAfter(
  given: RunningGift & { hasUpcoming?: boolean },
  now: Instant,
): boolean {
  const isLive = given.status === "active" || given.status === "canceled";
  return isLive && !given.hasUpcoming && endingGiftOrComp([given], now) !== null;
}
