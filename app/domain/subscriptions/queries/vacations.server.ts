import { and, asc, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { SubscriptionStatus } from "#app/domain/subscriptions/schema.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";

const MOVED: SubscriptionStatus[] = ["trialing", "active", "requires_action", "past_due", "canceled"];
const isMoved = and(inArray(subscriptions.status, MOVED), isNull(subscriptions.compEndsAt));

/** The subscriptions that a vacation of their creator moves, in the order of their fans, of whom each has one: at most `limit`, after `afterFanId`. */
export async function subscribersToMove(ctx: Context, { creatorId, afterFanId, limit }: { creatorId: string; afterFanId: string; limit: number }): Promise<{ subscriptionId: string; fanId: string }[]> {
  return await ctx.db
    .select({ subscriptionId: subscriptions.id, fanId: subscriptions.fanId })
    .from(subscriptions)
    .where(and(eq(subscriptions.creatorId, creatorId), gt(subscriptions.fanId, afterFanId), isMoved))
    .orderBy(asc(subscriptions.fanId))
    .limit(limit);
}

/** How many subscribers a vacation would move now, and how many of them renew. */
export async function restingCounts(ctx: Context, { creatorId }: { creatorId: string }): Promise<{ moved: number; renewing: number }> {
  const [row] = await ctx.db
    .select({ moved: sql<number>`COUNT(*)`.as("moved"), renewing: sql<number>`COALESCE(SUM(${subscriptions.status} <> 'canceled'), 0)`.as("renewing") })
    .from(subscriptions)
    .where(and(eq(subscriptions.creatorId, creatorId), isMoved));
  return row ?? { moved: 0, renewing: 0 };
}
