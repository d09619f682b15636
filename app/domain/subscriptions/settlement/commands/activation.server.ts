import { and, eq, isNull, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { mustChangeOne } from "#app/db/client.server.ts";
import { isBlockedBetween } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { LifecycleMessage } from "#app/domain/subscriptions/schema/outbox/lifecycle.ts";
import { coveredPeriodStatement } from "#app/domain/payments/charges/commands/charges.server.ts";
import { holdSeatStatement } from "#app/domain/plans/commands.server.ts";
import {
  chargedCouponStatement,
  reclaimCouponStatements,
} from "#app/domain/plans/commands/coupons.server.ts";
import type { Period } from "#app/domain/subscriptions/renewals/rules/periods.ts";
import type { Instant } from "#app/domain/time.ts";
import { subscriptionCancellations, subscriptions } from "#drizzle/schema/subscriptions.ts";
import type { PaidSubscriptionCharge } from "#app/domain/subscriptions/settlement/queries/purchase-snapshot.server.ts";
import { wholePeriod } from "#app/domain/subscriptions/renewals/rules/periods.ts";

/** The key of the announcement that a subscription started. */
export const startedKey = (chargeId: string): string => `charge:${chargeId}:started`;

/** Starts a subscription, or starts it again, when its charge is paid. */
export function activationStatements(
  ctx: Context,
  paid: PaidSubscriptionCharge,
  decision: { needsSeat: boolean; retakesCoupon: boolean; periods: Period[]; beginsAt?: Instant },
): BatchWrite[] {
  const { charge, providerCharge, subscriptionSnapshot } = paid;
  const { subscription, plan } = subscriptionSnapshot;
  const { startsAt, endsAt } = wholePeriod(decision.periods);
  const isUpcoming = decision.beginsAt !== undefined;
  return [
    ...(decision.needsSeat ? [holdSeatStatement(ctx, { planId: plan.id })] : []),
    ...(decision.retakesCoupon && subscriptionSnapshot.coupon
      ? reclaimCouponStatements(ctx, {
          couponId: subscriptionSnapshot.coupon.id,
          subscriptionId: subscription.id,
        })
      : []),
    mustChangeOne(
      ctx.db
        .update(subscriptions)
        .set({
          status: isUpcoming ? "upcoming" : "active",
          startedAt: startsAt,
          currentPeriodStartsAt: startsAt,
          currentPeriodEndsAt: endsAt,
          accessUntil: isUpcoming ? null : endsAt,
          canceledAt: null,
          anchorAt: null,
          pausedAt: null,
          resumesAt: null,
          holdsSeat: true,
          savedMethodId: providerCharge?.savedMethodId
            ? unlessRemoved(providerCharge.savedMethodId)
            : subscription.savedMethodId,
          updatedAt: ctx.now(),
        })
        .where(
          and(
            eq(subscriptions.id, subscription.id),
            eq(subscriptions.status, subscription.status),
            eq(subscriptions.holdsSeat, subscription.holdsSeat),
            sql`NOT ${isBlockedBetween(subscription.fanId, sql`${subscription.creatorId}`)}`,
          ),
        ),
    ),
    restartedStatement(ctx, { subscriptionId: subscription.id }),
    chargedCouponStatement(ctx, { subscriptionId: subscription.id, chargeId: charge.id }),
    ...decision.periods.map((period, position) =>
      coveredPeriodStatement(ctx, charge, {
        ...period,
        amountCents: charge.periodsCents?.[position] ?? null,
      }),
    ),
    startedStatement(ctx, paid, isUpcoming ? startsAt : null),
  ];
}

/** A card removed during its bank's confirmation pays for this charge only. */
const unlessRemoved = (methodId: string) =>
  sql`CASE WHEN EXISTS (SELECT 1 FROM saved_methods gone WHERE gone.id = ${methodId} AND gone.removed_at IS NOT NULL) THEN NULL ELSE ${methodId} END`;

/** A subscription that restarts is no longer canceled. */
function restartedStatement(
  ctx: Context,
  { subscriptionId }: { subscriptionId: string },
): BatchWrite {
  return ctx.db
    .update(subscriptionCancellations)
    .set({ undoneAt: ctx.now() })
    .where(
      and(
        eq(subscriptionCancellations.subscriptionId, subscriptionId),
        isNull(subscriptionCancellations.undoneAt),
      ),
    );
}

/** Announces the start; `beginsAt` is null if it is now. */
function startedStatement(
  ctx: Context,
  { charge, subscriptionSnapshot }: PaidSubscriptionCharge,
  beginsAt: Instant | null,
): BatchWrite {
  const { subscription, plan } = subscriptionSnapshot;
  return announce<LifecycleMessage>(ctx, startedKey(charge.id), {
    type: "subscription.started",
    subscriptionId: subscription.id,
    chargeId: charge.id,
    fanId: subscription.fanId,
    creatorId: subscription.creatorId,
    fanName: subscriptionSnapshot.fanName,
    creatorName: subscriptionSnapshot.creatorName,
    creatorUsername: subscriptionSnapshot.creatorUsername,
    planName: plan.name,
    amountCents: charge.amountCents,
    welcomeMessage: plan.welcomeMessage,
    ...(beginsAt === null ? {} : { beginsAt }),
  });
}
