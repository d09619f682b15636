import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import { addDays, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * How long before what was given ends its person may pay for what comes after: a Pix goes back by
 * the same way for ninety days, its regret included.
 */
const SOONEST_DAYS = 60;

/**
 * How late the calendar may begin it on the day that was agreed to; later than this it begins when
 * it does, with all of its days.
 */
const LATE_MS = 15 * MINUTE_MS;
/**
 * How far ahead the day stays behind a shut door: its money is not released meanwhile, and it
 * begins within a day as that opens.
 */
const SHUT_DAYS = 1;

type RunningGift = Pick<Subscription, "id" | "status" | "accessUntil" | "giftedBy" | "compEndsAt">;

/** Of what runs: its id, and until when. */
export type EndingAccess = { id: string; endsAt: Instant };

/**
 * What was given to somebody, a gift or a courtesy, and runs out soon enough that they may pay now
 * for a subscription that begins after it; null where nothing was, where it is far, and where
 * anything else of the same two is live. Source: domain rules, "Subscriptions", row `upcoming`;
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
  /** What else is live of the same two. */
  others: readonly Pick<Subscription, "accessUntil">[];
  /** When what it follows ends, or would have, by its own dates; null where it follows nothing. */
  agreedAt: Instant | null;
  awayUntil: Instant | null;
  /** Nothing goes on behind a shut door: who shuts it gives back what was paid. */
  isShut: boolean;
  /** A block stands between the two. */
  isBlocked?: boolean;
  /** Its bank decides about its payment: nothing of that goes back meanwhile. */
  isDisputed?: boolean;
  now: Instant;
};

/**
 * What becomes of a subscription that is paid and did not begin. Invariant: it opens nothing until
 * it begins, begins never while another of the same two is live, nor in a vacation, and begins with
 * all of its days. Its moment is the end of what runs before it, and goes with that, later or back
 * again; where that ended before its time, the moment stays as it was agreed to. Behind a shut door
 * it stays ahead; across a block it is called off, since neither leaving nor a ban ends it there,
 * and it would wait for ever.
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

/** Whether the page of what was given offers what comes after it. */
export function canSubscribeAfter(
  given: RunningGift & { hasUpcoming?: boolean },
  now: Instant,
): boolean {
  const isLive = given.status === "active" || given.status === "canceled";
  return isLive && !given.hasUpcoming && endingGiftOrComp([given], now) !== null;
}
