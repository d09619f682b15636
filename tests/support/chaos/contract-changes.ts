import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { updatePlan } from "#app/domain/plans/commands.server.ts";
import { returnFromVacation, startVacation } from "#app/domain/plans/commands/vacations.server.ts";
import { creatorPlan } from "#app/domain/plans/queries.server.ts";
import { requestPlanChangeCoolingOffRefund } from "#app/domain/subscriptions/plan-changes/commands/cooling-off.server.ts";
import { startPlanChange } from "#app/domain/subscriptions/plan-changes/commands/start.server.ts";
import {
  schedulePlanChange,
  cancelScheduledPlanChange,
} from "#app/domain/subscriptions/plan-changes/commands/schedule-change.server.ts";
import { answerPriceChange } from "#app/domain/subscriptions/price-changes/commands/answer.server.ts";
import { proposePriceChange } from "#app/domain/subscriptions/price-changes/commands/price-change.server.ts";
import { planChangeOptions } from "#app/domain/subscriptions/plan-changes/queries/quote.server.ts";
import { fanPriceChange } from "#app/domain/subscriptions/price-changes/queries/consents.server.ts";
import { canWithdrawFromChange } from "#app/domain/subscriptions/plan-changes/rules/plan-change-reversal.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { vacations } from "#drizzle/schema/plans.ts";
import { planChanges, priceConsents, subscriptions } from "#drizzle/schema/subscriptions.ts";
import { requestRandom, payCheckoutNow, runConcurrently } from "./actions.ts";
import type { ChaosActions } from "./actions.ts";
import { countGenerated } from "./generated.ts";
import type { SeededWorld } from "./seeded-world.ts";
import { ensureRecently } from "./traffic.ts";

const VACATION_DAYS = [7, 15, 45] as const;
const PRICES_CENTS = [1_490, 1_990, 2_490, 3_190] as const;

const changeOf = async (
  seededWorld: SeededWorld,
  dice: Parameters<typeof requestRandom>[0],
  happens: "now" | "next_period",
) => {
  const rows = await seededWorld.ctx.db
    .select({ subscriptionId: subscriptions.id, fanId: subscriptions.fanId })
    .from(subscriptions)
    .where(eq(subscriptions.status, "active"))
    .orderBy(subscriptions.id);
  // A plan change needs another plan on the same page. The second seller offers only one plan.
  const offered = await Promise.all(
    rows.map(async (row) => ({
      row,
      options: ((await planChangeOptions(seededWorld.ctx, row))?.options ?? []).filter(
        ({ quote }) => quote.happens === happens,
      ),
    })),
  );
  const one = dice.pick(offered.filter(({ options }) => options.length > 0));
  const option = dice.pick(one?.options ?? []);
  return one && option
    ? { mine: { ...one.row, planPriceId: option.price.id }, quote: option.quote }
    : null;
};

/**
 * Actions that change a running subscription: plan changes, price changes and the creator's
 * vacations.
 */
