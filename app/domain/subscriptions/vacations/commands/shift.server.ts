import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import {
  coveredPeriodStatement,
  moveCoveredPeriodStatement,
} from "#app/domain/payments/charges/commands/charges.server.ts";
import { shiftReleasesStatement } from "#app/domain/payments/releases/commands/releases.server.ts";
import { shiftFullPriceStatement } from "#app/domain/plans/commands/coupons.server.ts";
import { coveredAfter } from "#app/domain/subscriptions/renewals/queries/renewals.server.ts";
import { shiftPeriods } from "#app/domain/subscriptions/pauses/rules.ts";
import type { PeriodShift } from "#app/domain/subscriptions/pauses/rules.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { vacationShifts } from "#drizzle/schema/subscriptions.ts";

type NewShift = {
  subscriptionId: string;
  vacationId: string;
  shiftedUntil: number;
  movedMs: number;
  beforeEndsAt: number;
};

/**
 * The statement that records a vacation's shift of a subscription; throws UniqueViolation when it
 * is already recorded.
 */
export const newShiftStatement = (ctx: Context, shift: NewShift): BatchWrite =>
  ctx.db.insert(vacationShifts).values({ ...shift, createdAt: ctx.now() });

/**
 * The statements that move everything after a moment, later or earlier: paid periods, pending
 * releases and the end of a discount. `endsAt` is the new end of the current period.
 */
export async function shiftStatements(
  ctx: Context,
  { id: subscriptionId, currentPeriodEndsAt }: Subscription,
  shift: PeriodShift,
  { endsAt }: { endsAt: Instant },
): Promise<BatchWrite[]> {
  const { changed, added } = shiftPeriods(
    await coveredAfter(ctx, { subscriptionId, at: shift.from }),
    shift,
  );
  // The farthest first, so that no two slices start at one moment on the way.
  const inOrder = changed.toSorted((a, b) =>
    shift.by > 0 ? b.startsAt - a.startsAt : a.startsAt - b.startsAt,
  );
  return [
    ...inOrder.map(({ id, ...period }) =>
      moveCoveredPeriodStatement(ctx, { periodId: id, period }),
    ),
    ...added.map(({ chargeId, ...period }) =>
      coveredPeriodStatement(ctx, { id: chargeId, purchaseId: subscriptionId }, period),
    ),
    shiftReleasesStatement(ctx, { subscriptionId, ...shift }),
    shiftFullPriceStatement(ctx, {
      subscriptionId,
      ...shift,
      endedAt: currentPeriodEndsAt ?? 0,
      endsAt,
    }),
  ];
}
