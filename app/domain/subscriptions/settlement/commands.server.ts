import { and, eq, isNull, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { mustChangeOne } from "#app/db/client.server.ts";
import { isBlockedBetween } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { LifecycleMessage } from "#app/domain/subscriptions/schema/outbox/lifecycle.ts";
import type { PixMandateMessage } from "#app/domain/subscriptions/schema/outbox/pix-mandates.ts";
import type { RenewalMessage } from "#app/domain/subscriptions/schema/outbox/renewals.ts";
import type { TrialMessage } from "#app/domain/subscriptions/schema/outbox/trials.ts";
import {
  coveredPeriodStatement,
  deleteCoveredPeriodStatement,
} from "#app/domain/payments/charges/commands/charges.server.ts";
import type { PurchaseHandler } from "#app/domain/payments/purchase-handlers/commands.server.ts";
import type {
  Charge,
  ProviderAnswer,
  Settlement,
} from "#app/domain/payments/purchase-handlers/schema.ts";
import { NEVER_REACHED_PROVIDER } from "#app/domain/payments/rules.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import { holdSeatStatement, releaseSeatStatement } from "#app/domain/plans/commands.server.ts";
import { vacationUntilSql } from "#app/domain/plans/queries/vacations.server.ts";
import {
  chargedCouponStatement,
  reclaimCouponStatements,
} from "#app/domain/plans/commands/coupons.server.ts";
import { ensureFollowingStatement } from "#app/domain/profiles/commands.server.ts";
import { loadSubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import {
  endSnapshotUnchangedStatement,
  endAfterRefund,
  loadEndSnapshot,
} from "#app/domain/subscriptions/endings/queries.server.ts";
import type { EndSnapshot } from "#app/domain/subscriptions/endings/queries.server.ts";
import { wasMethodChanged } from "#app/domain/subscriptions/renewals/queries/renewals.server.ts";
import { decideCharge } from "./rules.ts";
import { isLive, isOnTrial } from "#app/domain/subscriptions/rules.ts";
import type { ChargeDecision } from "./rules.ts";
import type { Period } from "#app/domain/subscriptions/renewals/rules/periods.ts";
import { subscriptionRefundReasons } from "#app/domain/subscriptions/schema.ts";
import type { Subscription, SubscriptionStatus } from "#app/domain/subscriptions/schema.ts";
import { planChangeRow } from "#app/domain/subscriptions/renewal-terms/queries/plan-changes.server.ts";
import type { PlanChange } from "#app/domain/subscriptions/renewal-terms/queries/plan-changes.server.ts";
import { seatProblem } from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import { planChangeRefundReasons } from "#app/domain/subscriptions/plan-changes/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { subscriptionCancellations, subscriptions } from "#drizzle/schema/subscriptions.ts";
import { agreementStep } from "#app/domain/subscriptions/pix-mandates/commands/mandate-transition.server.ts";
import type { ChargeMandateUpdate } from "#app/domain/subscriptions/pix-mandates/commands/mandate-transition.server.ts";
import { pixMandateCharges } from "#app/domain/subscriptions/pix-mandates/commands/mandate-charges.server.ts";
import { dunningStatements } from "#app/domain/subscriptions/renewals/commands/dunning.server.ts";
import {
  endNowStatements,
  endAfterRefundStatements,
  unusedRefundStatements,
  refundAfterPartialWinStatements,
} from "#app/domain/subscriptions/endings/commands/end.server.ts";
import {
  renewalSeatStatements,
  renewedWithChangeStatements,
} from "#app/domain/subscriptions/renewal-terms/commands/agreed-renewal.server.ts";
import { revertPriceStatements } from "#app/domain/subscriptions/price-changes/commands/renewal.server.ts";
import type { SubscriptionPurchaseSnapshot } from "#app/domain/subscriptions/settlement/queries/purchase-snapshot.server.ts";

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

type PaidSubscriptionCharge = {
  charge: Charge;
  providerCharge: ProviderCharge | null;
  subscriptionSnapshot: SubscriptionSnapshot;
  /** The plan change of the period, if any. */ change: PlanChange | null;
};

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

/** Notifies of a refused debit once, however often the bank tries again. */
function debitRefusedStatements(
  ctx: Context,
  { charge, subscriptionSnapshot }: PaidSubscriptionCharge,
  { status, failureCode }: { status: ProviderCharge["status"]; failureCode: string | null },
): BatchWrite[] {
  const { subscription, creatorName, plan } = subscriptionSnapshot;
  if (charge.debitOn === null || status !== "processing" || failureCode === null) return [];
  const { id: subscriptionId, fanId } = subscription;
  return [
    announce<PixMandateMessage>(ctx, `charge:${charge.id}:debit_refused`, {
      type: "subscription.debit_refused",
      subscriptionId,
      fanId,
      creatorName,
      planName: plan.name,
      amountCents: charge.amountCents,
      appOrigin: ctx.settings.appOrigin,
    }),
  ];
}

const startedKey = (chargeId: string) => `charge:${chargeId}:started`;

function activationStatements(
  ctx: Context,
  { charge, providerCharge, subscriptionSnapshot }: PaidSubscriptionCharge,
  decision: { needsSeat: boolean; retakesCoupon: boolean; periods: Period[]; beginsAt?: Instant },
): BatchWrite[] {
  const { subscription, plan } = subscriptionSnapshot;
  const { startsAt, endsAt } = wholeOf(decision.periods);
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
    // A subscription that restarts is no longer canceled.
    ctx.db
      .update(subscriptionCancellations)
      .set({ undoneAt: ctx.now() })
      .where(
        and(
          eq(subscriptionCancellations.subscriptionId, subscription.id),
          isNull(subscriptionCancellations.undoneAt),
        ),
      ),
    chargedCouponStatement(ctx, { subscriptionId: subscription.id, chargeId: charge.id }),
    ...decision.periods.map((period, position) =>
      coveredPeriodStatement(ctx, charge, {
        ...period,
        amountCents: charge.periodsCents?.[position] ?? null,
      }),
    ),
    announce<LifecycleMessage>(ctx, startedKey(charge.id), {
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
      ...(isUpcoming ? { beginsAt: startsAt } : {}),
    }),
  ];
}

/** A card removed during its bank's confirmation pays for this charge only. */
const unlessRemoved = (methodId: string) =>
  sql`CASE WHEN EXISTS (SELECT 1 FROM saved_methods gone WHERE gone.id = ${methodId} AND gone.removed_at IS NOT NULL) THEN NULL ELSE ${methodId} END`;

/** From the start of the first period to the end of the last. */
function wholeOf(periods: readonly Period[]): Period {
  const [first, last] = [periods[0], periods.at(-1)];
  if (!first || !last) throw new Error("a charge covers at least one period");
  return { startsAt: first.startsAt, endsAt: last.endsAt };
}

/**
 * The price of each of several periods, with its start. Empty for a charge of one period, whose
 * funds are released whole.
 */
function pricedPeriods(
  { periodsCents }: Charge,
  periods: readonly Period[],
): { startsAt: Instant; cents: Cents }[] {
  return (periodsCents ?? []).flatMap((cents, position) =>
    periods[position] ? [{ startsAt: periods[position].startsAt, cents }] : [],
  );
}

function renewalStatements(
  ctx: Context,
  { charge, subscriptionSnapshot, change }: PaidSubscriptionCharge,
  periods: Period[],
): BatchWrite[] {
  const { subscription } = subscriptionSnapshot;
  const period = wholeOf(periods);
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

function endedUnpaidStatements(
  ctx: Context,
  { subscription, plan }: SubscriptionSnapshot,
): BatchWrite[] {
  return [
    mustChangeOne(
      ctx.db
        .update(subscriptions)
        .set({ status: "expired", holdsSeat: false, updatedAt: ctx.now() })
        .where(
          and(
            eq(subscriptions.id, subscription.id),
            eq(subscriptions.status, "incomplete"),
            eq(subscriptions.holdsSeat, subscription.holdsSeat),
          ),
        ),
    ),
    ...(subscription.holdsSeat ? [releaseSeatStatement(ctx, { planId: plan.id })] : []),
  ];
}

/**
 * Undoes a prepayment that was refunded before its period started. The period may be paid again.
 * The subscription runs to the end of the rest, at that period's price.
 */
function takenBackStatements(
  ctx: Context,
  { chargeId }: { chargeId: string },
  { subscription, consents }: { subscription: Subscription; consents: EndSnapshot["consents"] },
  paidPeriod: Period,
): BatchWrite[] {
  const { id, currentPeriodEndsAt } = subscription;
  return [
    ...revertPriceStatements(ctx, { subscription, consents }, paidPeriod.endsAt),
    mustChangeOne(
      ctx.db
        .update(subscriptions)
        .set({
          currentPeriodStartsAt: paidPeriod.startsAt,
          currentPeriodEndsAt: paidPeriod.endsAt,
          accessUntil: paidPeriod.endsAt,
          updatedAt: ctx.now(),
        })
        .where(
          and(
            eq(subscriptions.id, id),
            eq(subscriptions.currentPeriodEndsAt, currentPeriodEndsAt ?? 0),
          ),
        ),
    ),
    deleteCoveredPeriodStatement(ctx, { chargeId }),
  ];
}

/**
 * Ends a subscription after a refund. The fan keeps following, unless the page is closed to them.
 * The payouts worker asks for the refunds of its other payments.
 */
function endedByRefundStatements(
  ctx: Context,
  charge: Charge,
  {
    subscriptionSnapshot: { subscription, isShut },
    endSnapshot,
  }: { subscriptionSnapshot: SubscriptionSnapshot; endSnapshot: EndSnapshot },
): BatchWrite[] {
  const ending = endAfterRefund(endSnapshot, {
    endsAt: subscription.currentPeriodEndsAt,
    chargeId: charge.id,
    now: ctx.now(),
  });
  if (ending.kind === "period")
    return takenBackStatements(
      ctx,
      { chargeId: charge.id },
      { subscription, consents: endSnapshot.consents },
      ending.retained,
    );
  if (ending.kind === "nothing") return [];
  return [
    ...endNowStatements(ctx, subscription),
    ...(isShut
      ? []
      : [
          ensureFollowingStatement(ctx, {
            followerId: subscription.fanId,
            creatorId: subscription.creatorId,
          }),
        ]),
    ...unusedRefundStatements(ctx, ending.unused),
  ];
}
