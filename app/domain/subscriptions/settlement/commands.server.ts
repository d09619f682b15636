import type { Context } from "#app/domain/context.ts";
import type { PurchaseHandler } from "#app/domain/payments/purchase-handlers/commands.server.ts";
import type {
  Charge,
  ProviderAnswer,
  Settlement,
} from "#app/domain/payments/purchase-handlers/schema.ts";
import { NEVER_REACHED_PROVIDER } from "#app/domain/payments/rules.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import { loadSubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import {
  endSnapshotUnchangedStatement,
  loadEndSnapshot,
} from "#app/domain/subscriptions/endings/queries.server.ts";
import type { EndSnapshot } from "#app/domain/subscriptions/endings/queries.server.ts";
import { wasMethodChanged } from "#app/domain/subscriptions/renewals/queries/renewals.server.ts";
import { decideCharge } from "./rules.ts";
import { isLive, isOnTrial } from "#app/domain/subscriptions/rules.ts";
import type { ChargeDecision } from "./rules.ts";
import { subscriptionRefundReasons } from "#app/domain/subscriptions/schema.ts";
import type { SubscriptionStatus } from "#app/domain/subscriptions/schema.ts";
import { planChangeRow } from "#app/domain/subscriptions/renewal-terms/queries/plan-changes.server.ts";
import type { PlanChange } from "#app/domain/subscriptions/renewal-terms/queries/plan-changes.server.ts";
import { seatProblem } from "#app/domain/subscriptions/plan-changes/rules/plan-change-decision.ts";
import { planChangeRefundReasons } from "#app/domain/subscriptions/plan-changes/schema.ts";
import { agreementStep } from "#app/domain/subscriptions/pix-mandates/commands/mandate-transition.server.ts";
import type { ChargeMandateUpdate } from "#app/domain/subscriptions/pix-mandates/commands/mandate-transition.server.ts";
import { pixMandateCharges } from "#app/domain/subscriptions/pix-mandates/commands/mandate-charges.server.ts";
import { dunningStatements } from "#app/domain/subscriptions/renewals/commands/dunning.server.ts";
import {
  endAfterRefundStatements,
  refundAfterPartialWinStatements,
} from "#app/domain/subscriptions/endings/commands/end.server.ts";
import { renewalSeatStatements } from "#app/domain/subscriptions/renewal-terms/commands/agreed-renewal.server.ts";
import type { SubscriptionPurchaseSnapshot } from "#app/domain/subscriptions/settlement/queries/purchase-snapshot.server.ts";
import type { PaidSubscriptionCharge } from "#app/domain/subscriptions/settlement/queries/purchase-snapshot.server.ts";
import { pricedPeriods } from "#app/domain/subscriptions/renewals/rules/periods.ts";
import { activationStatements, startedKey } from "./commands/activation.server.ts";
import { endedByRefundStatements } from "./commands/refunded.server.ts";
import { renewalStatements } from "./commands/renewal.server.ts";
import { debitRefusedStatements, endedUnpaidStatements } from "./commands/unpaid.server.ts";

const STOPPED: readonly SubscriptionStatus[] = ["paused", "canceled", "expired"];
const isStopped = (charge: Charge, { subscription, awayUntil }: SubscriptionSnapshot): boolean =>
  charge.periodStartsAt !== null && (awayUntil !== null || STOPPED.includes(subscription.status));

