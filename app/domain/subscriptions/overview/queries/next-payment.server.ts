import { sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { nextPaymentCents } from "#app/domain/plans/rules/coupons.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import {
  fanSubscriptionStatement,
  toSubscriptionView,
} from "#app/domain/subscriptions/queries.server.ts";
import type { SubscriptionView } from "#app/domain/subscriptions/queries.server.ts";
import { isPeriodOver } from "#app/domain/subscriptions/rules.ts";
import {
  nextPlanName,
  nextTerms,
} from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import { seatProblem } from "#app/domain/subscriptions/plan-changes/rules/plan-change-decision.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import {
  toSubscriptionSnapshot,
  subscriptionSnapshotStatements,
} from "#app/domain/subscriptions/snapshot/queries.server.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";

/**
 * The next payment of a subscription: its plan, method and `amountCents`, which is `priceCents`
 * less the coupon while it applies.
 */
export type NextPayment = {
  planName: string;
  interval: Interval;
  method: Subscription["method"];
  priceCents: Cents;
  amountCents: Cents;
};

/** One subscription of its fan with its next payment, in one round trip; null for anyone else's. */
export async function subscriptionPayingNext(
  ctx: Context,
  { fanId, subscriptionId }: { fanId: string; subscriptionId: string },
): Promise<(SubscriptionView & { next: NextPayment }) | null> {
  const [[row], ...found] = await ctx.db.batch([
    fanSubscriptionStatement(ctx, { fanId, subscriptionId }),
    ...subscriptionSnapshotStatements(
      { db: ctx.db, adultSpaces: ctx.settings.adultSpaces },
      { subscriptionId: sql`${subscriptionId}` },
    ),
  ]);
  const subscriptionSnapshot = toSubscriptionSnapshot(ctx, found);
  return row && subscriptionSnapshot
    ? { ...toSubscriptionView(row), next: nextPaymentOf(subscriptionSnapshot, ctx.now()) }
    : null;
}

/**
 * The next payment, due now or later. A scheduled change whose plan is full or no longer sold does
 * not come with a due payment: `loadAgreedRenewal` abandons it.
 */
function nextPaymentOf(
  { subscription, plan, change, agreed, heldCoupon }: SubscriptionSnapshot,
  now: Instant,
): NextPayment {
  const isEnded =
    change?.state === "scheduled" &&
    isPeriodOver(subscription, now) &&
    seatProblem({ change, subscription }) !== null;
  const coming = isEnded ? null : change;
  const {
    interval,
    method,
    amountCents: priceCents,
    ...terms
  } = nextTerms(subscription, coming, agreed);
  return {
    planName: nextPlanName({ plan, change: coming }),
    interval,
    method,
    priceCents,
    amountCents: nextPaymentCents({ ...terms, method, amountCents: priceCents }, heldCoupon),
  };
}
