import { and, eq } from "drizzle-orm";
import { RuleViolation, StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { recordShiftProgress } from "#app/domain/plans/commands/vacations.server.ts";
import { vacationProgress } from "#app/domain/plans/queries/vacations.server.ts";
import { loadSubscriptionSnapshot } from "#app/domain/subscriptions/settlement/queries.server.ts";
import { subscriptionsToShift } from "#app/domain/subscriptions/vacations/queries.server.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { cancelOpenRenewals } from "#app/domain/subscriptions/renewals/commands/cancel-renewals.server.ts";
import { cancelOpenPlanChange } from "#app/domain/subscriptions/plan-changes/commands/start.server.ts";
import { applyPendingVacation } from "./move.server.ts";

/**
 * Subscribers that one message moves: each is a few calls to the database, and one to the provider
 * for what was asked for already.
 */
const VACATION_PAGE = 50;

/**
 * Moves the next page of a creator's subscribers by their vacation, or back by what of it was not
 * taken, and asks for the page after it; past the last one it is done until the vacation ends. A
 * worker that dies anywhere leaves the page to be begun again: who was moved is not moved twice.
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
    // One that fails is not in the way of those behind it: its own calendar moves it before
    // anything is charged, and the checks name it.
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
    // Somebody else moved on, or who creates came back meanwhile: theirs is the next page.
    if (!(error instanceof StaleWrite || error instanceof RuleViolation)) throw error;
    return;
  }
  if (page.length > 0)
    await ctx.queues.renewals.send({ version: 1, type: "vacation.sweep", id: vacationId });
}

/**
 * What is to begin with them is looked at now: what it follows may be over, or a courtesy, which no
 * vacation moves.
 */
async function wakeUpcoming(ctx: Context, { creatorId }: { creatorId: string }): Promise<void> {
  await ctx.db
    .update(subscriptions)
    .set({ calendarAt: ctx.now() })
    .where(and(eq(subscriptions.creatorId, creatorId), eq(subscriptions.status, "upcoming")));
}

/**
 * What was asked for the period that moved is taken back: nobody has to pay it now, and it is asked
 * for anew after the return.
 */
async function moveSubscriber(ctx: Context, mine: { subscriptionId: string }): Promise<void> {
  await applyPendingVacation(ctx, mine);
  const facts = await loadSubscriptionSnapshot(ctx, mine);
  if (!facts) return;
  // After the return what is asked for the period of now is its renewal.
  await cancelOpenRenewals(ctx, {
    ...mine,
    besides: facts.awayUntil === null ? facts.subscription.currentPeriodEndsAt : null,
  });
  if (facts.change?.state === "open" && facts.awayUntil !== null)
    await cancelOpenPlanChange(ctx, mine).catch((error: unknown) =>
      ignoreUnclear(ctx, mine, error),
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