export const CONTRACT_CHANGE_ACTIONS: ChaosActions = {
  upgrade: {
    weight: 2,
    async act(seededWorld, dice, { times, dies }) {
      const change = await changeOf(seededWorld, dice, "now");
      if (!change) return false;
      const { method, cardToken, memberName: payerName } = requestRandom(dice, seededWorld);
      return await payCheckoutNow(
        seededWorld,
        dice,
        await seededWorld.together(
          "upgrade",
          runConcurrently(times, (ctx) =>
            startPlanChange(ctx, { ...change.mine, payerName, method, cardToken }),
          ),
          dies,
        ),
      );
    },
  },
  downgrade: {
    weight: 2,
    async act(seededWorld, dice, { times, dies }) {
      const change = await changeOf(seededWorld, dice, "next_period");
      if (change?.quote.happens !== "next_period") return false;
      const { beginsAt, nextCents } = change.quote;
      return await seededWorld.together(
        "downgrade",
        runConcurrently(times, (ctx) =>
          schedulePlanChange(ctx, { ...change.mine, beginsAt, nextCents }),
        ),
        dies,
      );
    },
  },
  undoChange: {
    weight: 1,
    async act(seededWorld, dice, { times, dies }) {
      const set = await seededWorld.ctx.db
        .select({ subscriptionId: subscriptions.id, fanId: subscriptions.fanId })
        .from(planChanges)
        .innerJoin(subscriptions, eq(subscriptions.id, planChanges.subscriptionId))
        .where(eq(planChanges.state, "scheduled"))
        .orderBy(subscriptions.id);
      const one = dice.pick(set);
      return (
        one !== undefined &&
        (await seededWorld.together(
          "undo a change",
          runConcurrently(times, (ctx) => cancelScheduledPlanChange(ctx, one)),
          dies,
        ))
      );
    },
  },
  regretChange: {
    weight: 2,
    async act(seededWorld, dice, { times, dies }) {
      await ensureRecently(seededWorld, dice, CONTRACT_CHANGE_ACTIONS, "upgrade");
      const paid = await seededWorld.ctx.db
        .select({ id: charges.id, payerId: charges.payerId, change: planChanges })
        .from(charges)
        .innerJoin(planChanges, eq(planChanges.id, charges.planChangeId))
        .where(isNotNull(charges.succeededAt))
        .orderBy(charges.id);
      const one = dice.pick(
        dice.chance(80)
          ? paid.filter(({ change }) => canWithdrawFromChange(change, seededWorld.ctx.now()))
          : paid,
      );
      if (!one) return false;
      return await seededWorld.together(
        "regret a change",
        runConcurrently(times, (ctx) =>
          requestPlanChangeCoolingOffRefund(ctx, { payerId: one.payerId, chargeId: one.id }),
        ),
        dies,
      );
    },
  },
  vacation: {
    weight: 1,
    async act(seededWorld, dice, { times, dies }) {
      // A vacation stops all sales and charges for weeks, so it is rare.
      if (!dice.chance(35)) return false;
      const [creatorId, days] = [
        dice.pick(seededWorld.sellers)?.id ?? "",
        dice.pick(VACATION_DAYS) ?? 7,
      ];
      return await seededWorld.together(
        "go on vacation",
        runConcurrently(times, (ctx) => startVacation(ctx, { creatorId, days })),
        dies,
      );
    },
  },
  comeBack: {
    weight: 1,
    async act(seededWorld, dice, { times, dies }) {
      await ensureRecently(seededWorld, dice, CONTRACT_CHANGE_ACTIONS, "vacation");
      const away = await seededWorld.ctx.db
        .select()
        .from(vacations)
        .where(and(isNull(vacations.overAt), isNull(vacations.returnedAt)))
        .orderBy(vacations.id);
      const creatorId =
        (away.length > 0 && dice.chance(80)
          ? dice.pick(away)?.creatorId
          : dice.pick(seededWorld.sellers)?.id) ?? "";
      return await seededWorld.together(
        "come back",
        runConcurrently(times, (ctx) => returnFromVacation(ctx, { creatorId })),
        dies,
      );
    },
  },
  newPrice: {
    weight: 1,
    async act(seededWorld, dice, { times, dies }) {
      const page = dice.pick(seededWorld.sellers);
      const plan =
        page && (await creatorPlan(seededWorld.ctx, { planId: page.planId, creatorId: page.id }));
      if (!page || !plan) return false;
      const { name, description, benefits, seatsLimit, trialDays, welcomeMessage } = plan;
      const prices = [
        { interval: "monthly" as const, amountCents: dice.pick(PRICES_CENTS) ?? PRICES_CENTS[0] },
      ];
      const isDone = await seededWorld.together(
        "set a price",
        runConcurrently(times, (ctx) =>
          updatePlan(ctx, {
            creatorId: page.id,
            planId: page.planId,
            name,
            description,
            benefits,
            seatsLimit,
            trialDays,
            welcomeMessage,
            prices,
          }),
        ),
        dies,
      );
      // Most buyers see the new price. Some had the form open before the change.
      if (dice.chance(85))
        page.priceId =
          (await creatorPlan(seededWorld.ctx, { planId: page.planId, creatorId: page.id }))
            ?.prices[0]?.id ?? page.priceId;
      return isDone;
    },
  },
  askPrice: {
    weight: 2,
    async act(seededWorld, dice, { times, dies }) {
      const page = seededWorld.sellers[dice.chance(80) ? 0 : 1];
      // In most cases the creator set the price just before proposing it to subscribers.
      if (dice.chance(60))
        countGenerated(
          "newPrice",
          (await CONTRACT_CHANGE_ACTIONS.newPrice?.act(seededWorld, dice, {
            times: 1,
            dies: null,
          })) ?? false,
        );
      const price =
        page &&
        (await creatorPlan(seededWorld.ctx, { planId: page.planId, creatorId: page.id }))
          ?.prices[0];
      if (!page || !price) return false;
      return await seededWorld.together(
        "ask for a price",
        runConcurrently(times, (ctx) =>
          proposePriceChange(ctx, {
            creatorId: page.id,
            planId: page.planId,
            planPriceId: price.id,
            amountCents: price.amountCents,
          }),
        ),
        dies,
      );
    },
  },
  answerPrice: {
    weight: 2,
    async act(seededWorld, dice, { times, dies }) {
      const pending = dice.pick(
        await seededWorld.ctx.db
          .select()
          .from(priceConsents)
          .orderBy(priceConsents.subscriptionId, priceConsents.askId),
      );
      const [fanId] = (await seededWorld.ctx.db.select().from(subscriptions))
        .filter(({ id }) => id === pending?.subscriptionId)
        .map((row) => row.fanId);
      if (!pending || !fanId) return false;
      const memberIds = { fanId, subscriptionId: pending.subscriptionId };
      const askId = (await fanPriceChange(seededWorld.ctx, memberIds))?.askId ?? pending.askId;
      const answer = dice.chance(70) ? ("accepted" as const) : ("kept" as const);
      return await seededWorld.together(
        "answer a price",
        runConcurrently(times, (ctx) =>
          answerPriceChange(ctx, { ...memberIds, askId, answer, by: "session" }),
        ),
        dies,
      );
    },
  },
};
