import { and, asc, eq, isNotNull, lte, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";

/** An active comp, with both sides' names. */
export type Comp = Subscription & {
  compEndsAt: Instant;
  planName: string;
  creatorName: string;
  creatorUsername: string;
  fanName: string;
};

/** The active comp with this id; null when it is over or is a paid subscription. */
export async function activeComp(
  ctx: Context,
  { subscriptionId }: { subscriptionId: string },
): Promise<Comp | null> {
  const [row] = await ctx.db
    .select({
      subscription: subscriptions,
      planName: sql<string>`${plans.name}`.as("plan_name"),
      creatorName: sql<string>`${profiles.name}`.as("creator_name"),
      creatorUsername: profiles.username,
      fanName:
        sql<string>`(SELECT fan.name FROM profiles fan WHERE fan.person_id = ${subscriptions.fanId})`.as(
          "fan_name",
        ),
    })
    .from(subscriptions)
    .innerJoin(plans, eq(plans.id, subscriptions.planId))
    .innerJoin(profiles, eq(profiles.personId, subscriptions.creatorId))
    .where(
      and(
        eq(subscriptions.id, subscriptionId),
        isNotNull(subscriptions.compEndsAt),
        eq(subscriptions.status, "active"),
      ),
    )
    .limit(1);
  const compEndsAt = row?.subscription.compEndsAt ?? null;
  if (!row || compEndsAt === null) return null;
  const { subscription, ...names } = row;
  return { ...subscription, status: "active", compEndsAt, ...names };
}

/** Comps whose time is over, oldest first. */
export async function expiredComps(
  ctx: Context,
  { now, limit }: { now: Instant; limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(
      and(
        sql`comp_ends_at IS NOT NULL AND status = 'active'`,
        lte(subscriptions.compEndsAt, now),
        isRetryDue(ctx, subscriptions.id),
      ),
    )
    .orderBy(asc(subscriptions.compEndsAt))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Counts the active comps of a page. */
export async function activeCompsCount(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<number> {
  return ctx.db.$count(
    subscriptions,
    and(
      eq(subscriptions.creatorId, creatorId),
      sql`comp_ends_at IS NOT NULL AND status = 'active'`,
    ),
  );
}
