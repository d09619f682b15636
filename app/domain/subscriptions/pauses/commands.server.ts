import { and, eq } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import type { LifecycleMessage } from "#app/domain/subscriptions/schema/outbox/lifecycle.ts";
import { CreatorOnVacation } from "#app/domain/plans/errors/vacations.ts";
import {
  LeavingMemberCannotSubscribe,
  NotPausable,
  NotPaused,
  PageClosed,
  SubscriptionNotFound,
} from "#app/domain/subscriptions/errors.ts";
import { loadSubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import { subscriptionLinkUrl } from "#app/domain/subscriptions/email-links/queries.server.ts";
import { vacationEndsAt } from "#app/domain/plans/rules/vacations.ts";
import { canPause, pauseDates, resumeDates } from "./rules.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { cancelOpenRenewals } from "#app/domain/subscriptions/open-renewals/commands.server.ts";
import type { MemberSubscriptionRef } from "#app/domain/subscriptions/commands.server.ts";
import { shiftForVacation } from "#app/domain/subscriptions/vacations/commands/move.server.ts";
import {
  newShiftStatement,
  shiftStatements,
} from "#app/domain/subscriptions/vacations/commands/shift.server.ts";

/**
 * Pauses a subscription ("Pausar 1 mês"). Nothing is charged and there is no access until it
 * resumes with all its remaining days. Open charges of the next period are canceled at the
 * provider. Refuses SubscriptionNotFound (also for another member's), NotPausable,
 * CreatorOnVacation, PageClosed, LeavingMemberCannotSubscribe.
 */
export async function pauseSubscription(
  ctx: Context,
  reference: MemberSubscriptionRef,
): Promise<void> {
  const outboxId = await retryOnConflict(async () => {
    const subscriptionSnapshot = await openSnapshot(ctx, reference);
    const { subscription, creatorName, plan } = subscriptionSnapshot;
    const { currentPeriodEndsAt, accessUntil } = subscription;
    const now = ctx.now();
    if (subscriptionSnapshot.awayUntil !== null)
      throw new CreatorOnVacation(subscriptionSnapshot.awayUntil);
    // The creator just returned: the vacation's days are added before a pause saves any.
    if (await shiftForVacation(ctx, subscriptionSnapshot)) throw new StaleWrite();
    if (!canPause(subscription, now) || currentPeriodEndsAt === null || accessUntil === null)
      throw new NotPausable();
    const { shift, ...rest } = pauseDates({ currentPeriodEndsAt, accessUntil }, now);
    const key = `subscription:${subscription.id}:paused:${now}`;
    const undoUrl = await subscriptionLinkUrl(ctx, "resume", {
      subscriptionId: subscription.id,
      endsAt: rest.currentPeriodEndsAt,
    });
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(subscriptions)
          .set({
            status: "paused",
            ...rest,
            currentPeriodStartsAt: Math.min(subscription.currentPeriodStartsAt ?? now, now),
            updatedAt: now,
          })
          .where(
            and(
              eq(subscriptions.id, subscription.id),
              eq(subscriptions.status, "active"),
              eq(subscriptions.currentPeriodEndsAt, currentPeriodEndsAt),
            ),
          ),
      ),
      ...(await shiftStatements(ctx, subscription, shift, { endsAt: rest.currentPeriodEndsAt })),
      announce<LifecycleMessage>(ctx, key, {
        type: "subscription.paused",
        subscriptionId: subscription.id,
        fanId: subscription.fanId,
        creatorName,
        planName: plan.name,
        resumesAt: rest.resumesAt,
        nextChargeAt: rest.currentPeriodEndsAt,
        undoUrl,
      }),
    ]);
    return key;
  });
  await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: outboxId });
  await cancelOpenRenewals(ctx, reference);
}

/**
 * Resumes a paused subscription at its member's request. Refuses SubscriptionNotFound, NotPaused,
 * PageClosed, LeavingMemberCannotSubscribe.
 */
