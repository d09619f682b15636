import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import type { PlanChangeMessage } from "#app/domain/subscriptions/schema/outbox/plan-changes.ts";
import { SubscriptionNotFound } from "#app/domain/subscriptions/errors.ts";
import {
  PlanChangeNotFound,
  PlanChangeOutdated,
  PlanChangeRefused,
  RenewalInProgress,
} from "#app/domain/subscriptions/plan-changes/errors.ts";
import { priceLabel } from "#app/domain/plans/rules/intervals.ts";
import { loadSubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import { planChangeRow } from "#app/domain/subscriptions/renewal-terms/queries/plan-changes.server.ts";
import type { PlanChangeRequest } from "#app/domain/subscriptions/plan-changes/queries/quote.server.ts";
import type { Instant } from "#app/domain/time.ts";
import type { MemberSubscriptionRef } from "#app/domain/subscriptions/commands.server.ts";
import {
  planChangedMessage,
  planChangedStatements,
  planChangeAbandonedStatements,
  planChangedKey,
} from "#app/domain/subscriptions/renewal-terms/commands/change-state.server.ts";
import {
  cancelPendingRenewals,
  newChangeStatement,
  cancelOpenPlanChange,
  throwPlanChangeProblem,
  planChangeStillAllowedStatement,
  requestedPlanOffer,
} from "./start.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";
import { applyPendingVacation } from "#app/domain/subscriptions/vacations/commands/move.server.ts";

/**
 * Schedules a plan change for the next period, in place of any other. Open charges of that period
 * are canceled and made again at the new price; if it is paid, the change follows it. Nothing is
 * charged now. Refuses SubscriptionNotFound (also for another member's), PlanChangeRefused,
 * PlanChangeOutdated when the date or price is not the one shown, RenewalInProgress. Source: domain
 * rules, "Subscriptions" (changing plan).
 */
export async function schedulePlanChange(
  ctx: Context,
  { beginsAt, nextCents, ...wish }: PlanChangeRequest & { beginsAt: Instant; nextCents: Cents },
): Promise<void> {
  await applyPendingVacation(ctx, wish);
  const outboxId = await retryOnConflict(async () => {
    throwPlanChangeProblem(await requestedPlanOffer(ctx, wish));
    if (await cancelOpenPlanChange(ctx, wish)) throw new RenewalInProgress();
    await cancelPendingRenewals(ctx, wish);
    const wanted = await requestedPlanOffer(ctx, wish);
    throwPlanChangeProblem(wanted);
    const { subscriptionSnapshot, quote, offer } = wanted;
    if (
      quote.happens !== "next_period" ||
      quote.beginsAt !== beginsAt ||
      quote.nextCents !== nextCents
    )
      throw new PlanChangeOutdated();
    const id = ctx.newId();
    const key = `plan_change:${id}:scheduled`;
    await commit(ctx.db, [
      ...(subscriptionSnapshot.change
        ? planChangeAbandonedStatements(ctx, {
            change: subscriptionSnapshot.change,
            reason: "replaced",
          })
        : []),
      newChangeStatement(ctx, wanted, { id, holdsSeat: false, periodSplit: null }),
      planChangeStillAllowedStatement(ctx, wanted),
      announce<PlanChangeMessage>(ctx, key, {
        type: "subscription.plan_change_scheduled",
        subscriptionId: subscriptionSnapshot.subscription.id,
        fanId: subscriptionSnapshot.subscription.fanId,
        creatorName: subscriptionSnapshot.creatorName,
        fromPlanName: subscriptionSnapshot.plan.name,
        toPlanName: offer.plan.name,
        toPrice: priceLabel(offer.price),
        nextCents: quote.nextCents,
        beginsAt: quote.beginsAt,
        undoUrl: `${ctx.settings.appOrigin}/settings/subscriptions/${subscriptionSnapshot.subscription.id}/plan/undo`,
      }),
    ]);
    return key;
  });
  await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: outboxId });
  await advanceSubscription(ctx, wish);
}

/**
 * Cancels a scheduled plan change: the subscription keeps its plan, and open charges are made
 * again. Refuses SubscriptionNotFound, PlanChangeNotFound, RenewalInProgress, and PlanChangeRefused
 * when the new plan's period is paid.
 */
export async function cancelScheduledPlanChange(
  ctx: Context,
  reference: MemberSubscriptionRef,
): Promise<void> {
  await retryOnConflict(async () => {
    refuseNoChange(await memberSnapshot(ctx, reference));
    await cancelPendingRenewals(ctx, reference);
    const subscriptionSnapshot = await memberSnapshot(ctx, reference);
    await commit(ctx.db, [
      ...planChangeAbandonedStatements(ctx, {
        change: refuseNoChange(subscriptionSnapshot),
        reason: "undone",
      }),
      planChangeStillAllowedStatement(ctx, { subscriptionSnapshot }),
    ]);
  });
  await advanceSubscription(ctx, reference);
}

function refuseNoChange({
  change,
}: SubscriptionSnapshot): NonNullable<SubscriptionSnapshot["change"]> {
  if (change?.state === "paid") throw new PlanChangeRefused("paid_change");
  if (change?.state !== "scheduled") throw new PlanChangeNotFound();
  return change;
}

/**
 * Starts the plan of a prepaid period on its first day. Does nothing when it already started, or
 * the subscription is paused. Safe to run twice.
 */
export async function startPrepaidPlan(
  ctx: Context,
  { planChangeId }: { planChangeId: string },
): Promise<void> {
  const isDone = await retryOnConflict(async () => {
    const change = await planChangeRow(ctx, { planChangeId });
    const subscriptionSnapshot = change && (await loadSubscriptionSnapshot(ctx, change));
    if (
      change?.state !== "paid" ||
      !subscriptionSnapshot ||
      subscriptionSnapshot.subscription.status === "paused"
    )
      return false;
    await commit(ctx.db, [
      ...planChangedStatements(ctx, {
        change,
        subscription: subscriptionSnapshot.subscription,
        to: "done",
        period: null,
      }),
      planChangedMessage(ctx, { change, subscriptionSnapshot, chargeId: null, paidCents: 0 }),
    ]);
    return true;
  });
  if (isDone)
    await ctx.queues.notifications.send({
      version: 1,
      type: "outbox.deliver",
      id: planChangedKey(planChangeId),
    });
}

async function memberSnapshot(
  ctx: Context,
  { fanId, subscriptionId }: MemberSubscriptionRef,
): Promise<SubscriptionSnapshot> {
  const subscriptionSnapshot = await loadSubscriptionSnapshot(ctx, { subscriptionId });
  if (!subscriptionSnapshot || subscriptionSnapshot.subscription.fanId !== fanId)
    throw new SubscriptionNotFound();
  return subscriptionSnapshot;
}
