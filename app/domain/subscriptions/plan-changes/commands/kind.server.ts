import { and, eq } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { PlanChangeMessage } from "#app/domain/subscriptions/schema/outbox/plan-changes.ts";
import {
  coveredPeriodStatement,
  moveCoveredPeriodStatement,
} from "#app/domain/payments/charges/commands/charges.server.ts";
import type { PurchaseHandler } from "#app/domain/payments/purchase-handlers/commands.server.ts";
import type {
  Charge,
  ProviderAnswer,
  Settlement,
} from "#app/domain/payments/purchase-handlers/schema.ts";
import { holdSeatStatement, releaseSeatStatement } from "#app/domain/plans/commands.server.ts";
import { priceLabel } from "#app/domain/plans/schema.ts";
import { loadEndSnapshot } from "#app/domain/subscriptions/endings/queries.server.ts";
import type { EndSnapshot } from "#app/domain/subscriptions/endings/queries.server.ts";
import { loadSubscriptionSnapshot } from "#app/domain/subscriptions/settlement/queries.server.ts";
import { loadChangeHistory } from "#app/domain/subscriptions/plan-changes/queries/change-history.server.ts";
import type { ChangeHistory } from "#app/domain/subscriptions/plan-changes/queries/change-history.server.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/settlement/queries.server.ts";
import { planChangeRow } from "#app/domain/subscriptions/plan-changes/queries/changes.server.ts";
import type { PlanChange } from "#app/domain/subscriptions/plan-changes/queries/changes.server.ts";
import {
  decidePlanChange,
  methodForPrice,
  needsSeat,
} from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import type {
  PlanChangeDecision,
  PlanChangeState,
} from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import { planChangeRefundReasons } from "#app/domain/subscriptions/plan-changes/schema.ts";
import { planChanges, subscriptions } from "#drizzle/schema/subscriptions.ts";
import { refundAfterPartialWinStatements } from "#app/domain/subscriptions/endings/commands.server.ts";
import { planChangeReversalStatements } from "./reverse-change.server.ts";

/**
 * Settles charges of a plan change's difference. A payment changes the plan; a refund changes it
 * back.
 */
export const planChangeHandler: PurchaseHandler<PlanChangeSnapshot> = {
  async settlement(ctx, charge, answer, known) {
    const change = known?.change ?? (await changePaidBy(ctx, charge));
    const facts = change && (known?.facts ?? (await factsOf(ctx, charge)));
    return facts
      ? settlementOf(
          ctx,
          { charge, change, facts },
          decisionFor(ctx, { charge, change, facts }, answer),
        )
      : null;
  },
  async payer(ctx, charge) {
    const facts = await factsOf(ctx, charge);
    return facts && { name: facts.fanName, savedMethodId: null };
  },
  async endedStatements(ctx, charge, _because, known) {
    const facts = known?.facts ?? (await factsOf(ctx, charge));
    const ended = known?.ended ?? (await endedOf(ctx, charge));
    const back = known?.back ?? (await backOf(ctx, charge));
    return facts && ended && back
      ? planChangeReversalStatements(
          ctx,
          { facts, ended, back },
          { planChangeId: charge.planChangeId ?? "", givenBack: charge.id },
        ).writes
      : [];
  },
  keptStatements: async (ctx, charge, known) =>
    refundAfterPartialWinStatements(ctx, charge, known?.ended ?? (await endedOf(ctx, charge))),
};

/**
 * What was loaded about a plan change together with its charge. A null field is loaded when it is
 * needed.
 */
type PlanChangeSnapshot = {
  facts: SubscriptionSnapshot | null;
  change: PlanChange | null;
  ended: EndSnapshot | null;
  back: ChangeHistory | null;
};

async function factsOf(ctx: Context, { purchaseId }: Charge): Promise<SubscriptionSnapshot | null> {
  return await loadSubscriptionSnapshot(ctx, { subscriptionId: purchaseId });
}