export async function resumeSubscription(
  ctx: Context,
  reference: MemberSubscriptionRef,
): Promise<void> {
  const outboxId = await retryOnConflict(async () => {
    const subscriptionSnapshot = await openSnapshot(ctx, reference);
    const { writes, key } = await resumeStatements(ctx, subscriptionSnapshot);
    await commit(ctx.db, writes);
    return key;
  });
  await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: outboxId });
}

/**
 * The statements that resume a paused subscription now and notify its fan under `key`. They match
 * nothing when it already resumed.
 */
export async function resumeStatements(
  ctx: Context,
  { subscription, vacation, creatorName, plan }: SubscriptionSnapshot,
): Promise<{ writes: BatchWrite[]; key: string }> {
  const taken = await resumedSubscription(ctx, { subscription, vacation });
  const key = `subscription:${subscription.id}:resumed:${subscription.resumesAt ?? 0}`;
  const { id: subscriptionId, fanId } = subscription;
  return {
    key,
    writes: [
      mustChangeOne(
        ctx.db
          .update(subscriptions)
          .set({ status: "active", ...taken.set })
          .where(isStillPaused(subscription)),
      ),
      ...taken.extraWrites,
      announce<LifecycleMessage>(ctx, key, {
        type: "subscription.resumed",
        subscriptionId,
        fanId,
        creatorName,
        planName: plan.name,
        nextChargeAt: taken.set.currentPeriodEndsAt,
      }),
    ],
  };
}

/**
 * Ends a pause now: the dates that move, and the paid periods that move with them. During the
 * creator's vacation, the saved days start when it is over, with access until then. Refuses
 * NotPaused.
 */
export async function resumedSubscription(
  ctx: Context,
  { subscription, vacation }: Pick<SubscriptionSnapshot, "subscription" | "vacation">,
): Promise<{
  set: {
    resumesAt: null;
    currentPeriodEndsAt: number;
    accessUntil: number;
    anchorAt: number;
    updatedAt: number;
  };
  extraWrites: BatchWrite[];
}> {
  const { status, resumesAt, currentPeriodEndsAt, accessUntil } = subscription;
  if (
    status !== "paused" ||
    resumesAt === null ||
    currentPeriodEndsAt === null ||
    accessUntil === null
  )
    throw new NotPaused();
  const now = ctx.now();
  const awayMs = vacation ? Math.max(0, vacationEndsAt(vacation) - now) : 0;
  const { shift, ...dates } = resumeDates(
    { resumesAt, currentPeriodEndsAt, accessUntil },
    now + awayMs,
  );
  const moved =
    vacation && vacation.shiftedUntil === null
      ? [
          newShiftStatement(ctx, {
            subscriptionId: subscription.id,
            vacationId: vacation.id,
            shiftedUntil: vacationEndsAt(vacation),
            movedMs: awayMs,
            beforeEndsAt: dates.currentPeriodEndsAt - awayMs,
          }),
        ]
      : [];
  return {
    set: { ...dates, resumesAt: null, updatedAt: now },
    extraWrites: [
      ...moved,
      ...(await shiftStatements(ctx, subscription, shift, { endsAt: dates.currentPeriodEndsAt })),
    ],
  };
}

/** The condition that the pause is unchanged since it was read. */
export function isStillPaused({ id, resumesAt, currentPeriodEndsAt }: Subscription) {
  return and(
    eq(subscriptions.id, id),
    eq(subscriptions.status, "paused"),
    eq(subscriptions.resumesAt, resumesAt ?? 0),
    eq(subscriptions.currentPeriodEndsAt, currentPeriodEndsAt ?? 0),
  );
}

async function openSnapshot(
  ctx: Context,
  { fanId, subscriptionId }: MemberSubscriptionRef,
): Promise<SubscriptionSnapshot> {
  const subscriptionSnapshot = await loadSubscriptionSnapshot(ctx, { subscriptionId });
  if (!subscriptionSnapshot || subscriptionSnapshot.subscription.fanId !== fanId)
    throw new SubscriptionNotFound();
  if (subscriptionSnapshot.isShut) throw new PageClosed();
  if (subscriptionSnapshot.isPayerLeaving) throw new LeavingMemberCannotSubscribe();
  return subscriptionSnapshot;
}
