import { and, eq, sql } from "drizzle-orm";
import type { Write } from "#app/db/client.server.ts";
import { exactlyOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { releaseSeatStatement } from "#app/domain/plans/commands.server.ts";
import { freedCouponStatements } from "#app/domain/plans/commands/coupons.server.ts";
import { isOnTrial } from "#app/domain/subscriptions/rules/trial.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";

/** The statements that end a live subscription at once, its seat free again. A period that was paid meanwhile is read first: it has to go back too. */
export function endedNowStatements(ctx: Context, subscription: Subscription): Write[] {
  const now = ctx.now();
  return [
    exactlyOne(
      ctx.db
        .update(subscriptions)
        .set({ status: "expired", accessUntil: now, holdsSeat: false, updatedAt: now })
        .where(and(eq(subscriptions.id, subscription.id), eq(subscriptions.status, subscription.status), eq(subscriptions.holdsSeat, subscription.holdsSeat), sql`${subscriptions.currentPeriodEndsAt} IS ${subscription.currentPeriodEndsAt}`)),
    ),
    ...(subscription.holdsSeat ? [releaseSeatStatement(ctx, { planId: subscription.planId })] : []),
    ...(isOnTrial(subscription) ? freedCouponStatements(ctx, { subscriptionId: subscription.id }) : []),
  ];
}
