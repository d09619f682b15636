import { and, eq, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { PlanChangeMessage } from "#app/domain/subscriptions/schema/outbox/plan-changes.ts";
import {
  coveredPeriodStatement,
  moveCoveredPeriodStatement,
  deleteCoveredPeriodStatement,
} from "#app/domain/payments/charges/commands/charges.server.ts";
import { requestRefundStatement } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { COOLING_OFF_REFUND_REASON } from "#app/domain/payments/refunds/rules/cooling-off.ts";
import { holdSeatStatement, releaseSeatStatement } from "#app/domain/plans/commands.server.ts";
import { priceLabel } from "#app/domain/plans/rules/intervals.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import { endSnapshotUnchangedStatement } from "#app/domain/subscriptions/endings/queries.server.ts";
import type { EndSnapshot } from "#app/domain/subscriptions/endings/queries.server.ts";
import { changeHistoryUnchangedStatement } from "#app/domain/subscriptions/plan-changes/queries/change-history.server.ts";
import { planChangeReversal } from "#app/domain/subscriptions/plan-changes/queries/change-reversal.server.ts";
import type { PlanChangeReversal } from "#app/domain/subscriptions/plan-changes/queries/change-reversal.server.ts";
import type {
  ChangeHistory,
  PaidChange,
} from "#app/domain/subscriptions/plan-changes/queries/change-history.server.ts";
import { shiftPeriods } from "#app/domain/subscriptions/pauses/rules.ts";
import type { PeriodSlice, PeriodShift } from "#app/domain/subscriptions/pauses/rules.ts";
import type { AppliedPlanChange } from "#app/domain/subscriptions/plan-changes/rules/plan-change-reversal.ts";
import { subscriptionClosingRefundReasons } from "#app/domain/subscriptions/schema.ts";
import { planChanges, subscriptions } from "#drizzle/schema/subscriptions.ts";
import { endNowStatements } from "#app/domain/subscriptions/endings/commands/end.server.ts";

type ReversalWrites = { writes: BatchWrite[]; refundIds: string[] };
/**
 * What decides the reversal of a plan change: its subscription, the charges that pay for it, and
 * the changes themselves.
 */
export type ReversalSnapshot = {
  subscriptionSnapshot: SubscriptionSnapshot;
  endSnapshot: EndSnapshot;
  changeHistory: ChangeHistory;
};

/**
 * The statements that undo a plan change whose difference is refunded. The subscription returns to
 * its former plan and period (`planReversal`). The differences of later changes are refunded too.
 * `givenBack` is the charge whose refund is already decided. Empty when the change is not done or
 * was already undone. Throws StaleWrite if the snapshot changed since it was read.
 */
export function planChangeReversalStatements(
  ctx: Context,
  { subscriptionSnapshot, endSnapshot, changeHistory }: ReversalSnapshot,
  { planChangeId, givenBack }: { planChangeId: string; givenBack: string | null },
): ReversalWrites {
  const { subscription } = subscriptionSnapshot;
  const given = planChangeReversal(
    { subscription, endSnapshot, changeHistory, now: ctx.now() },
    { planChangeId, givenBack },
  );
  if (!given) return { writes: [], refundIds: [] };
  const { way, oldest, undone } = given;
  const refunds = refunding(ctx, given.differences, COOLING_OFF_REFUND_REASON);
  const marked = [
    endSnapshotUnchangedStatement(ctx, endSnapshot, {
      subscriptionId: subscription.id,
      chargeId: givenBack ?? "",
    }),
    changeHistoryUnchangedStatement(ctx, changeHistory, { subscriptionId: subscription.id }),
    ...undone.map((change) =>
      mustChangeOne(
        ctx.db
          .update(planChanges)
          .set({ state: "reversed" })
          .where(and(eq(planChanges.id, change.id), eq(planChanges.state, "done"))),
      ),
    ),
    ...refunds.writes,
  ];
  if (way.kind === "stays") return { writes: marked, refundIds: refunds.ids };
  if (way.kind === "ends") {
    const others = refunding(ctx, given.others, subscriptionClosingRefundReasons.payment_returned);
    return {
      writes: [...marked, ...endNowStatements(ctx, subscription), ...others.writes],
      refundIds: [...refunds.ids, ...others.ids],
    };
  }
  return {
    writes: [
      ...marked,
      ...uncutStatements(ctx, { subscriptionId: subscription.id, undone, changeHistory }),
      ...onBeforeStatements(ctx, subscriptionSnapshot, oldest, way.period),
    ],
    refundIds: refunds.ids,
  };
}

function refunding(
  ctx: Context,
  left: PlanChangeReversal["differences"],
  reason: string,
): { writes: BatchWrite[]; ids: string[] } {
  const refunds = left.map((one) => ({ ...one, id: ctx.newId() }));
  return {
    writes: refunds.map(({ charge, ...refund }) =>
      requestRefundStatement(ctx, charge, { ...refund, reason }),
    ),
    ids: refunds.map(({ id }) => id),
  };
}

/**
 * Removes the periods that the differences covered and restores the ones they split, including
 * splits moved by a vacation. The newest change comes first, because each builds on the one
 * before.
 */
function uncutStatements(
  ctx: Context,
  {
    subscriptionId,
    undone,
    changeHistory: { covered, shifts },
  }: { subscriptionId: string; undone: AppliedPlanChange[]; changeHistory: ChangeHistory },
): BatchWrite[] {
  const gone = new Set(undone.map(({ chargeId }) => chargeId));
  const moved = undone.flatMap(({ coversFrom, periodSplit }) =>
    (periodSplit?.moved ?? []).map(({ chargeId }) => ({ chargeId, from: coversFrom ?? 0 })),
  );
  const cuts = undone
    .flatMap(({ periodSplit }) => periodSplit?.cuts ?? [])
    .filter(({ chargeId }) => !gone.has(chargeId));
  return [
    // A moved amount has a slice with a price of its own. A later slice without a price was there
    // before, such as a difference of the same day, which starts tomorrow.
    ...covered
      .filter(
        ({ chargeId, startsAt, isDifference, amountCents }) =>
          isDifference &&
          amountCents !== null &&
          moved.some((one) => one.chargeId === chargeId && startsAt >= one.from),
      )
      .map(({ chargeId, id: periodId }) =>
        deleteCoveredPeriodStatement(ctx, { chargeId, periodId }),
      ),
    ...undone.map(({ chargeId }) => deleteCoveredPeriodStatement(ctx, { chargeId })),
    ...cuts.flatMap(({ periodId, endsAt, amountCents }) =>
      covered
        .filter(({ id }) => id === periodId)
        .flatMap((cut) =>
          unsplitPeriod(ctx, subscriptionId, { ...cut, endsAt, amountCents }, shifts),
        ),
    ),
  ];
}

/**
 * Restores one period slice as it was before its split, moved as later vacations would have moved
 * it.
 */
function unsplitPeriod(
  ctx: Context,
  subscriptionId: string,
  whole: PeriodSlice,
  shifts: readonly PeriodShift[],
): BatchWrite[] {
  const [first, ...added] = shifts.reduce<PeriodSlice[]>(
    (periodSlices, shift) => {
      const { changed, added: more } = shiftPeriods(periodSlices, shift);
      return [
        ...periodSlices.map((one) => ({ ...one, ...changed.find(({ id }) => id === one.id) })),
        ...more.map((one) => ({ ...one, id: ctx.newId() })),
      ];
    },
    [whole],
  );
  if (!first) return [];
  return [
    moveCoveredPeriodStatement(ctx, {
      periodId: first.id,
      period: { startsAt: first.startsAt, endsAt: first.endsAt, amountCents: first.amountCents },
    }),
    ...added.map(({ chargeId, ...period }) =>
      coveredPeriodStatement(ctx, { id: chargeId, purchaseId: subscriptionId }, period),
    ),
  ];
}

/**
 * Returns the subscription to its former plan. It takes a seat of that plan again if one is free,
 * and returns without one otherwise.
 */
function onBeforeStatements(
  ctx: Context,
  subscriptionSnapshot: SubscriptionSnapshot,
  first: PaidChange,
  period: FormerPeriod | null,
): BatchWrite[] {
  const { subscription, change, fanName, creatorName } = subscriptionSnapshot;
  const isOtherPlan = first.fromPlanId !== subscription.planId;
  const takesSeat = isOtherPlan && first.beforeHasSeat;
  return [
    ...(takesSeat ? [holdSeatStatement(ctx, { planId: first.fromPlanId })] : []),
    ...(isOtherPlan && subscription.holdsSeat
      ? [releaseSeatStatement(ctx, { planId: subscription.planId })]
      : []),
    ...(change ? replacedChangeStatements(ctx, change) : []),
    formerPlanStatement(ctx, subscription, first, {
      period,
      holdsSeat: isOtherPlan ? takesSeat : subscription.holdsSeat,
    }),
    announce<PlanChangeMessage>(ctx, `plan_change:${first.id}:back`, {
      type: "subscription.plan_changed",
      subscriptionId: subscription.id,
      chargeId: null,
      fanId: subscription.fanId,
      creatorId: subscription.creatorId,
      fanName,
      creatorName,
      fromPlanName: subscriptionSnapshot.plan.name,
      toPlanName: first.fromPlanName,
      toPrice: priceLabel({ amountCents: first.fromAmountCents, interval: first.fromInterval }),
      paidCents: 0,
      isBack: true,
    }),
  ];
}

type FormerPeriod = { startsAt: number; endsAt: number; anchorAt: number | null };

/** Ends a pending plan change, which the reversal replaces. */
const replacedChangeStatements = (
  ctx: Context,
  change: NonNullable<SubscriptionSnapshot["change"]>,
): BatchWrite[] => [
  mustChangeOne(
    ctx.db
      .update(planChanges)
      .set({ state: "over", reason: "replaced", holdsSeat: false, settledAt: ctx.now() })
      .where(
        and(
          eq(planChanges.id, change.id),
          eq(planChanges.state, change.state),
          eq(planChanges.holdsSeat, change.holdsSeat),
        ),
      ),
  ),
  ...(change.holdsSeat ? [releaseSeatStatement(ctx, { planId: change.toPlanId })] : []),
];

/** Sets the former plan and period. Throws StaleWrite while a renewal charge is open. */
function formerPlanStatement(
  ctx: Context,
  subscription: SubscriptionSnapshot["subscription"],
  first: PaidChange,
  { period, holdsSeat }: { period: FormerPeriod | null; holdsSeat: boolean },
): BatchWrite {
  const openRenewal = sql`EXISTS (SELECT 1 FROM charges renewal WHERE renewal.purchase_kind = 'subscription' AND renewal.purchase_id = ${subscription.id} AND renewal.period_starts_at IS NOT NULL AND renewal.status IN ('created', 'awaiting_payment', 'requires_action', 'processing'))`;
  return mustChangeOne(
    ctx.db
      .update(subscriptions)
      .set({
        planId: first.fromPlanId,
        planPriceId: first.fromPlanPriceId,
        interval: first.fromInterval,
        amountCents: first.fromAmountCents,
        holdsSeat,
        ...(period
          ? {
              currentPeriodStartsAt: period.startsAt,
              currentPeriodEndsAt: period.endsAt,
              accessUntil: period.endsAt,
              anchorAt: period.anchorAt,
            }
          : {}),
        updatedAt: ctx.now(),
      })
      .where(
        and(
          eq(subscriptions.id, subscription.id),
          eq(subscriptions.status, subscription.status),
          eq(subscriptions.planPriceId, subscription.planPriceId),
          eq(subscriptions.holdsSeat, subscription.holdsSeat),
          eq(subscriptions.currentPeriodEndsAt, subscription.currentPeriodEndsAt ?? 0),
          sql`NOT ${openRenewal}`,
        ),
      ),
  );
}
