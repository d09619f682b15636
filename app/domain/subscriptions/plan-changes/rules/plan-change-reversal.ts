import type { Cents } from "#app/domain/money.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import { isWithinCoolingOff } from "#app/domain/payments/refunds/rules/cooling-off.ts";
import { isLive } from "#app/domain/subscriptions/rules.ts";
import type { PeriodShift } from "#app/domain/subscriptions/pauses/rules.ts";
import type { PeriodSplit } from "./plan-changes.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import type { Instant } from "#app/domain/time.ts";

/** An applied plan change, the charge of its difference, and until when that covers. */
export type AppliedPlanChange = {
  id: string;
  happens: "now" | "next_period";
  fromPlanId: string;
  fromPlanPriceId: string;
  fromInterval: Interval;
  fromAmountCents: Cents;
  fromPlanName: string;
  toPlanPriceId: string;
  beforeStartsAt: Instant;
  beforeEndsAt: Instant;
  beforeAnchorAt: Instant | null;
  coversFrom: Instant | null;
  coversUntil: Instant | null;
  settledAt: Instant | null;
  periodSplit: {
    cuts: PeriodSplit["cuts"];
    moved: { chargeId: string; periodId: string }[];
  } | null;
  chargeId: string;
  coveredUntil: Instant | null;
};

export type ReversalPlan =
  /**
   * The period that the difference paid for is over or not the current one: only the money is
   * refunded.
   */
  | { kind: "stays" }
  /** The former plan, with the former period if the change started another. */
  | {
      kind: "back";
      period: { startsAt: Instant; endsAt: Instant; anchorAt: Instant | null } | null;
    }
  /**
   * The former period is over, or a pause moved what would move back: there is nothing to return
   * to.
   */
  | { kind: "ends" };

/** By how much a creator's vacation moved a subscription, and when. */
export type VacationShift = PeriodShift & { at: Instant };

type ReversalInput = {
  subscription: Pick<Subscription, "status" | "planPriceId" | "currentPeriodEndsAt">;
  changes: AppliedPlanChange[];
  /** Since the oldest of `changes`, oldest first. */ shifts?: readonly VacationShift[];
  isRenewing: boolean;
  now: Instant;
};

/**
 * Where the refund of the differences of `changes` (newest first) leaves a subscription. An open or
 * paid renewal at the new price keeps the new plan. A vacation's shift of the new period also
 * applies to the former one. Source: CDC art. 49;
 * docs/decisions/money/charge-an-upgrade-its-prorated-difference.md.
 */
export function planReversal({
  subscription,
  changes,
  shifts = [],
  isRenewing,
  now,
}: ReversalInput): ReversalPlan {
  const first = changes.at(-1);
  const last = changes[0];
  const { currentPeriodEndsAt, planPriceId, status } = subscription;
  if (
    !first ||
    !last ||
    !isLive(status) ||
    isRenewing ||
    currentPeriodEndsAt === null ||
    currentPeriodEndsAt <= now
  )
    return { kind: "stays" };
  if (
    changes.some(({ happens }) => happens !== "now") ||
    last.toPlanPriceId !== planPriceId ||
    first.coveredUntil !== currentPeriodEndsAt
  )
    return { kind: "stays" };
  const began = changes.find(({ periodSplit }) => periodSplit !== null);
  if (!began) return { kind: "back", period: null };
  const sinceBegan = shifts.filter(({ at }) => at >= (began.settledAt ?? 0));
  const endsAt = movedOn(first.beforeEndsAt, shifts);
  if (
    status === "paused" ||
    began.coversUntil === null ||
    movedOn(began.coversUntil, sinceBegan) !== currentPeriodEndsAt ||
    endsAt <= now
  )
    return { kind: "ends" };
  return {
    kind: "back",
    period: {
      startsAt: first.beforeStartsAt,
      endsAt,
      anchorAt: endsAt === first.beforeEndsAt ? first.beforeAnchorAt : endsAt,
    },
  };
}

const movedOn = (at: Instant, shifts: readonly PeriodShift[]): Instant =>
  shifts.reduce((moved, { from, by }) => (moved > from ? moved + by : moved), at);

/**
 * Whether the difference of a change can still get a cooling-off refund: to the end of the seventh
 * day after its payment.
 */
export const canWithdrawFromChange = (
  { state, settledAt }: { state: string; settledAt: Instant | null },
  now: Instant,
): boolean => state === "done" && settledAt !== null && isWithinCoolingOff(settledAt, now);