async function changePaidBy(ctx: Context, { planChangeId }: Charge): Promise<PlanChange | null> {
  return planChangeId === null ? null : await planChangeRow(ctx, { planChangeId });
}

async function endedOf(ctx: Context, { purchaseId, id }: Charge): Promise<EndSnapshot | null> {
  return await loadEndSnapshot(ctx, { subscriptionId: purchaseId, chargeId: id });
}

async function backOf(ctx: Context, { planChangeId }: Charge): Promise<ChangeHistory | null> {
  return planChangeId === null ? null : await loadChangeHistory(ctx, { planChangeId });
}

type PaidPlanChange = { charge: Charge; change: PlanChange; facts: SubscriptionSnapshot };

function decisionFor(
  ctx: Context,
  { charge, change, facts }: PaidPlanChange,
  { said, refusedCode }: ProviderAnswer,
): PlanChangeDecision {
  if (refusedCode !== undefined)
    return {
      kind: "progress",
      status: "failed",
      failureCode: refusedCode,
      endsAttempt: change.state === "open",
    };
  return decidePlanChange({ ...facts, charge, said, change, now: ctx.now() });
}

function settlementOf(
  ctx: Context,
  paid: PaidPlanChange,
  decision: PlanChangeDecision,
): Settlement {
  switch (decision.kind) {
    case "nothing":
      return decision;
    case "progress":
      return {
        kind: "progress",
        status: decision.status,
        failureCode: decision.failureCode,
        also: decision.endsAttempt
          ? planChangeAbandonedStatements(ctx, { change: paid.change, reason: "unpaid" })
          : [],
      };
    case "change":
      return {
        kind: "paid",
        isRenewal: false,
        also: changedNowStatements(ctx, paid),
        announced: planChangedKey(paid.change.id),
      };
    case "give_back":
      return {
        kind: "give_back",
        reason: planChangeRefundReasons[decision.reason],
        log: decision.reason,
        also: decision.endsAttempt
          ? planChangeAbandonedStatements(ctx, { change: paid.change, reason: "given_back" })
          : [],
      };
  }
}

/** The key of the announcement that a subscription changed its plan. */
export const planChangedKey = (planChangeId: string): string => `plan_change:${planChangeId}:done`;

function changedNowStatements(
  ctx: Context,
  { charge, change, facts }: PaidPlanChange,
): BatchWrite[] {
  const { coversFrom, coversUntil, recut } = change;
  if (coversFrom === null || coversUntil === null)
    throw new Error(`the change ${change.id} covers nothing`);
  const covers = { startsAt: coversFrom, endsAt: coversUntil };
  return [
    ...planChangedStatements(ctx, {
      change,
      subscription: facts.subscription,
      to: "done",
      period: recut && covers,
    }),
    coveredPeriodStatement(ctx, charge, { ...covers, isDifference: recut === null }),
    ...(recut?.cuts ?? []).map(({ periodId, cutEndsAt, cutAmountCents }) =>
      moveCoveredPeriodStatement(ctx, {
        periodId,
        period: { endsAt: cutEndsAt, amountCents: cutAmountCents },
      }),
    ),
    ...(recut?.moved ?? []).map(({ periodId, chargeId, amountCents }) =>
      coveredPeriodStatement(
        ctx,
        { id: chargeId, purchaseId: charge.purchaseId },
        { ...covers, id: periodId, isDifference: true, amountCents },
      ),
    ),
    planChangedMessage(ctx, { change, facts, chargeId: charge.id, paidCents: charge.amountCents }),
  ];
}

/**
 * The statements that put a subscription on the plan of `change`: price, interval and seats. Throws
 * StaleWrite if either row changed meanwhile. With `period` a new period starts, and later ones are
 * counted from it.
 */
