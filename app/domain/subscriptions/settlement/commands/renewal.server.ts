import { and, eq, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { RenewalMessage } from "#app/domain/subscriptions/schema/outbox/renewals.ts";
import type { TrialMessage } from "#app/domain/subscriptions/schema/outbox/trials.ts";
import { coveredPeriodStatement } from "#app/domain/payments/charges/commands/charges.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { vacationUntilSql } from "#app/domain/plans/queries/vacations.server.ts";
import { chargedCouponStatement } from "#app/domain/plans/commands/coupons.server.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import { isOnTrial } from "#app/domain/subscriptions/rules.ts";
import type { Period } from "#app/domain/subscriptions/renewals/rules/periods.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { renewedWithChangeStatements } from "#app/domain/subscriptions/renewal-terms/commands/agreed-renewal.server.ts";
import type { PaidSubscriptionCharge } from "#app/domain/subscriptions/settlement/queries/purchase-snapshot.server.ts";
import { wholePeriod } from "#app/domain/subscriptions/renewals/rules/periods.ts";

/** Renews a subscription for the periods that its charge paid. */
export function renewalStatements(
  ctx: Context,
  { charge, subscriptionSnapshot, change }: PaidSubscriptionCharge,
  periods: Period[],
): BatchWrite[] {
  const { subscription } = subscriptionSnapshot;
  const period = wholePeriod(periods);
  return [
    ...(change
      ? renewedWithChangeStatements(ctx, { charge, change, subscriptionSnapshot, period })
      : []),
    mustChangeOne(
      ctx.db
        .update(subscriptions)
        .set({
          status: subscription.status === "canceled" ? "canceled" : "active",
          currentPeriodStartsAt: period.startsAt,
          currentPeriodEndsAt: period.endsAt,
          accessUntil: period.endsAt,
          ...(isOnTrial(subscription) ? { startedAt: ctx.now() } : {}),
          updatedAt: ctx.now(),
        })
        .where(
          and(
            eq(subscriptions.id, subscription.id),
            eq(subscriptions.status, subscription.status),
            eq(subscriptions.currentPeriodEndsAt, period.startsAt),
            sql`${vacationUntilSql(sql`${subscription.creatorId}`, ctx.now())} IS NULL`,
          ),
        ),
    ),
    ...(isOnTrial(subscription)
      ? [chargedCouponStatement(ctx, { subscriptionId: subscription.id, chargeId: charge.id })]
      : []),
    ...periods.map((one, position) =>
      coveredPeriodStatement(ctx, charge, {
        ...one,
        amountCents: charge.periodsCents?.[position] ?? null,
      }),
    ),
    renewedStatement(
      ctx,
      charge,
      change
        ? {
            ...subscriptionSnapshot,
            plan: { ...subscriptionSnapshot.plan, name: change.toPlanName },
          }
        : subscriptionSnapshot,
    ),
  ];
}

/** Announces a paid period, or the first one after a trial, which both sides see as a start. */
function renewedStatement(
  ctx: Context,
  charge: Charge,
  { subscription, fanName, creatorName, plan }: SubscriptionSnapshot,
): BatchWrite {
  const { id: subscriptionId, fanId, creatorId } = subscription;
  const renewal = {
    subscriptionId,
    fanId,
    creatorId,
    creatorName,
    planName: plan.name,
    amountCents: charge.amountCents,
  };
  const key = `charge:${charge.id}:renewed`;
  if (isOnTrial(subscription))
    return announce<TrialMessage>(ctx, key, {
      type: "trial.charged",
      fanName,
      appOrigin: ctx.settings.appOrigin,
      ...renewal,
    });
  return announce<RenewalMessage>(ctx, key, {
    type: "subscription.renewed",
    chargeId: charge.id,
    ...renewal,
  });
}
