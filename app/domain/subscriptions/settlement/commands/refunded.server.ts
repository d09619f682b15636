import { and, eq } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { deleteCoveredPeriodStatement } from "#app/domain/payments/charges/commands/charges.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { ensureFollowingStatement } from "#app/domain/profiles/commands.server.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import { endAfterRefund } from "#app/domain/subscriptions/endings/queries.server.ts";
import type { EndSnapshot } from "#app/domain/subscriptions/endings/queries.server.ts";
import type { Period } from "#app/domain/subscriptions/renewals/rules/periods.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import {
  endNowStatements,
  unusedRefundStatements,
} from "#app/domain/subscriptions/endings/commands/end.server.ts";
import { revertPriceStatements } from "#app/domain/subscriptions/price-changes/commands/renewal.server.ts";

/**
 * Ends a subscription after a refund. The fan keeps following, unless the page is closed to them.
 * The payouts worker asks for the refunds of its other payments.
 */
export function endedByRefundStatements(
  ctx: Context,
  charge: Charge,
  {
    subscriptionSnapshot: { subscription, isShut },
    endSnapshot,
  }: { subscriptionSnapshot: SubscriptionSnapshot; endSnapshot: EndSnapshot },
): BatchWrite[] {
  const ending = endAfterRefund(endSnapshot, {
    endsAt: subscription.currentPeriodEndsAt,
    chargeId: charge.id,
    now: ctx.now(),
  });
  if (ending.kind === "period")
    return takenBackStatements(
      ctx,
      { chargeId: charge.id },
      { subscription, consents: endSnapshot.consents },
      ending.retained,
    );
  if (ending.kind === "nothing") return [];
  return [
    ...endNowStatements(ctx, subscription),
    ...(isShut
      ? []
      : [
          ensureFollowingStatement(ctx, {
            followerId: subscription.fanId,
            creatorId: subscription.creatorId,
          }),
        ]),
    ...unusedRefundStatements(ctx, ending.unused),
  ];
}

/**
 * Undoes a prepayment that was refunded before its period started. The period may be paid again.
 * The subscription runs to the end of the rest, at that period's price.
 */
function takenBackStatements(
  ctx: Context,
  { chargeId }: { chargeId: string },
  { subscription, consents }: { subscription: Subscription; consents: EndSnapshot["consents"] },
  paidPeriod: Period,
): BatchWrite[] {
  const { id, currentPeriodEndsAt } = subscription;
  return [
    ...revertPriceStatements(ctx, { subscription, consents }, paidPeriod.endsAt),
    mustChangeOne(
      ctx.db
        .update(subscriptions)
        .set({
          currentPeriodStartsAt: paidPeriod.startsAt,
          currentPeriodEndsAt: paidPeriod.endsAt,
          accessUntil: paidPeriod.endsAt,
          updatedAt: ctx.now(),
        })
        .where(
          and(
            eq(subscriptions.id, id),
            eq(subscriptions.currentPeriodEndsAt, currentPeriodEndsAt ?? 0),
          ),
        ),
    ),
    deleteCoveredPeriodStatement(ctx, { chargeId }),
  ];
}
