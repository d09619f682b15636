import { and, eq } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { LifecycleMessage } from "#app/domain/subscriptions/schema/outbox/lifecycle.ts";
import { hasOpenDisputeOf } from "#app/domain/subscriptions/coverage/queries.server.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import { upcomingStep } from "#app/domain/subscriptions/renewals/rules/upcoming.ts";
import type { UpcomingStep } from "#app/domain/subscriptions/renewals/rules/upcoming.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import { isoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { shiftStatements } from "#app/domain/subscriptions/vacations/commands/shift.server.ts";

/** Decides the next step of an upcoming subscription. */
export async function advanceUpcoming(
  ctx: Context,
  subscriptionSnapshot: SubscriptionSnapshot,
): Promise<UpcomingStep> {
  const { subscription, isShut, isBlocked, isPayerLeaving } = subscriptionSnapshot;
  return upcomingStep(subscription, {
    ...subscriptionSnapshot,
    isShut: isShut || isPayerLeaving,
    isDisputed: isBlocked && (await hasOpenDisputeOf(ctx, { subscriptionId: subscription.id })),
    now: ctx.now(),
  });
}

/**
 * Starts a paid upcoming subscription on its day: it gives access and renews from now on. Throws
 * StaleWrite when another run moved it first.
 */
export async function startUpcoming(
  ctx: Context,
  { subscription, creatorName, creatorUsername, plan }: SubscriptionSnapshot,
): Promise<void> {
  const { id, fanId, currentPeriodEndsAt } = subscription;
  const key = `subscription:${id}:begun`;
  await commit(ctx.db, [
    stillUpcoming(ctx, subscription, { status: "active", accessUntil: currentPeriodEndsAt }),
    announce<LifecycleMessage>(ctx, key, {
      type: "subscription.begun",
      subscriptionId: id,
      fanId,
      creatorName,
      creatorUsername,
      planName: plan.name,
      nextChargeAt: currentPeriodEndsAt ?? ctx.now(),
      welcomeMessage: plan.welcomeMessage,
    }),
  ]);
  await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: key });
}

/**
 * Moves the start of an upcoming subscription to the current end of the one before it. Its paid
 * periods and pending releases move too. Its fan is notified of a new future day. Throws StaleWrite
 * when another run moved it first.
 */
export async function rescheduleStart(
  ctx: Context,
  { subscription, creatorName, plan, isShut, isPayerLeaving }: SubscriptionSnapshot,
  to: Instant,
): Promise<void> {
  const { id, fanId, startedAt, currentPeriodEndsAt } = subscription;
  if (startedAt === null || currentPeriodEndsAt === null) return;
  const by = to - startedAt;
  const endsAt = currentPeriodEndsAt + by;
  // No start is announced for a closed page.
  const isNotified =
    to > ctx.now() && isoDay(to) !== isoDay(startedAt) && !isShut && !isPayerLeaving;
  const key = `subscription:${id}:moved:${ctx.newId()}`;
  await commit(ctx.db, [
    stillUpcoming(ctx, subscription, {
      startedAt: to,
      currentPeriodStartsAt: to,
      currentPeriodEndsAt: endsAt,
      anchorAt: endsAt,
    }),
    ...(await shiftStatements(ctx, subscription, { from: startedAt, by }, { endsAt })),
    ...(isNotified
      ? [
          announce<LifecycleMessage>(ctx, key, {
            type: "subscription.beginning_moved",
            subscriptionId: id,
            fanId,
            creatorName,
            planName: plan.name,
            beginsAt: to,
          }),
        ]
      : []),
  ]);
  if (isNotified)
    await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: key });
}

function stillUpcoming(
  ctx: Context,
  { id, startedAt }: Subscription,
  set: Partial<typeof subscriptions.$inferInsert>,
): BatchWrite {
  return mustChangeOne(
    ctx.db
      .update(subscriptions)
      .set({ ...set, updatedAt: ctx.now() })
      .where(
        and(
          eq(subscriptions.id, id),
          eq(subscriptions.status, "upcoming"),
          eq(subscriptions.startedAt, startedAt ?? 0),
        ),
      ),
  );
}
