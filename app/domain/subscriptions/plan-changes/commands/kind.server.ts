import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
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
import { loadEndSnapshot } from "#app/domain/subscriptions/endings/queries.server.ts";
import type { EndSnapshot } from "#app/domain/subscriptions/endings/queries.server.ts";
import { loadSubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import { loadChangeHistory } from "#app/domain/subscriptions/plan-changes/queries/change-history.server.ts";
import type { ChangeHistory } from "#app/domain/subscriptions/plan-changes/queries/change-history.server.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import { planChangeRow } from "#app/domain/subscriptions/renewal-terms/queries/plan-changes.server.ts";
import type { PlanChange } from "#app/domain/subscriptions/renewal-terms/queries/plan-changes.server.ts";
import { decidePlanChange } from "#app/domain/subscriptions/plan-changes/rules/plan-change-decision.ts";
import type { PlanChangeDecision } from "#app/domain/subscriptions/plan-changes/rules/plan-change-decision.ts";
import { planChangeRefundReasons } from "#app/domain/subscriptions/plan-changes/schema.ts";
import { refundAfterPartialWinStatements } from "#app/domain/subscriptions/endings/commands/end.server.ts";
import { planChangeReversalStatements } from "./reverse-change.server.ts";
import {
  planChangedStatements,
  planChangeAbandonedStatements,
  planChangedMessage,
  planChangedKey,
} from "#app/domain/subscriptions/renewal-terms/commands/change-state.server.ts";

/**
 * Settles charges of a plan change's difference. A payment changes the plan; a refund changes it
 * back.
 */
export const planChangeHandler: PurchaseHandler<PlanChangeSnapshot> = {
  async settlement(ctx, charge, answer, given) {
    const change = given?.change ?? (await changePaidBy(ctx, charge));
    const subscriptionSnapshot =
      change && (given?.subscriptionSnapshot ?? (await snapshotOf(ctx, charge)));
    return subscriptionSnapshot
      ? settlementOf(
          ctx,
          { charge, change, subscriptionSnapshot },
          decisionFor(ctx, { charge, change, subscriptionSnapshot }, answer),
        )
      : null;
  },
  async payer(ctx, charge) {
    const subscriptionSnapshot = await snapshotOf(ctx, charge);
    return subscriptionSnapshot && { name: subscriptionSnapshot.fanName, savedMethodId: null };
  },
  async endedStatements(ctx, charge, _because, given) {
    const subscriptionSnapshot = given?.subscriptionSnapshot ?? (await snapshotOf(ctx, charge));
    const endSnapshot = given?.endSnapshot ?? (await endedOf(ctx, charge));
    const changeHistory = given?.changeHistory ?? (await backOf(ctx, charge));
    return subscriptionSnapshot && endSnapshot && changeHistory
      ? planChangeReversalStatements(
          ctx,
          { subscriptionSnapshot, endSnapshot, changeHistory },
          { planChangeId: charge.planChangeId ?? "", givenBack: charge.id },
        ).writes
      : [];
  },
  disputePartlyWonStatements: async (ctx, charge, given) =>
    refundAfterPartialWinStatements(
      ctx,
      charge,
      given?.endSnapshot ?? (await endedOf(ctx, charge)),
    ),
};

/**
 * What was loaded about a plan change together with its charge. A null field is loaded when it is
 * needed.
 */
type PlanChangeSnapshot = {
  subscriptionSnapshot: SubscriptionSnapshot | null;
  change: PlanChange | null;
  endSnapshot: EndSnapshot | null;
  changeHistory: ChangeHistory | null;
};

async function snapshotOf(
  ctx: Context,
  { purchaseId }: Charge,
): Promise<SubscriptionSnapshot | null> {
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

type PaidPlanChange = {
  charge: Charge;
  change: PlanChange;
  subscriptionSnapshot: SubscriptionSnapshot;
};

function decisionFor(
  ctx: Context,
  { charge, change, subscriptionSnapshot }: PaidPlanChange,
  { providerCharge, refusedCode }: ProviderAnswer,
): PlanChangeDecision {
  if (refusedCode !== undefined)
    return {
      kind: "progress",
      status: "failed",
      failureCode: refusedCode,
      endsAttempt: change.state === "open",
    };
  return decidePlanChange({
    ...subscriptionSnapshot,
    charge,
    providerCharge,
    change,
    now: ctx.now(),
  });
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
        extraWrites: decision.endsAttempt
          ? planChangeAbandonedStatements(ctx, { change: paid.change, reason: "unpaid" })
          : [],
      };
    case "change":
      return {
        kind: "paid",
        isRenewal: false,
        extraWrites: changedNowStatements(ctx, paid),
        announced: planChangedKey(paid.change.id),
      };
    case "give_back":
      return {
        kind: "give_back",
        reason: planChangeRefundReasons[decision.reason],
        log: decision.reason,
        extraWrites: decision.endsAttempt
          ? planChangeAbandonedStatements(ctx, { change: paid.change, reason: "given_back" })
          : [],
      };
  }
}

function changedNowStatements(
  ctx: Context,
  { charge, change, subscriptionSnapshot }: PaidPlanChange,
): BatchWrite[] {
  const { coversFrom, coversUntil, periodSplit } = change;
  if (coversFrom === null || coversUntil === null)
    throw new Error(`the change ${change.id} covers nothing`);
  const covers = { startsAt: coversFrom, endsAt: coversUntil };
  return [
    ...planChangedStatements(ctx, {
      change,
      subscription: subscriptionSnapshot.subscription,
      to: "done",
      period: periodSplit && covers,
    }),
    coveredPeriodStatement(ctx, charge, { ...covers, isDifference: periodSplit === null }),
    ...(periodSplit?.cuts ?? []).map(({ periodId, cutEndsAt, cutAmountCents }) =>
      moveCoveredPeriodStatement(ctx, {
        periodId,
        period: { endsAt: cutEndsAt, amountCents: cutAmountCents },
      }),
    ),
    ...(periodSplit?.moved ?? []).map(({ periodId, chargeId, amountCents }) =>
      coveredPeriodStatement(
        ctx,
        { id: chargeId, purchaseId: charge.purchaseId },
        { ...covers, id: periodId, isDifference: true, amountCents },
      ),
    ),
    planChangedMessage(ctx, {
      change,
      subscriptionSnapshot,
      chargeId: charge.id,
      paidCents: charge.amountCents,
    }),
  ];
}
