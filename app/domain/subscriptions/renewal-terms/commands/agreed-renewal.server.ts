import { and, eq, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import type { PlanChangeMessage } from "#app/domain/subscriptions/schema/outbox/plan-changes.ts";
import { holdSeatStatement, releaseSeatStatement } from "#app/domain/plans/commands.server.ts";
import { priceLabel } from "#app/domain/plans/rules/intervals.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import { PlanPriceChanged, SubscriptionNotFound } from "#app/domain/subscriptions/errors.ts";
import { loadSubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import type { PlanChange } from "#app/domain/subscriptions/renewal-terms/queries/plan-changes.server.ts";
import { consentsUnchanged } from "#app/domain/subscriptions/price-changes/queries/consents.server.ts";
import { isPeriodOver } from "#app/domain/subscriptions/rules.ts";
import { periodFrom } from "#app/domain/subscriptions/renewals/rules/periods.ts";
import {
  nextPlanName,
  nextTerms,
} from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import {
  needsSeat,
  seatProblem,
} from "#app/domain/subscriptions/plan-changes/rules/plan-change-decision.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { planChanges, subscriptions } from "#drizzle/schema/subscriptions.ts";
import {
  planChangedMessage,
  planChangedStatements,
  planChangeAbandonedStatements,
  planChangeStateStatement,
} from "./change-state.server.ts";
import type { MemberSubscriptionRef } from "#app/domain/subscriptions/commands.server.ts";
import { applyAgreedPriceStatements } from "#app/domain/subscriptions/price-changes/commands/renewal.server.ts";

type RenewalPeriod = { startsAt: Instant; endsAt: Instant };

/** The plan change that comes with the next renewal, once it is charged. */
const scheduled = ({ change }: SubscriptionSnapshot): PlanChange | null =>
  change?.state === "scheduled" ? change : null;

/**
 * Abandons a scheduled change whose plan is full or no longer sold, and notifies: the subscription
 * keeps its plan. Returns whether there was one.
 */
export async function dropImpossibleChange(
  ctx: Context,
  subscriptionSnapshot: SubscriptionSnapshot,
): Promise<boolean> {
  const change = scheduled(subscriptionSnapshot);
  const problem =
    change && seatProblem({ change, subscription: subscriptionSnapshot.subscription });
  if (!change || !problem) return false;
  const key = `plan_change:${change.id}:dropped`;
  const { subscription, creatorName, plan } = subscriptionSnapshot;
  await commit(ctx.db, [
    ...planChangeAbandonedStatements(ctx, { change, reason: problem }),
    announce<PlanChangeMessage>(ctx, key, {
      type: "subscription.plan_change_dropped",
      subscriptionId: subscription.id,
      fanId: subscription.fanId,
      creatorName,
      planName: plan.name,
      toPlanName: change.toPlanName,
      isFull: problem === "no_seat",
      price: priceLabel(subscription),
    }),
  ]);
  await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: key });
  return true;
}

/**
 * Loads what decides the next payment of a member's subscription. It first abandons a scheduled
 * change that is no longer possible. The charge is then what the page shows (`nextPaymentOf`).
 * Refuses SubscriptionNotFound, also for another member's, and PlanPriceChanged when the member was
 * shown another price (centavos).
 */
export async function loadAgreedRenewal(
  ctx: Context,
  {
    fanId,
    subscriptionId,
    amountCents,
  }: MemberSubscriptionRef & { amountCents?: Cents | undefined },
): Promise<SubscriptionSnapshot> {
  const subscriptionSnapshot = await loadSubscriptionSnapshot(ctx, { subscriptionId });
  if (!subscriptionSnapshot || subscriptionSnapshot.subscription.fanId !== fanId)
    throw new SubscriptionNotFound();
  if (
    isPeriodOver(subscriptionSnapshot.subscription, ctx.now()) &&
    (await dropImpossibleChange(ctx, subscriptionSnapshot))
  )
    return await loadAgreedRenewal(ctx, { fanId, subscriptionId, amountCents });
  if (amountCents !== undefined && amountCents !== subscriptionSnapshot.nextPaymentCents)
    throw new PlanPriceChanged(subscriptionSnapshot.nextPaymentCents);
  return subscriptionSnapshot;
}

/**
 * The condition that the plan and price of the next period are unchanged. Also that no plan
 * change's difference is unpaid.
 */
