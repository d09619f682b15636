import { refundCharge } from "#app/domain/billing/refunds/commands/refund.server.ts";
import { concedeDispute, submitEvidence } from "#app/domain/disputes/commands/answer.server.ts";
import { saveEvidence } from "#app/domain/disputes/commands/evidence.server.ts";
import { isDisputeLoss } from "#app/domain/payments/rules.ts";
import { requestPurchaseCoolingOffRefund } from "#app/domain/purchases/single-purchases/commands/end.server.ts";
import { coolingOffUntil } from "#app/domain/purchases/rules.ts";
import { requestSubscriptionCoolingOffRefund } from "#app/domain/subscriptions/cancellations/commands/cooling-off.server.ts";
import { charges, disputes } from "#drizzle/schema/payments.ts";
import { purchases } from "#drizzle/schema/purchases.ts";
import { runConcurrently, onOneSubscription } from "./actions.ts";
import type { ChaosActions } from "./actions.ts";
import type { Dice } from "./scheduler.ts";
import { ensureRecently, TRAFFIC_ACTIONS } from "./traffic.ts";
import type { SeededWorld } from "./seeded-world.ts";

const anyDispute = async (seededWorld: SeededWorld, dice: Dice) => {
  const rows = await seededWorld.ctx.db.select().from(disputes).orderBy(disputes.id);
  const open = rows.filter(({ status }) => status === "open");
  const one = dice.pick(open.length > 0 && dice.chance(80) ? open : rows);
  return one ? { disputeId: one.id, creatorId: one.creatorId, memberId: one.creatorId } : null;
};

/** Actions that refund a charge or dispute it. */
export const REVERSAL_ACTIONS: ChaosActions = {
  regret: { weight: 1, act: onOneSubscription("regret", requestSubscriptionCoolingOffRefund) },
  regretPurchase: {
    weight: 2,
    async act(seededWorld, dice, { times, dies }) {
      await ensureRecently(seededWorld, dice, TRAFFIC_ACTIONS, "buy");
      const all = await seededWorld.ctx.db.select().from(purchases).orderBy(purchases.id);
      const one = dice.pick(
        dice.chance(80)
          ? all.filter(
              (row) => row.endedAt === null && (coolingOffUntil(row) ?? 0) > seededWorld.ctx.now(),
            )
          : all,
      );
      return (
        one !== undefined &&
        (await seededWorld.together(
          "regret purchase",
          runConcurrently(times, (ctx) =>
            requestPurchaseCoolingOffRefund(ctx, { personId: one.personId, purchaseId: one.id }),
          ),
          dies,
        ))
      );
    },
  },
  refund: {
    weight: 1,
    async act(seededWorld, dice, { times, dies }) {
      const all = await seededWorld.ctx.db.select().from(charges).orderBy(charges.id);
      const paid = all.filter(({ succeededAt }) => succeededAt !== null);
      const one = dice.pick(paid.length > 0 && dice.chance(70) ? paid : all);
      if (!one) return false;
      const amountCents = dice.chance(50) ? one.amountCents : 1 + dice.below(one.amountCents);
      // Half of the runs submit one form twice. The other half submit two forms at once.
      const same = dice.chance(50) ? seededWorld.ctx.newId() : null;
      const wish = {
        sellerId: one.creatorId,
        decidedBy: one.creatorId,
        chargeId: one.id,
        amountCents,
        reason: "",
      };
      return await seededWorld.together(
        "refund",
        runConcurrently(times, (ctx) =>
          refundCharge(ctx, { ...wish, refundId: same ?? ctx.newId() }),
        ),
        dies,
      );
    },
  },
  dispute: {
    weight: 1,
    act({ provider }, dice) {
      const charge = dice.pick(
        [...provider.charges.values()].filter(({ status }) => status === "succeeded"),
      );
      const partOf = (leftCents: number) =>
        dice.chance(60) ? leftCents : 1 + dice.below(leftCents);
      return charge !== undefined && provider.openDispute(charge, partOf);
    },
  },
  answerDispute: {
    weight: 1,
    async act(seededWorld, dice, { times, dies }) {
      const one = await anyDispute(seededWorld, dice);
      const work = async (ctx: SeededWorld["ctx"]) => {
        if (!one) return;
        await saveEvidence(ctx, { ...one, text: "Foi entregue.", file: null });
        await submitEvidence(ctx, one);
      };
      return (
        one !== null &&
        (await seededWorld.together("answer a dispute", runConcurrently(times, work), dies))
      );
    },
  },
  acceptLoss: {
    weight: 1,
    async act(seededWorld, dice, { times, dies }) {
      const one = await anyDispute(seededWorld, dice);
      return (
        one !== null &&
        (await seededWorld.together(
          "give a dispute up",
          runConcurrently(times, (ctx) => concedeDispute(ctx, one)),
          dies,
        ))
      );
    },
  },
  decide: {
    weight: 1,
    act({ provider }, dice) {
      const open = dice.pick(
        [...provider.disputes.values()].filter(({ status }) => !isDisputeLoss(status)),
      );
      if (open) provider.decideDispute(open, dice.chance(50) ? "won" : "lost");
      return open !== undefined;
    },
  },
};
