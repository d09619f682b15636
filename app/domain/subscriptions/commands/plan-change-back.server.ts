import { and, eq, sql } from "drizzle-orm";
import type { Write } from "#app/db/client.server.ts";
import { exactlyOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { coveredPeriodStatement, movedPeriodStatement, uncoveredStatement } from "#app/domain/payments/commands/charges.server.ts";
import { refundStatement } from "#app/domain/payments/commands/refunds.server.ts";
import { chargeRow, waitingRefundsCents } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/queries.server.ts";
import { isHeld } from "#app/domain/payments/rules.ts";
import { holdSeatStatement, releaseSeatStatement } from "#app/domain/plans/commands.server.ts";
import { plansOfCreator } from "#app/domain/plans/queries.server.ts";
import { hasFreeSeat } from "#app/domain/plans/rules.ts";
import { priceWords } from "#app/domain/plans/schema.ts";
import { purchaseFacts } from "#app/domain/subscriptions/queries/purchase-facts.server.ts";
import type { PurchaseFacts } from "#app/domain/subscriptions/queries/purchase-facts.server.ts";
import { unusedCharges } from "#app/domain/subscriptions/queries/closing.server.ts";
import { changesSince, planChangeRow } from "#app/domain/subscriptions/queries/plan-changes.server.ts";
import { coveredAfter, openRenewals } from "#app/domain/subscriptions/queries/renewals.server.ts";
import { vacationShiftsSince } from "#app/domain/subscriptions/queries/vacations.server.ts";
import { shifted } from "#app/domain/subscriptions/rules/pause.ts";
import type { Covered, Shift } from "#app/domain/subscriptions/rules/pause.ts";
import { wayBack } from "#app/domain/subscriptions/rules/plan-change-back.ts";
import type { DoneChange } from "#app/domain/subscriptions/rules/plan-change-back.ts";
import { closingRefundReasons } from "#app/domain/subscriptions/schema.ts";
import { planChanges, subscriptions } from "#drizzle/schema/subscriptions.ts";
import { endedNowStatements } from "./ended.server.ts";

type GivenBack = { writes: Write[]; refundIds: string[] };

/**
 * The statements after which a change whose difference goes back did not happen: the subscription is on the plan that it had before, with the
 * period as it was (`wayBack`). Differences of later changes, which built on it, go back too; `givenBack` is the charge of which somebody
 * else decided already. None when the change is not done, or went back before.
 */
export async function backStatements(ctx: Context, { planChangeId, givenBack }: { planChangeId: string; givenBack: string | null }): Promise<GivenBack> {
  const first = await planChangeRow(ctx, { planChangeId });
  const facts = first && (await purchaseFacts(ctx, first));
  if (first?.state !== "done" || first.settledAt === null || !facts) return { writes: [], refundIds: [] };
  const { subscription } = facts;
  const changes = await changesSince(ctx, { subscriptionId: subscription.id, settledAt: first.settledAt });
  const oldest = changes.at(-1);
  if (!oldest) return { writes: [], refundIds: [] };
  const shifts = await vacationShiftsSince(ctx, { subscriptionId: subscription.id, since: oldest.settledAt ?? 0 });
  const way = wayBack({ subscription, changes, shifts, isRenewing: (await openRenewals(ctx, { subscriptionId: subscription.id })).length > 0, now: ctx.now() });
  const undone = way.kind === "stays" ? changes.filter(({ id }) => id === first.id) : changes;
  const refunds = await refundsOf(ctx, undone.filter(({ chargeId }) => chargeId !== givenBack).map(({ chargeId }) => chargeId), "Arrependimento em até 7 dias.");
  const marked = undone.map((change) => exactlyOne(ctx.db.update(planChanges).set({ state: "reversed" }).where(and(eq(planChanges.id, change.id), eq(planChanges.state, "done")))));
  if (way.kind === "stays") return { writes: [...marked, ...refunds.writes], refundIds: refunds.ids };
  if (way.kind === "ends") {
    const others = await unusedOfOthers(ctx, facts, undone);
    return { writes: [...marked, ...refunds.writes, ...endedNowStatements(ctx, subscription), ...others.writes], refundIds: [...refunds.ids, ...others.ids] };
  }
  return { writes: [...marked, ...refunds.writes, ...(await uncutStatements(ctx, { subscriptionId: subscription.id, undone, shifts })), ...(await onBeforeStatements(ctx, facts, oldest, way.period))], refundIds: refunds.ids };
}

/** What each of these charges still has goes back. */
async function refundsOf(ctx: Context, chargeIds: string[], reason: string): Promise<{ writes: Write[]; ids: string[] }> {
  const left = await Promise.all(chargeIds.map((chargeId) => leftOf(ctx, chargeId)));
  return refunding(ctx, left.flatMap((one) => one ?? []), reason);
}

async function leftOf(ctx: Context, chargeId: string): Promise<{ charge: Charge; amountCents: Cents } | null> {
  const charge = await chargeRow(ctx, { chargeId });
  if (!charge || !isHeld(charge.status)) return null;
  const amountCents = charge.amountCents - charge.refundedCents - (await waitingRefundsCents(ctx, { chargeId }));
  return amountCents > 0 ? { charge, amountCents } : null;
}

function refunding(ctx: Context, left: { charge: Charge; amountCents: Cents }[], reason: string): { writes: Write[]; ids: string[] } {
  const refunds = left.map((one) => ({ ...one, id: ctx.newId() }));
  return { writes: refunds.map(({ charge, ...refund }) => refundStatement(ctx, charge, { ...refund, reason })), ids: refunds.map(({ id }) => id) };
}

async function unusedOfOthers(ctx: Context, { subscription }: PurchaseFacts, undone: DoneChange[]): Promise<{ writes: Write[]; ids: string[] }> {
  const unused = await unusedCharges(ctx, { subscriptionId: subscription.id, at: ctx.now(), everything: false });
  const others = unused.filter(({ chargeId }) => !undone.some((change) => change.chargeId === chargeId));
  const found = await Promise.all(others.map(async ({ chargeId, amountCents }) => ({ charge: await chargeRow(ctx, { chargeId }), amountCents })));
  return refunding(ctx, found.flatMap(({ charge, amountCents }) => (charge ? [{ charge, amountCents }] : [])), closingRefundReasons.payment_returned);
}

/**
 * What the differences covered is covered no more, and what they moved is where it would be without them, also where a vacation cut and moved both; the newest
 * first, as each built on the one before.
 */
async function uncutStatements(ctx: Context, { subscriptionId, undone, shifts }: { subscriptionId: string; undone: DoneChange[]; shifts: readonly Shift[] }): Promise<Write[]> {
  const gone = new Set(undone.map(({ chargeId }) => chargeId));
  const from = Math.min(...undone.map(({ coversFrom, recut }) => (recut === null ? Number.POSITIVE_INFINITY : (coversFrom ?? Number.POSITIVE_INFINITY))));
  // The stretches that a cut ended lie right before what it began.
  const covered = Number.isFinite(from) ? await coveredAfter(ctx, { subscriptionId, at: from - 1 }) : [];
  const moved = undone.flatMap(({ coversFrom, recut }) => (recut?.moved ?? []).map(({ chargeId }) => ({ chargeId, from: coversFrom ?? 0 })));
  const cuts = undone.flatMap(({ recut }) => recut?.cuts ?? []).filter(({ chargeId }) => !gone.has(chargeId));
  return [
    // What was moved has a price of its own; without one a stretch that begins later, as a difference of the same day does tomorrow, was there before.
    ...covered.filter(({ chargeId, startsAt, isDifference, amountCents }) => isDifference && amountCents !== null && moved.some((one) => one.chargeId === chargeId && startsAt >= one.from)).map(({ chargeId, id: periodId }) => uncoveredStatement(ctx, { chargeId, periodId })),
    ...undone.map(({ chargeId }) => uncoveredStatement(ctx, { chargeId })),
    ...cuts.flatMap(({ periodId, endsAt, amountCents }) => covered.filter(({ id }) => id === periodId).flatMap((cut) => uncutStretch(ctx, subscriptionId, { ...cut, endsAt, amountCents }, shifts))),
  ];
}

/** One stretch as it was before it was cut, and as vacations would have moved it since. */
function uncutStretch(ctx: Context, subscriptionId: string, whole: Covered, shifts: readonly Shift[]): Write[] {
  const [kept, ...added] = shifts.reduce<Covered[]>(
    (stretches, shift) => {
      const { changed, added: more } = shifted(stretches, shift);
      return [...stretches.map((one) => ({ ...one, ...changed.find(({ id }) => id === one.id) })), ...more.map((one) => ({ ...one, id: ctx.newId() }))];
    },
    [whole],
  );
  if (!kept) return [];
  return [movedPeriodStatement(ctx, { periodId: kept.id, period: { startsAt: kept.startsAt, endsAt: kept.endsAt, amountCents: kept.amountCents } }), ...added.map(({ chargeId, ...period }) => coveredPeriodStatement(ctx, { id: chargeId, purchaseId: subscriptionId }, period))];
}

/** A seat of the plan of before is taken again where there is one; who comes back is not turned away for want of it. */
async function onBeforeStatements(ctx: Context, facts: PurchaseFacts, first: DoneChange, period: { startsAt: number; endsAt: number; anchorAt: number | null } | null): Promise<Write[]> {
  const { subscription, change, fanName, creatorName } = facts;
  const isOtherPlan = first.fromPlanId !== subscription.planId;
  const plan = isOtherPlan ? (await plansOfCreator(ctx, { creatorId: subscription.creatorId, states: ["active"] })).find(({ id }) => id === first.fromPlanId) : undefined;
  const takesSeat = plan !== undefined && hasFreeSeat(plan);
  const open = sql`EXISTS (SELECT 1 FROM charges renewal WHERE renewal.purchase_kind = 'subscription' AND renewal.purchase_id = ${subscription.id} AND renewal.period_starts_at IS NOT NULL AND renewal.status IN ('created', 'awaiting_payment', 'requires_action', 'processing'))`;
  return [
    ...(takesSeat ? [holdSeatStatement(ctx, { planId: first.fromPlanId })] : []),
    ...(isOtherPlan && subscription.holdsSeat ? [releaseSeatStatement(ctx, { planId: subscription.planId })] : []),
    ...(change
      ? [
          exactlyOne(ctx.db.update(planChanges).set({ state: "over", reason: "replaced", holdsSeat: false, settledAt: ctx.now() }).where(and(eq(planChanges.id, change.id), eq(planChanges.state, change.state), eq(planChanges.holdsSeat, change.holdsSeat)))),
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
          ...(period ? { currentPeriodStartsAt: period.startsAt, currentPeriodEndsAt: period.endsAt, accessUntil: period.endsAt, anchorAt: period.anchorAt } : {}),
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
    announce(ctx, `plan_change:${first.id}:back`, {
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