export const renewalTermsUnchanged = ({
  subscription,
  change,
  consent,
}: Pick<SubscriptionSnapshot, "subscription" | "change" | "consent">) =>
  sql`${consentsUnchanged(subscription, consent)} AND (SELECT pending_change.id FROM plan_changes pending_change WHERE pending_change.subscription_id = ${subscription.id} AND pending_change.state IN ('open', 'scheduled', 'paid')) IS ${change && change.state !== "open" ? change.id : null}`;

/**
 * The terms of the charge of the next period, on the plan that the subscription has then. `also`
 * holds a seat of that plan while the charge is open, and applies the agreed price.
 */
export function buildRenewalCharge(
  ctx: Context,
  subscriptionSnapshot: SubscriptionSnapshot,
  period: RenewalPeriod,
): {
  planName: string;
  interval: Interval;
  method: Subscription["method"];
  savedMethodId: string | null;
  period: RenewalPeriod;
  planChangeId: string | null;
  extraWrites: BatchWrite[];
} {
  const { subscription } = subscriptionSnapshot;
  const change = scheduled(subscriptionSnapshot);
  const planName = nextPlanName(subscriptionSnapshot);
  const { method, interval } = nextTerms(
    subscription,
    subscriptionSnapshot.change,
    subscriptionSnapshot.agreed,
  );
  const savedMethodId = method === subscription.method ? subscription.savedMethodId : null;
  if (!change)
    return {
      planName,
      interval,
      method,
      savedMethodId,
      period,
      planChangeId: null,
      extraWrites: applyAgreedPriceStatements(ctx, subscriptionSnapshot),
    };
  const isNewInterval = change.toInterval !== subscription.interval;
  return {
    planName,
    interval,
    method,
    savedMethodId,
    period: isNewInterval
      ? periodFrom(period.startsAt, change.toInterval, period.startsAt)
      : period,
    planChangeId: change.id,
    extraWrites: needsSeat({ change, subscription })
      ? [
          planChangeStateStatement(ctx, { change, to: "scheduled", holdsSeat: true }),
          holdSeatStatement(ctx, { planId: change.toPlanId }),
        ]
      : [],
  };
}

/**
 * The statements that release the seat held for a renewal on another plan that nobody paid. The
 * change waits for the next renewal.
 */
export function renewalSeatStatements(ctx: Context, change: PlanChange): BatchWrite[] {
  if (!change.holdsSeat || change.state !== "scheduled") return [];
  return [
    planChangeStateStatement(ctx, { change, to: "scheduled", holdsSeat: false }),
    releaseSeatStatement(ctx, { planId: change.toPlanId }),
  ];
}

/**
 * The statements of a period paid on the plan of `change`, to run before those that renew. The plan
 * changes at the period's start, now or by `startPrepaidPlan`. The payment is for the code's terms,
 * whatever changed since.
 */
export function renewedWithChangeStatements(
  ctx: Context,
  {
    charge,
    change,
    subscriptionSnapshot,
    period,
  }: {
    charge: Charge;
    change: PlanChange;
    subscriptionSnapshot: SubscriptionSnapshot;
    period: RenewalPeriod;
  },
): BatchWrite[] {
  const { subscription } = subscriptionSnapshot;
  const other =
    subscriptionSnapshot.change && subscriptionSnapshot.change.id !== change.id
      ? planChangeAbandonedStatements(ctx, {
          change: subscriptionSnapshot.change,
          reason: "replaced",
        })
      : [];
  const anchored =
    change.toInterval === subscription.interval
      ? []
      : [
          ctx.db
            .update(subscriptions)
            .set({ anchorAt: period.startsAt })
            .where(eq(subscriptions.id, subscription.id)),
        ];
  if (period.startsAt > ctx.now()) {
    const takesSeat = needsSeat({ change, subscription });
    const holdsSeat = change.toPlanId !== subscription.planId;
    return [
      ...other,
      ...(takesSeat ? [holdSeatStatement(ctx, { planId: change.toPlanId })] : []),
      mustChangeOne(
        ctx.db
          .update(planChanges)
          .set({ state: "paid", holdsSeat, reason: null, settledAt: null })
          .where(
            and(
              eq(planChanges.id, change.id),
              eq(planChanges.state, change.state),
              eq(planChanges.holdsSeat, change.holdsSeat),
            ),
          ),
      ),
      ...anchored,
    ];
  }
  return [
    ...other,
    ...planChangedStatements(ctx, { change, subscription, to: "done", period: null }),
    ...anchored,
    planChangedMessage(ctx, { change, subscriptionSnapshot, chargeId: charge.id, paidCents: 0 }),
  ];
}
