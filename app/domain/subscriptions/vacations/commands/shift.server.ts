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
 * The statement that notes by how much a vacation moved a subscription; a UniqueViolation when it
 * did already.
 */
export const newShiftStatement = (ctx: Context, shift: NewShift): BatchWrite =>
  ctx.db.insert(vacationShifts).values({ ...shift, createdAt: ctx.now() });

/**
 * The statements by which everything after a moment that is paid for, what waits for it to be
 * released, and the end of a discount happen later, or earlier. `endsAt` is where the period of now
 * ends from now on.
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
  // The farthest first, so that no two begin at one moment on the way.
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
