import { and, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { ConditionalWrite, BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { PlanMessage } from "#app/domain/plans/schema/outbox.ts";
import { PageNotOpen } from "#app/domain/plans/errors.ts";
import {
  CouponCodeTaken,
  CouponExpiryInPast,
  CouponNotFound,
  CouponPlanNotFound,
  TooManyCoupons,
} from "#app/domain/plans/errors/coupons.ts";
import { plansOfCreator, loadPlanActivationInput } from "#app/domain/plans/queries.server.ts";
import { creatorCoupon, fullPriceNotice } from "#app/domain/plans/queries/coupons.server.ts";
import type { CouponInput } from "#app/domain/plans/schema/coupons.ts";
import type { Instant } from "#app/domain/time.ts";
import { coupons, couponUses } from "#drizzle/schema/plans.ts";

const MAXIMUM_OPEN_COUPONS = 50;

/** The coupon's creator, and the team member who acts; null when the creator acts. */
type CouponActor = { creatorId: string; actedBy?: string | null };

/**
 * Creates a coupon, valid from now on. Refuses PageNotOpen without a page, a code in use on the
 * page, and CouponExpiryInPast. Refuses plans of other creators, and a fifty-first open coupon.
 */
export async function createCoupon(
  ctx: Context,
  { creatorId, actedBy = null, ...input }: CouponInput & CouponActor,
): Promise<{ couponId: string }> {
  const now = ctx.now();
  if (input.expiresAt !== null && input.expiresAt <= now) throw new CouponExpiryInPast();
  if (!(await loadPlanActivationInput(ctx, { creatorId })).isCreator) throw new PageNotOpen();
  await refuseForeignPlans(ctx, { creatorId, planIds: input.planIds });
  const couponId = ctx.newId();
  const open = sql`(SELECT COUNT(*) FROM coupons AS others WHERE others.creator_id = ${creatorId} AND others.ended_at IS NULL)`;
  try {
    await commit(ctx.db, [
      ctx.db.insert(coupons).values({ ...input, id: couponId, creatorId, actedBy, createdAt: now }),
      mustChangeOne(
        ctx.db
          .update(coupons)
          .set({ actedBy })
          .where(
            and(eq(coupons.id, couponId), sql`${open} <= CAST(${MAXIMUM_OPEN_COUPONS} AS INTEGER)`),
          ),
      ),
    ]);
  } catch (error) {
    if (error instanceof UniqueViolation) throw new CouponCodeTaken();
    throw error instanceof StaleWrite ? new TooManyCoupons(MAXIMUM_OPEN_COUPONS) : error;
  }
  return { couponId };
}

async function refuseForeignPlans(
  ctx: Context,
  { creatorId, planIds }: { creatorId: string; planIds: string[] | null },
): Promise<void> {
  if (planIds === null) return;
  const own = await plansOfCreator(ctx, { creatorId, states: ["draft", "active"] });
  if (planIds.length === 0 || !planIds.every((id) => own.some((plan) => plan.id === id)))
    throw new CouponPlanNotFound();
}

/**
 * Ends a coupon for new subscribers; earlier users keep the discount. Does nothing if it already
 * ended. Refuses CouponNotFound, also for another creator's.
 */
export async function endCoupon(
  ctx: Context,
  { creatorId, couponId, actedBy = null }: CouponActor & { couponId: string },
): Promise<void> {
  if (!(await creatorCoupon(ctx, { couponId, creatorId }))) throw new CouponNotFound();
  await ctx.db
    .update(coupons)
    .set({ endedAt: ctx.now(), actedBy })
    .where(and(eq(coupons.id, couponId), isNull(coupons.endedAt)));
}

type CouponUse = {
  couponId: string;
  cycles: number | null;
  subscriptionId: string;
  personId: string;
  chargeId: string;
};

/**
 * The statements that claim a use for a subscription's first charge. They throw StaleWrite when the
 * coupon is not open, and UniqueViolation of `coupon_uses` when the member holds one. A trigger
 * releases the use with the charge.
 */
export function claimCouponStatements(
  ctx: Context,
  { couponId, cycles, ...use }: CouponUse,
): BatchWrite[] {
  return [
    oneMoreUse(ctx, couponId),
    ctx.db
      .insert(couponUses)
      .values({ ...use, couponId, cyclesLeft: cycles, createdAt: ctx.now() }),
  ];
}

/**
 * The statements that claim the use again for a charge paid late; StaleWrite when the coupon is no
 * longer open.
 */
export function reclaimCouponStatements(
  ctx: Context,
  { couponId, subscriptionId }: { couponId: string; subscriptionId: string },
): BatchWrite[] {
  return [
    oneMoreUse(ctx, couponId),
    mustChangeOne(
      ctx.db
        .update(couponUses)
        .set({ freedAt: null })
        .where(and(eq(couponUses.subscriptionId, subscriptionId), isNotNull(couponUses.freedAt))),
    ),
  ];
}

/**
 * The statements that release the use of a trial that ended unpaid. They match nothing when there
 * was none.
 */
export function releaseCouponStatements(
  ctx: Context,
  { subscriptionId }: { subscriptionId: string },
): BatchWrite[] {
  const held = and(eq(couponUses.subscriptionId, subscriptionId), isNull(couponUses.freedAt));
  return [
    ctx.db
      .update(coupons)
      .set({ usesCount: sql`${coupons.usesCount} - 1` })
      .where(
        eq(
          coupons.id,
          sql`(SELECT held.coupon_id FROM coupon_uses held WHERE held.subscription_id = ${subscriptionId} AND held.freed_at IS NULL)`,
        ),
      ),
    ctx.db.update(couponUses).set({ freedAt: ctx.now() }).where(held),
  ];
}

/**
 * The statement that moves the discount to the first charge after a trial. It matches nothing
 * without a coupon.
 */
export function chargedCouponStatement(
  ctx: Context,
  { subscriptionId, chargeId }: { subscriptionId: string; chargeId: string },
): BatchWrite {
  return ctx.db
    .update(couponUses)
    .set({ chargeId })
    .where(
      and(eq(couponUses.subscriptionId, subscriptionId), eq(couponUses.chargeId, subscriptionId)),
    );
}

function oneMoreUse(ctx: Context, couponId: string): ConditionalWrite {
  return mustChangeOne(
    ctx.db
      .update(coupons)
      .set({ usesCount: sql`${coupons.usesCount} + 1` })
      .where(
        and(
          eq(coupons.id, couponId),
          isNull(coupons.endedAt),
          sql`(${coupons.expiresAt} IS NULL OR ${coupons.expiresAt} > ${ctx.now()})`,
          sql`(${coupons.usesLimit} IS NULL OR ${coupons.usesCount} < ${coupons.usesLimit})`,
        ),
      ),
  );
}

type ShiftedFullPrice = {
  subscriptionId: string;
  from: Instant;
  by: number;
  /** The former end of the paid period, and the new one. */ endedAt: Instant;
  endsAt: Instant;
};

/**
 * Moves the first full price with its period, after the start or end of a pause or vacation. The
 * new day is notified again to subscribers who were notified of another. Those who already paid the
 * full price are not notified. It matches nothing when no full price is pending.
 */
export function shiftFullPriceStatement(
  ctx: Context,
  { subscriptionId, from, by, endedAt, endsAt }: ShiftedFullPrice,
): BatchWrite {
  return ctx.db
    .update(couponUses)
    .set({
      fullPriceAt: sql`CASE WHEN ${couponUses.fullPriceAt} = CAST(${endedAt} AS INTEGER) THEN CAST(${endsAt} AS INTEGER) ELSE ${couponUses.fullPriceAt} + CAST(${by} AS INTEGER) END`,
      notifiedAt: sql`CASE WHEN ${couponUses.fullPriceAt} < CAST(${endedAt} AS INTEGER) THEN ${couponUses.notifiedAt} END`,
    })
    .where(
      and(
        eq(couponUses.subscriptionId, subscriptionId),
        gt(couponUses.fullPriceAt, from),
        isNull(couponUses.freedAt),
      ),
    );
}

/**
 * Notifies a subscriber, once for its day, that the discount ends and of the full price, also
 * during a pause. A period already paid at the full price is notified before its end. Safe to run
 * twice.
 */
export async function notifyFullPrice(
  ctx: Context,
  { subscriptionId }: { subscriptionId: string },
): Promise<void> {
  const fullPrice = await fullPriceNotice(ctx, { subscriptionId });
  if (!fullPrice) return;
  const now = ctx.now();
  const { beginsAt, periodEndsAt, ...notice } = fullPrice;
  const isMoved = periodEndsAt !== null && periodEndsAt > beginsAt;
  const notNotified = and(
    eq(couponUses.subscriptionId, subscriptionId),
    eq(couponUses.fullPriceAt, beginsAt),
    isNull(couponUses.notifiedAt),
  );
  await commit(ctx.db, [
    ctx.db
      .update(couponUses)
      .set(isMoved ? { fullPriceAt: periodEndsAt } : { notifiedAt: now })
      .where(notNotified),
    ...(isMoved
      ? []
      : [
          announce<PlanMessage>(ctx, `subscription:${subscriptionId}:full_price:${beginsAt}`, {
            type: "subscription.full_price",
            subscriptionId,
            beginsAt,
            ...notice,
          }),
        ]),
  ]);
}