export function planChangedStatements(
  ctx: Context,
  {
    change,
    subscription,
    to,
    period,
  }: {
    change: PlanChange;
    subscription: Subscription;
    to: PlanChangeState;
    period: { startsAt: number; endsAt: number } | null;
  },
): BatchWrite[] {
  const isOtherPlan = change.toPlanId !== subscription.planId;
  const method = methodForPrice(subscription.method, change.toAmountCents);
  return [
    ...(needsSeat({ change, subscription })
      ? [holdSeatStatement(ctx, { planId: change.toPlanId })]
      : []),
    ...(isOtherPlan && subscription.holdsSeat
      ? [releaseSeatStatement(ctx, { planId: subscription.planId })]
      : []),
    planChangeStateStatement(ctx, { change, to, holdsSeat: false }),
    mustChangeOne(
      ctx.db
        .update(subscriptions)
        .set({
          planId: change.toPlanId,
          planPriceId: change.toPlanPriceId,
          interval: change.toInterval,
          amountCents: change.toAmountCents,
          holdsSeat: isOtherPlan || subscription.holdsSeat,
          ...(method === subscription.method ? {} : { method, savedMethodId: null }),
          ...(period
            ? {
                currentPeriodStartsAt: period.startsAt,
                currentPeriodEndsAt: period.endsAt,
                accessUntil: period.endsAt,
                anchorAt: period.startsAt,
              }
            : {}),
          updatedAt: ctx.now(),
        })
        .where(subscriptionUnchanged(subscription)),
    ),
  ];
}

/** The condition that what a plan change touches is unchanged since the subscription was read. */
export function subscriptionUnchanged({
  id,
  status,
  planPriceId,
  holdsSeat,
  currentPeriodEndsAt,
}: Subscription) {
  return and(
    eq(subscriptions.id, id),
    eq(subscriptions.status, status),
    eq(subscriptions.planPriceId, planPriceId),
    eq(subscriptions.holdsSeat, holdsSeat),
    eq(subscriptions.currentPeriodEndsAt, currentPeriodEndsAt ?? 0),
  );
}

/**
 * The statement that moves a change to another state; throws StaleWrite if another run did so
 * first.
 */
export function planChangeStateStatement(
  ctx: Context,
  {
    change,
    to,
    holdsSeat,
    reason = null,
  }: {
    change: Pick<PlanChange, "id" | "state" | "holdsSeat">;
    to: PlanChangeState;
    holdsSeat: boolean;
    reason?: string | null;
  },
): BatchWrite {
  return mustChangeOne(
    ctx.db
      .update(planChanges)
      .set({
        state: to,
        holdsSeat,
        reason,
        settledAt: to === "open" || to === "scheduled" ? null : ctx.now(),
      })
      .where(
        and(
          eq(planChanges.id, change.id),
          eq(planChanges.state, change.state),
          eq(planChanges.holdsSeat, change.holdsSeat),
        ),
      ),
  );
}

/** The statements that abandon a change and release its seat. */
export function planChangeAbandonedStatements(
  ctx: Context,
  { change, reason }: { change: PlanChange; reason: string },
): BatchWrite[] {
  return [
    planChangeStateStatement(ctx, { change, to: "over", holdsSeat: false, reason }),
    ...(change.holdsSeat ? [releaseSeatStatement(ctx, { planId: change.toPlanId })] : []),
  ];
}

/** Notifies both sides of the old and the new plan. */
export function planChangedMessage(
  ctx: Context,
  {
    change,
    facts,
    chargeId,
    paidCents,
  }: {
    change: PlanChange;
    facts: Pick<SubscriptionSnapshot, "subscription" | "fanName" | "creatorName">;
    chargeId: string | null;
    paidCents: number;
  },
): BatchWrite {
  const { subscription, fanName, creatorName } = facts;
  return announce<PlanChangeMessage>(ctx, planChangedKey(change.id), {
    type: "subscription.plan_changed",
    subscriptionId: subscription.id,
    chargeId,
    fanId: subscription.fanId,
    creatorId: subscription.creatorId,
    fanName,
    creatorName,
    fromPlanName: change.fromPlanName,
    toPlanName: change.toPlanName,
    toPrice: priceLabel({ amountCents: change.toAmountCents, interval: change.toInterval }),
    paidCents,
    isBack: false,
  });
}
