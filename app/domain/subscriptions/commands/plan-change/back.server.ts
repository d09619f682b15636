import { and, eq, sql } from "drizzle-orm";
import type { Write } from "#app/db/client.server.ts";
import { exactlyOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { PlanChangeMessage } from "#app/domain/subscriptions/schema/outbox/plan-changes.ts";
import {
  coveredPeriodStatement,
  movedPeriodStatement,
  uncoveredStatement,
} from "#app/domain/payments/commands/charges.server.ts";
import { refundStatement } from "#app/domain/payments/commands/refunds.server.ts";
import { REGRET_WORDS } from "#app/domain/payments/rules/regret.ts";
import { holdSeatStatement, releaseSeatStatement } from "#app/domain/plans/commands.server.ts";
import { priceWords } from "#app/domain/plans/schema.ts";
import type { PurchaseFacts } from "#app/domain/subscriptions/queries/purchase-facts.server.ts";
import { asReadStatement } from "#app/domain/subscriptions/queries/ending/ended-facts.server.ts";
import type { EndedFacts } from "#app/domain/subscriptions/queries/ending/ended-facts.server.ts";
import { backAsReadStatement } from "#app/domain/subscriptions/queries/plan-change/back.server.ts";
import { changeGivenBack } from "#app/domain/subscriptions/queries/plan-change/given-back.server.ts";
import type { ChangeGivenBack } from "#app/domain/subscriptions/queries/plan-change/given-back.server.ts";
import type {
  BackFacts,
  PaidChange,
} from "#app/domain/subscriptions/queries/plan-change/back.server.ts";
import { shifted } from "#app/domain/subscriptions/rules/pause.ts";
import type { Covered, Shift } from "#app/domain/subscriptions/rules/pause.ts";
import type { DoneChange } from "#app/domain/subscriptions/rules/plan-change-back.ts";
import { closingRefundReasons } from "#app/domain/subscriptions/schema.ts";
import { planChanges, subscriptions } from "#drizzle/schema/subscriptions.ts";
import { endedNowStatements } from "#app/domain/subscriptions/commands/ending/ended.server.ts";

type GivenBack = { writes: Write[]; refundIds: string[] };
/**
 * What decides where a change goes back to: its subscription, what pays for that, and the changes
 * themselves.
 */
export type BackStanding = { facts: PurchaseFacts; ended: EndedFacts; back: BackFacts };

/**
 * The statements after which a change whose difference goes back did not happen: the subscription
 * is on the plan that it had before, with the period as it was (`wayBack`). Differences of later
 * changes, which built on it, go back too; `givenBack` is the charge of which somebody else decided
 * already. None when the change is not done, or went back before. They are stale when what decides
 * is not as it was read.
 */
export function backStatements(
  ctx: Context,
  { facts, ended, back }: BackStanding,
  { planChangeId, givenBack }: { planChangeId: string; givenBack: string | null },
): GivenBack {
  const { subscription } = facts;
  const given = changeGivenBack(
    { subscription, ended, back, now: ctx.now() },
    { planChangeId, givenBack },
  );
  if (!given) return { writes: [], refundIds: [] };
  const { way, oldest, undone } = given;
  const refunds = refunding(ctx, given.differences, REGRET_WORDS);
  const marked = [
    asReadStatement(ctx, ended, { subscriptionId: subscription.id, chargeId: givenBack ?? "" }),
    backAsReadStatement(ctx, back, { subscriptionId: subscription.id }),
    ...undone.map((change) =>
      exactlyOne(
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
    const others = refunding(ctx, given.others, closingRefundReasons.payment_returned);
    return {
      writes: [...marked, ...endedNowStatements(ctx, subscription), ...others.writes],
      refundIds: [...refunds.ids, ...others.ids],
    };
  }
  return {
    writes: [
      ...marked,
      ...uncutStatements(ctx, { subscriptionId: subscription.id, undone, back }),
      ...onBeforeStatements(ctx, facts, oldest, way.period),
    ],
    refundIds: refunds.ids,
  };
}

function refunding(
  ctx: Context,
  left: ChangeGivenBack["differences"],
  reason: string,
): { writes: Write[]; ids: string[] } {
  const refunds = left.map((one) => ({ ...one, id: ctx.newId() }));
  return {
    writes: refunds.map(({ charge, ...refund }) =>
      refundStatement(ctx, charge, { ...refund, reason }),
    ),
    ids: refunds.map(({ id }) => id),
  };
}

/**
 * What the differences covered is covered no more, and what they moved is where it would be without
 * them, also where a vacation cut and moved both; the newest first, as each built on the one
 * before.
 */
function uncutStatements(
  ctx: Context,
  {
    subscriptionId,
    undone,
    back: { covered, shifts },
  }: { subscriptionId: string; undone: DoneChange[]; back: BackFacts },
): Write[] {
  const gone = new Set(undone.map(({ chargeId }) => chargeId));
  const moved = undone.flatMap(({ coversFrom, recut }) =>
    (recut?.moved ?? []).map(({ chargeId }) => ({ chargeId, from: coversFrom ?? 0 })),
  );
  const cuts = undone
    .flatMap(({ recut }) => recut?.cuts ?? [])
    .filter(({ chargeId }) => !gone.has(chargeId));
  return [
    // What was moved has a price of its own; without one a stretch that begins later, as a
    // difference of the same day does tomorrow, was there before.
    ...covered
      .filter(
        ({ chargeId, startsAt, isDifference, amountCents }) =>
          isDifference &&
          amountCents !== null &&
          moved.some((one) => one.chargeId === chargeId && startsAt >= one.from),
      )
      .map(({ chargeId, id: periodId }) => uncoveredStatement(ctx, { chargeId, periodId })),
    ...undone.map(({ chargeId }) => uncoveredStatement(ctx, { chargeId })),
    ...cuts.flatMap(({ periodId, endsAt, amountCents }) =>
      covered
        .filter(({ id }) => id === periodId)
        .flatMap((cut) =>
          uncutStretch(ctx, subscriptionId, { ...cut, endsAt, amountCents }, shifts),
        ),
    ),
  ];
}

/** One stretch as it was before it was cut, and as vacations would have moved it since. */
function uncutStretch(
  ctx: Context,
  subscriptionId: string,
  whole: Covered,
  shifts: readonly Shift[],
): Write[] {
  const [kept, ...added] = shifts.reduce<Covered[]>(
    (stretches, shift) => {
      const { changed, added: more } = shifted(stretches, shift);
      return [
        ...stretches.map((one) => ({ ...one, ...changed.find(({ id }) => id === one.id) })),
        ...more.map((one) => ({ ...one, id: ctx.newId() })),
      ];
    },
    [whole],
  );
  if (!kept) return [];
  return [
    movedPeriodStatement(ctx, {
      periodId: kept.id,
      period: { startsAt: kept.startsAt, endsAt: kept.endsAt, amountCents: kept.amountCents },
    }),
    ...added.map(({ chargeId, ...period }) =>
      coveredPeriodStatement(ctx, { id: chargeId, purchaseId: subscriptionId }, period),
    ),
  ];
}

/**
 * A seat of the plan of before is taken again where there is one; who comes back is not turned away
 * for want of it.
 */
function onBeforeStatements(
  ctx: Context,
  facts: PurchaseFacts,
  first: PaidChange,
  period: { startsAt: number; endsAt: number; anchorAt: number | null } | null,
): Write[] {
  const { subscription, change, fanName, creatorName } = facts;
  const isOtherPlan = first.fromPlanId !== subscription.planId;
  const takesSeat = isOtherPlan && first.beforeHasSeat;
  const open = sql`EXISTS (SELECT 1 FROM charges renewal WHERE renewal.purchase_kind = 'subscription' AND renewal.purchase_id = ${subscription.id} AND renewal.period_starts_at IS NOT NULL AND renewal.status IN ('created', 'awaiting_payment', 'requires_action', 'processing'))`;
  return [
    ...(takesSeat ? [holdSeatStatement(ctx, { planId: first.fromPlanId })] : []),
    ...(isOtherPlan && subscription.holdsSeat
      ? [releaseSeatStatement(ctx, { planId: subscription.planId })]
      : []),
    ...(change
      ? [
          exactlyOne(
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
        ]
      : []),
    exactlyOne(
      ctx.db
        .update(subscriptions)
        .set({
          planId: first.fromPlanId,
          planPriceId: first.fromPlanPriceId,
          interval: first.fromInterval,
          amountCents: first.fromAmountCents,
          holdsSeat: isOtherPlan ? takesSeat : subscription.holdsSeat,
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
            sql`NOT ${open}`,
          ),
        ),
    ),
    announce<PlanChangeMessage>(ctx, `plan_change:${first.id}:back`, {
      type: "subscription.plan_changed",
      subscriptionId: subscription.id,
      chargeId: null,
      fanId: subscription.fanId,
      creatorId: subscription.creatorId,
      fanName,
      creatorName,
      fromPlanName: facts.plan.name,
      toPlanName: first.fromPlanName,
      toPrice: priceWords({ amountCents: first.fromAmountCents, interval: first.fromInterval }),
      paidCents: 0,
      isBack: true,
    }),
  ];
}