/** Settles charges that pay for a subscription: the first payment starts it, the next ones renew it. */
export const subscriptionHandler: PurchaseHandler<SubscriptionPurchaseSnapshot> = {
  async settlement(ctx, charge, answer, given) {
    const change = given?.change ?? (await changePaidBy(ctx, charge));
    const subscriptionSnapshot = given?.subscriptionSnapshot ?? (await snapshotOf(ctx, charge));
    if (!subscriptionSnapshot) return null;
    const decision = decisionFor(ctx, charge, subscriptionSnapshot, answer);
    const settlement = await settlementOf(
      ctx,
      { charge, subscriptionSnapshot, change, providerCharge: answer.providerCharge },
      decision,
    );
    const mandateUpdate = given?.mandateUpdate ?? null;
    return mandateUpdate
      ? withAgreement(ctx, settlement, { charge, subscriptionSnapshot, mandateUpdate, decision })
      : settlement;
  },
  async payer(ctx, charge) {
    const subscriptionSnapshot = await snapshotOf(ctx, charge);
    // A stopped renewal is not charged again.
    if (!subscriptionSnapshot || isStopped(charge, subscriptionSnapshot)) return null;
    const isRenewal = charge.periodStartsAt !== null && charge.periodsCents === null;
    return {
      name: subscriptionSnapshot.fanName,
      savedMethodId: subscriptionSnapshot.subscription.savedMethodId,
      isLeft:
        isRenewal &&
        (await wasMethodChanged(ctx, {
          subscriptionId: charge.purchaseId,
          since: charge.createdAt,
        })),
    };
  },
  async endedStatements(ctx, charge, because, given) {
    const subscriptionSnapshot = given?.subscriptionSnapshot ?? (await snapshotOf(ctx, charge));
    if (!subscriptionSnapshot || !isLive(subscriptionSnapshot.subscription.status)) return [];
    const endSnapshot = given?.endSnapshot ?? (await endedOf(ctx, charge));
    if (!endSnapshot) return [];
    const statements =
      because === "dispute_lost"
        ? endAfterRefundStatements(
            ctx,
            { ...subscriptionSnapshot, endSnapshot },
            { chargeId: charge.id },
          )
        : endedByRefundStatements(ctx, charge, { subscriptionSnapshot, endSnapshot });
    return [
      endSnapshotUnchangedStatement(ctx, endSnapshot, {
        subscriptionId: charge.purchaseId,
        chargeId: charge.id,
      }),
      ...statements,
    ];
  },
  disputePartlyWonStatements: async (ctx, charge, given) =>
    refundAfterPartialWinStatements(
      ctx,
      charge,
      given?.endSnapshot ?? (await endedOf(ctx, charge)),
    ),
  automatic: pixMandateCharges,
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

/** Adds to the batch what the bank reports of the mandate whose code the charge pays. */
function withAgreement(
  ctx: Context,
  settlement: Settlement,
  {
    mandateUpdate,
    decision,
    ...read
  }: {
    charge: Charge;
    subscriptionSnapshot: SubscriptionSnapshot;
    mandateUpdate: ChargeMandateUpdate;
    decision: ChargeDecision;
  },
): Settlement {
  const decided = agreementStep(ctx, { ...read, mandateUpdate }, decision);
  if (!decided) return settlement;
  return {
    ...settlement,
    extraWrites: [
      ...(settlement.extraWrites ?? []),
      ...decided.writes,
      ...mandateUpdate.extraWrites,
    ],
    committed: () => {
      mandateUpdate.decided = decided;
    },
  };
}

function decisionFor(
  ctx: Context,
  charge: Charge,
  subscriptionSnapshot: SubscriptionSnapshot,
  { providerCharge, refusedCode }: ProviderAnswer,
): ChargeDecision {
  if (refusedCode === NEVER_REACHED_PROVIDER)
    return {
      kind: "progress",
      status: "expired",
      failureCode: refusedCode,
      endsPurchase: subscriptionSnapshot.subscription.status === "incomplete",
    };
  if (refusedCode !== undefined)
    return {
      kind: "progress",
      status: "failed",
      failureCode: refusedCode,
      endsPurchase: subscriptionSnapshot.subscription.status === "incomplete",
    };
  // The coupon use of a trial waits for its first charge.
  const isOfCharge =
    subscriptionSnapshot.coupon !== null &&
    (subscriptionSnapshot.coupon.chargeId === charge.id ||
      subscriptionSnapshot.coupon.chargeId === charge.purchaseId);
  return decideCharge({
    ...subscriptionSnapshot,
    coupon: isOfCharge ? subscriptionSnapshot.coupon : null,
    charge,
    providerCharge,
    now: ctx.now(),
  });
}

async function settlementOf(
  ctx: Context,
  paid: PaidSubscriptionCharge,
  decision: ChargeDecision,
): Promise<Settlement> {
  const { charge, subscriptionSnapshot, change } = paid;
  switch (decision.kind) {
    case "nothing":
      return decision;
    case "progress": {
      const { writes, announced } = await dunningStatements(ctx, paid, decision);
      const extraWrites = [
        ...(decision.endsPurchase ? endedUnpaidStatements(ctx, subscriptionSnapshot) : []),
        ...writes,
        ...debitRefusedStatements(ctx, paid, decision),
        ...(change && isOver(decision.status) ? renewalSeatStatements(ctx, change) : []),
      ];
      return {
        kind: "progress",
        status: decision.status,
        failureCode: decision.failureCode,
        extraWrites,
        announced,
        isUnwanted:
          charge.status === "created" &&
          charge.recurringPixId === null &&
          isStopped(charge, subscriptionSnapshot),
      };
    }
    case "activate":
      return {
        kind: "paid",
        isRenewal: false,
        periods: pricedPeriods(charge, decision.periods),
        beginsAt: decision.beginsAt ?? null,
        extraWrites: activationStatements(ctx, paid, decision),
        announced: startedKey(charge.id),
      };
    case "renew": {
      const problem =
        change && seatProblem({ change, subscription: subscriptionSnapshot.subscription });
      if (problem)
        return {
          kind: "give_back",
          reason: planChangeRefundReasons[problem],
          log: problem,
          extraWrites: [],
        };
      // The first charge after a trial starts the contract, so its funds wait out the cooling-off
      // period.
      return {
        kind: "paid",
        isRenewal: !isOnTrial(subscriptionSnapshot.subscription),
        periods: pricedPeriods(charge, decision.periods),
        extraWrites: renewalStatements(ctx, paid, decision.periods),
        announced: `charge:${charge.id}:renewed`,
      };
    }
    case "give_back":
      return {
        kind: "give_back",
        reason: subscriptionRefundReasons[decision.reason],
        log: decision.reason,
        extraWrites: decision.endsPurchase ? endedUnpaidStatements(ctx, subscriptionSnapshot) : [],
      };
  }
}

const isOver = (status: ProviderCharge["status"]): boolean =>
  status === "failed" || status === "expired" || status === "canceled";
