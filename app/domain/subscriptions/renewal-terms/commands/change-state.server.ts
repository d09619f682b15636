import { and, eq } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { PlanChangeMessage } from "#app/domain/subscriptions/schema/outbox/plan-changes.ts";
import { holdSeatStatement, releaseSeatStatement } from "#app/domain/plans/commands.server.ts";
import { priceLabel } from "#app/domain/plans/rules/intervals.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import type { PlanChange } from "#app/domain/subscriptions/renewal-terms/queries/plan-changes.server.ts";
import { methodForPrice } from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import { needsSeat } from "#app/domain/subscriptions/plan-changes/rules/plan-change-decision.ts";
import type { PlanChangeState } from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import { planChanges, subscriptions } from "#drizzle/schema/subscriptions.ts";

/**
 * The statements that put a subscription on the plan of `change`: price, interval and seats. Throws
 * StaleWrite if either row changed meanwhile. With `period` a new period starts, and later ones are
 * counted from it.
 */
export function planChangedStatements(
  ctx: Context,
  {
    change,
    subscription,
    to,
    period,
  }: {
    change: PlanChange;
    subscription: Subscription;
    to: PlanChangeState;
    period: { startsAt: number; endsAt: number } | null;
  },
): BatchWrite[] {
  const isOtherPlan = change.toPlanId !== subscription.planId;
  const method = methodForPrice(subscription.method, change.toAmountCents);
  return [
    ...(needsSeat({ change, subscription })
      ? [holdSeatStatement(ctx, { planId: change.toPlanId })]
      : []),
    ...(isOtherPlan && subscription.holdsSeat
      ? [releaseSeatStatement(ctx, { planId: subscription.planId })]
      : []),
    planChangeStateStatement(ctx, { change, to, holdsSeat: false }),
    mustChangeOne(
      ctx.db
        .update(subscriptions)
        .set({
          planId: change.toPlanId,
          planPriceId: change.toPlanPriceId,
          interval: change.toInterval,
          amountCents: change.toAmountCents,
          holdsSeat: isOtherPlan || subscription.holdsSeat,
          ...(method === subscription.method ? {} : { method, savedMethodId: null }),
          ...(period
            ? {
                currentPeriodStartsAt: period.startsAt,
                currentPeriodEndsAt: period.endsAt,
                accessUntil: period.endsAt,
                anchorAt: period.startsAt,
              }
            : {}),
          updatedAt: ctx.now(),
        })
        .where(subscriptionUnchanged(subscription)),
    ),
  ];
}

/**
 * The statement that moves a change to another state; throws StaleWrite if another run did so
 * first.
 */
export function planChangeStateStatement(
  ctx: Context,
  {
    change,
    to,
    holdsSeat,
    reason = null,
  }: {
    change: Pick<PlanChange, "id" | "state" | "holdsSeat">;
    to: PlanChangeState;
    holdsSeat: boolean;
    reason?: string | null;
  },
): BatchWrite {
  return mustChangeOne(
    ctx.db
      .update(planChanges)
      .set({
        state: to,
        holdsSeat,
        reason,
        settledAt: to === "open" || to === "scheduled" ? null : ctx.now(),
      })
      .where(
        and(
          eq(planChanges.id, change.id),
          eq(planChanges.state, change.state),
          eq(planChanges.holdsSeat, change.holdsSeat),
        ),
      ),
  );
}

/** The statements that abandon a change and release its seat. */
export function planChangeAbandonedStatements(
  ctx: Context,
  { change, reason }: { change: PlanChange; reason: string },
): BatchWrite[] {
  return [
    planChangeStateStatement(ctx, { change, to: "over", holdsSeat: false, reason }),
    ...(change.holdsSeat ? [releaseSeatStatement(ctx, { planId: change.toPlanId })] : []),
  ];
}

/** Notifies both sides of the old and the new plan. */
export function planChangedMessage(
  ctx: Context,
  {
    change,
    subscriptionSnapshot,
    chargeId,
    paidCents,
  }: {
    change: PlanChange;
    subscriptionSnapshot: Pick<SubscriptionSnapshot, "subscription" | "fanName" | "creatorName">;
    chargeId: string | null;
    paidCents: number;
  },
): BatchWrite {
  const { subscription, fanName, creatorName } = subscriptionSnapshot;
  return announce<PlanChangeMessage>(ctx, planChangedKey(change.id), {
    type: "subscription.plan_changed",
    subscriptionId: subscription.id,
    chargeId,
    fanId: subscription.fanId,
    creatorId: subscription.creatorId,
    fanName,
    creatorName,
    fromPlanName: change.fromPlanName,
    toPlanName: change.toPlanName,
    toPrice: priceLabel({ amountCents: change.toAmountCents, interval: change.toInterval }),
    paidCents,
    isBack: false,
  });
}

/** The key of the announcement that a subscription changed its plan. */
export const planChangedKey = (planChangeId: string): string => `plan_change:${planChangeId}:done`;

/** The condition that what a plan change touches is unchanged since the subscription was read. */
export function subscriptionUnchanged({
  id,
  status,
  planPriceId,
  holdsSeat,
  currentPeriodEndsAt,
}: Subscription) {
  return and(
    eq(subscriptions.id, id),
    eq(subscriptions.status, status),
    eq(subscriptions.planPriceId, planPriceId),
    eq(subscriptions.holdsSeat, holdsSeat),
    eq(subscriptions.currentPeriodEndsAt, currentPeriodEndsAt ?? 0),
  );
}
