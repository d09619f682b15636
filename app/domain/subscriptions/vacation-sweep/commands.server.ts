import { and, eq } from "drizzle-orm";
import { RuleViolation, StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { recordShiftProgress } from "#app/domain/plans/commands/vacations.server.ts";
import { vacationProgress } from "#app/domain/plans/queries/vacations.server.ts";
import { loadSubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import { subscriptionsToShift } from "#app/domain/subscriptions/vacations/queries.server.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { cancelOpenRenewals } from "#app/domain/subscriptions/open-renewals/commands.server.ts";
import { cancelOpenPlanChange } from "#app/domain/subscriptions/plan-changes/commands/start.server.ts";
import { applyPendingVacation } from "#app/domain/subscriptions/vacations/commands/move.server.ts";

/**
 * Subscribers moved by one message. Each takes a few database calls, and one provider call for open
 * charges.
 */
const VACATION_PAGE = 50;

/**
 * Moves the next page of a creator's subscribers by their vacation, or back by the days not taken.
 * It then queues the page after it. After the last page it is done until the vacation ends. If a
 * worker dies, the page starts again: nobody is moved twice.
 */
export async function shiftSubscribersForVacation(
  ctx: Context,
  { vacationId }: { vacationId: string },
): Promise<void> {
  const sweep = await vacationProgress(ctx, { vacationId });
  if (!sweep || sweep.overAt !== null) return;
  const page = await subscriptionsToShift(ctx, {
    creatorId: sweep.creatorId,
    afterFanId: sweep.sweptTo,
    limit: VACATION_PAGE,
  });
  for (const { subscriptionId } of page) {
    // A failure does not block the others: the subscription's own calendar moves it before anything
    // is charged, and the checks report it.
    await moveSubscriber(ctx, { subscriptionId }).catch((error: unknown) =>
      ctx.log("subscriptions.vacation_move_failed", {
        subscriptionId,
        error: error instanceof Error ? error.name : "unknown",
      }),
    );
  }
  if (page.length === 0) await wakeUpcoming(ctx, sweep);
  try {
    await recordShiftProgress(ctx, sweep, { to: page.at(-1)?.fanId ?? null });
  } catch (error) {
    // Another run continued, or the creator returned meanwhile: that run takes the next page.
    if (!(error instanceof StaleWrite || error instanceof RuleViolation)) throw error;
    return;
  }
  if (page.length > 0)
    await ctx.queues.renewals.send({ version: 1, type: "vacation.sweep", id: vacationId });
}

/**
 * Upcoming subscriptions are checked now: the one before may be over, or be a comp, which no
 * vacation moves.
 */
async function wakeUpcoming(ctx: Context, { creatorId }: { creatorId: string }): Promise<void> {
  await ctx.db
    .update(subscriptions)
    .set({ calendarAt: ctx.now() })
    .where(and(eq(subscriptions.creatorId, creatorId), eq(subscriptions.status, "upcoming")));
}

/**
 * Cancels the open charges of a moved period: nobody has to pay them now, and they are made again
 * after the return.
 */
async function moveSubscriber(ctx: Context, reference: { subscriptionId: string }): Promise<void> {
  await applyPendingVacation(ctx, reference);
  const subscriptionSnapshot = await loadSubscriptionSnapshot(ctx, reference);
  if (!subscriptionSnapshot) return;
  // After the return, an open charge of the current period is its renewal.
  await cancelOpenRenewals(ctx, {
    ...reference,
    exceptStart:
      subscriptionSnapshot.awayUntil === null
        ? subscriptionSnapshot.subscription.currentPeriodEndsAt
        : null,
  });
  if (subscriptionSnapshot.change?.state === "open" && subscriptionSnapshot.awayUntil !== null)
    await cancelOpenPlanChange(ctx, reference).catch((error: unknown) =>
      ignoreUnclear(ctx, reference, error),
    );
}

function ignoreUnclear(
  ctx: Context,
  { subscriptionId }: { subscriptionId: string },
  error: unknown,
): null {
  if (
    !(
      error instanceof ProviderUnclear ||
      error instanceof StaleWrite ||
      error instanceof UniqueViolation
    )
  )
    throw error;
  ctx.log("subscriptions.plan_change_unclear", { subscriptionId });
  return null;
}
