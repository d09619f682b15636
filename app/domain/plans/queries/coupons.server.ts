import { and, desc, eq, gte, isNotNull, isNull, lte, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { couponProblem } from "#app/domain/plans/rules/coupons.ts";
import type { CouponProblem } from "#app/domain/plans/rules/coupons.ts";
import type { Coupon } from "#app/domain/plans/schema/coupons.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { coupons, couponUses, plans } from "#drizzle/schema/plans.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { agreedCents } from "./agreed-price.server.ts";

/** More coupons than anyone may have open; limits what one page reads. */
const MOST_COUPONS = 200;

const couponColumns = {
  id: coupons.id,
  code: coupons.code,
  percent: coupons.percent,
  amountCents: coupons.amountCents,
  cycles: coupons.cycles,
  planIds: coupons.planIds,
  usesLimit: coupons.usesLimit,
  usesCount: coupons.usesCount,
  expiresAt: coupons.expiresAt,
  endedAt: coupons.endedAt,
  createdAt: coupons.createdAt,
};

/** The coupons of a page: all the open ones, then the ended ones, newest first. */
export async function creatorCoupons(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<Coupon[]> {
  return await ctx.db
    .select(couponColumns)
    .from(coupons)
    .where(eq(coupons.creatorId, creatorId))
    .orderBy(sql`${coupons.endedAt} IS NOT NULL`, desc(coupons.createdAt), desc(coupons.id))
    .limit(MOST_COUPONS);
}

/** A creator's own coupon, or null. */
export async function creatorCoupon(
  ctx: Context,
  { couponId, creatorId }: { couponId: string; creatorId: string },
): Promise<Coupon | null> {
  const [coupon] = await ctx.db
    .select(couponColumns)
    .from(coupons)
    .where(and(eq(coupons.id, couponId), eq(coupons.creatorId, creatorId)))
    .limit(1);
  return coupon ?? null;
}

export type CouponLookup =
  | { coupon: Coupon; problem: null }
  | { coupon: Coupon | null; problem: CouponProblem };

export type CouponRequest = {
  memberId: string;
  creatorId: string;
  planId: string;
  priceCents: Cents;
  code: string;
};

/**
 * The coupon of a code for one price, plan and member, or why it does not apply. If a code was
 * ended and created again, the new coupon counts. An open unpaid charge does not count as a use: it
 * is canceled or joined before another is made.
 */
export async function findCoupon(
  ctx: Context,
  { memberId, creatorId, planId, priceCents, code }: CouponRequest,
): Promise<CouponLookup> {
  const [found] = await ctx.db
    .select({
      ...couponColumns,
      wasUsed:
        sql<number>`EXISTS (SELECT 1 FROM coupon_uses used JOIN charges paid ON paid.id = used.charge_id WHERE used.coupon_id = coupons.id AND used.person_id = ${memberId} AND used.freed_at IS NULL AND paid.succeeded_at IS NOT NULL)`.as(
          "was_used",
        ),
    })
    .from(coupons)
    .where(and(eq(coupons.creatorId, creatorId), eq(coupons.code, code)))
    .orderBy(sql`${coupons.endedAt} IS NOT NULL`, desc(coupons.createdAt))
    .limit(1);
  if (!found) return { coupon: null, problem: "unknown" };
  const { wasUsed, ...coupon } = found;
  const problem = couponProblem(coupon, {
    planId,
    priceCents,
    wasUsed: wasUsed === 1,
    now: ctx.now(),
  });
  return problem === null ? { coupon, problem } : { coupon, problem };
}

export type FullPriceNotice = {
  fanId: string;
  code: string;
  beginsAt: Instant;
  periodEndsAt: Instant | null;
  amountCents: Cents;
  planName: string;
  creatorName: string;
};

const isRenewing = sql`EXISTS (SELECT 1 FROM subscriptions renewing WHERE renewing.id = ${couponUses.subscriptionId} AND renewing.status NOT IN ('incomplete', 'canceled', 'expired'))`;
const isNotNotified = and(isNull(couponUses.notifiedAt), isNull(couponUses.freedAt));

/**
 * Renewing subscriptions whose full price starts between the two instants with no notification
 * sent, soonest first.
 */
export async function dueFullPriceNotices(
  ctx: Context,
  { from, until, limit }: { from: Instant; until: Instant; limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: couponUses.subscriptionId })
    .from(couponUses)
    .where(
      and(
        gte(couponUses.fullPriceAt, from),
        lte(couponUses.fullPriceAt, until),
        isNotNotified,
        isRenewing,
        isRetryDue(ctx, couponUses.subscriptionId, "full_price"),
      ),
    )
    .orderBy(couponUses.fullPriceAt)
    .limit(limit);
  return rows.map((row) => row.id);
}

/** What to notify about one of them; null when nothing is left to notify. */
export async function fullPriceNotice(
  ctx: Context,
  { subscriptionId }: { subscriptionId: string },
): Promise<FullPriceNotice | null> {
  const [row] = await ctx.db
    .select({
      fanId: subscriptions.fanId,
      code: coupons.code,
      beginsAt: sql<Instant>`${couponUses.fullPriceAt}`.as("begins_at"),
      periodEndsAt: subscriptions.currentPeriodEndsAt,
      amountCents: agreedCents,
      planName: sql<string>`${plans.name}`.as("plan_name"),
      creatorName: sql<string>`${profiles.name}`.as("creator_name"),
    })
    .from(couponUses)
    .innerJoin(coupons, eq(coupons.id, couponUses.couponId))
    .innerJoin(subscriptions, eq(subscriptions.id, couponUses.subscriptionId))
    .innerJoin(plans, eq(plans.id, subscriptions.planId))
    .innerJoin(profiles, eq(profiles.personId, subscriptions.creatorId))
    .where(
      and(
        eq(couponUses.subscriptionId, subscriptionId),
        isNotNull(couponUses.fullPriceAt),
        isNotNotified,
        isRenewing,
      ),
    )
    .limit(1);
  return row ?? null;
}
