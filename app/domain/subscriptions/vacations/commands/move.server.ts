import { and, eq, isNull, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import type { VacationMessage } from "#app/domain/subscriptions/schema/outbox/vacations.ts";
import { loadSubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import { shiftByVacation, shiftedDays } from "#app/domain/subscriptions/vacations/rules.ts";
import type {
  VacationMove,
  UnfinishedVacation,
} from "#app/domain/subscriptions/vacations/rules.ts";
import { subscriptions, vacationShifts } from "#drizzle/schema/subscriptions.ts";
import { newShiftStatement, shiftStatements } from "./shift.server.ts";

/**
 * Moves a subscription by the creator's vacation, or back by the days not taken. One batch also
 * moves its paid periods and pending releases, and notifies its fan. Does nothing if it is already
 * in place. Throws StaleWrite if another run moved it first, so that it moves once. Returns whether
 * it moved.
 */
export async function shiftForVacation(
  ctx: Context,
  subscriptionSnapshot: SubscriptionSnapshot,
): Promise<boolean> {
  const { subscription, vacation } = subscriptionSnapshot;
  const moved = vacation && shiftByVacation(subscription, vacation, ctx.now());
  if (!vacation || !moved) return false;
  const { id, status, currentPeriodEndsAt, accessUntil } = subscription;
  const key = `vacation:${vacation.id}:${id}:${vacation.shiftedUntil === null ? "moved" : "back"}`;
  await commit(ctx.db, [
    mustChangeOne(
      ctx.db
        .update(subscriptions)
        .set({ ...moved.set, updatedAt: ctx.now() })
        .where(
          and(
            eq(subscriptions.id, id),
            eq(subscriptions.status, status),
            eq(subscriptions.currentPeriodEndsAt, currentPeriodEndsAt ?? 0),
            eq(subscriptions.accessUntil, accessUntil ?? 0),
          ),
        ),
    ),
    notedStatement(ctx, { subscriptionSnapshot, vacation, moved }),
    ...(await shiftStatements(ctx, subscription, moved.shift, {
      endsAt: moved.set.currentPeriodEndsAt,
    })),
    noticeStatement(ctx, key, { subscriptionSnapshot, vacation, moved }),
    // The calendar moves an upcoming subscription after it at once.
    ctx.db
      .update(subscriptions)
      .set({ calendarAt: ctx.now() })
      .where(
        and(
          eq(subscriptions.fanId, subscription.fanId),
          eq(subscriptions.creatorId, subscription.creatorId),
          sql`status = 'upcoming'`,
        ),
      ),
  ]);
  await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: key });
  return true;
}

/**
 * Applies what a vacation still has to move of a subscription, before its dates are agreed on. The
 * creator may have returned a moment ago, before the sweep reached it. Does nothing when there is
 * nothing to move.
 */
export async function applyPendingVacation(
  ctx: Context,
  { subscriptionId }: { subscriptionId: string },
): Promise<void> {
  await retryOnConflict(async () => {
    const subscriptionSnapshot = await loadSubscriptionSnapshot(ctx, { subscriptionId });
    if (subscriptionSnapshot) await shiftForVacation(ctx, subscriptionSnapshot);
  });
}

type VacationShiftInput = {
  subscriptionSnapshot: SubscriptionSnapshot;
  vacation: UnfinishedVacation;
  moved: VacationMove;
};

function notedStatement(
  ctx: Context,
  { subscriptionSnapshot: { subscription, vacationMs }, vacation, moved }: VacationShiftInput,
): BatchWrite {
  const of = { subscriptionId: subscription.id, vacationId: vacation.id };
  if (vacation.shiftedUntil === null)
    return newShiftStatement(ctx, {
      ...of,
      shiftedUntil: moved.until,
      movedMs: moved.movedMs,
      beforeEndsAt: subscription.currentPeriodEndsAt ?? 0,
    });
  return mustChangeOne(
    ctx.db
      .update(vacationShifts)
      .set({
        shiftedUntil: moved.until,
        movedMs: vacationMs + moved.movedMs,
        movedBackAt: ctx.now(),
      })
      .where(
        and(
          eq(vacationShifts.subscriptionId, of.subscriptionId),
          eq(vacationShifts.vacationId, of.vacationId),
          eq(vacationShifts.shiftedUntil, vacation.shiftedUntil),
          isNull(vacationShifts.movedBackAt),
        ),
      ),
  );
}

function noticeStatement(
  ctx: Context,
  key: string,
  { subscriptionSnapshot, vacation, moved }: VacationShiftInput,
): BatchWrite {
  const { subscription, creatorName, plan, vacationMs } = subscriptionSnapshot;
  const about = {
    subscriptionId: subscription.id,
    fanId: subscription.fanId,
    creatorName,
    planName: plan.name,
    days: shiftedDays(vacationMs + moved.movedMs),
    accessUntil: moved.set.accessUntil,
    /** Null when it does not renew. */
    nextChargeAt: subscription.status === "canceled" ? null : moved.set.currentPeriodEndsAt,
  };
  return vacation.returnedAt === null
    ? announce<VacationMessage>(ctx, key, {
        type: "vacation.began",
        until: vacation.endsAt,
        ...about,
      })
    : announce<VacationMessage>(ctx, key, { type: "vacation.cut_short", ...about });
}
