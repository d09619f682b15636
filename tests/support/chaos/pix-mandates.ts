import {
  createPixMandate,
  endPixMandate,
  requestRenewalCode,
} from "#app/domain/subscriptions/pix-mandates/commands/mandates.server.ts";
import { changeRenewalMethod } from "#app/domain/subscriptions/payment-methods/commands/change-method.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { savedMethods } from "#drizzle/schema/billing.ts";
import { recurringPix } from "#drizzle/schema/subscriptions.ts";
import { anySubscription, requestRandom, runConcurrently, onOneSubscription } from "./actions.ts";
import type { ChaosActions } from "./actions.ts";
import { countGenerated } from "./generated.ts";
import type { Dice } from "./scheduler.ts";
import type { SeededWorld } from "./seeded-world.ts";
import { ensureRecently } from "./traffic.ts";

/**
 * Actions of Pix Automático: mandates created, answered and ended, and renewals that change their
 * payment method.
 */
export const PIX_MANDATE_ACTIONS: ChaosActions = {
  subscribeAutomatic: {
    weight: 3,
    async act(seededWorld, dice, { times, dies }) {
      const wish = {
        ...requestRandom(dice, seededWorld),
        method: "pix" as const,
        cardToken: null,
        isAutomatic: true,
        planPriceId: dice.pick(seededWorld.sellers)?.priceId ?? "",
        coupon: dice.chance(20) ? seededWorld.coupon : null,
      };
      const took = await seededWorld.together(
        "subscribe by Pix Automático",
        runConcurrently(times, (ctx) => startSubscription(ctx, wish)),
        dies,
      );
      return took && answeredAtOnce(seededWorld, dice);
    },
  },
  authorise: { weight: 1, act: onOneSubscription("authorise Pix Automático", createPixMandate) },
  endAutomatic: {
    weight: 2,
    async act(seededWorld, dice, { times, dies }) {
      await ensureRecently(seededWorld, dice, PIX_MANDATE_ACTIONS, "subscribeAutomatic");
      const mandates = (await seededWorld.ctx.db.select().from(recurringPix))
        .filter(({ status, endingAt }) => status === "active" && endingAt === null)
        .map(({ id }) => id);
      const one = await anySubscription(
        seededWorld,
        dice,
        ({ recurringPixId }) => recurringPixId !== null && mandates.includes(recurringPixId),
      );
      if (!one) return false;
      const { fanId, subscriptionId } = one;
      return await seededWorld.together(
        "end Pix Automático",
        runConcurrently(times, (ctx) => endPixMandate(ctx, { fanId, subscriptionId })),
        dies,
      );
    },
  },
  payByCode: {
    weight: 1,
    act: onOneSubscription(
      "pay a renewal by code",
      requestRenewalCode,
      ({ status }) => status === "past_due",
    ),
  },
  changeMethod: {
    weight: 1,
    async act(seededWorld, dice, { times, dies }) {
      const one = await anySubscription(seededWorld, dice);
      if (!one) return false;
      const cards = (
        await seededWorld.ctx.db.select().from(savedMethods).orderBy(savedMethods.id)
      ).filter(({ personId }) => personId === one.fanId);
      const card = dice.chance(60) ? dice.pick(cards) : undefined;
      const wish = {
        fanId: one.fanId,
        subscriptionId: one.subscriptionId,
        ...(card
          ? { method: "card" as const, savedMethodId: card.id }
          : { method: "pix" as const, savedMethodId: null }),
      };
      return await seededWorld.together(
        "change how it renews",
        runConcurrently(times, (ctx) => changeRenewalMethod(ctx, wish)),
        dies,
      );
    },
  },
  bankApproves: { weight: 2, act: (seededWorld, dice) => answered.bankApproves(seededWorld, dice) },
  bankPaysOnly: { weight: 1, act: (seededWorld, dice) => answered.bankPaysOnly(seededWorld, dice) },
  bankConsentsOnly: {
    weight: 1,
    act: (seededWorld, dice) => answered.bankConsentsOnly(seededWorld, dice),
  },
  bankRejects: { weight: 1, act: (seededWorld, dice) => answered.bankRejects(seededWorld, dice) },
  bankCancels: {
    weight: 1,
    act({ provider }, dice) {
      const row = dice.pick(
        [...provider.recurring.values()].filter(({ status }) => status === "active"),
      );
      return row !== undefined && provider.endRecurring(row, "canceled");
    },
  },
};

const waiting = ({ provider }: SeededWorld, dice: Dice) =>
  dice.pick([...provider.recurring.values()].filter(({ status }) => status === "created"));

/** The answers that a payer's bank may give to a pending Pix mandate. */
const answered = {
  bankApproves(seededWorld: SeededWorld, dice: Dice): boolean {
    const first = seededWorld.provider.charges.get(waiting(seededWorld, dice)?.firstChargeId ?? "");
    return first !== undefined && seededWorld.provider.payCharge(first);
  },
  bankPaysOnly(seededWorld: SeededWorld, dice: Dice): boolean {
    const row = waiting(seededWorld, dice);
    return row !== undefined && seededWorld.provider.answerInHalf(row, "payment");
  },
  bankConsentsOnly(seededWorld: SeededWorld, dice: Dice): boolean {
    const row = waiting(seededWorld, dice);
    return row !== undefined && seededWorld.provider.answerInHalf(row, "consent");
  },
  bankRejects(seededWorld: SeededWorld, dice: Dice): boolean {
    const row = waiting(seededWorld, dice);
    return row !== undefined && seededWorld.provider.endRecurring(row, "rejected");
  },
};

const AT_ONCE = [
  "bankApproves",
  "bankApproves",
  "bankApproves",
  "bankApproves",
  "bankPaysOnly",
  "bankConsentsOnly",
  "bankRejects",
  null,
] as const;

/** Answers a new Pix mandate at once, most of the time. Always returns true. */
function answeredAtOnce(seededWorld: SeededWorld, dice: Dice): boolean {
  const answer = dice.pick(AT_ONCE);
  if (answer) countGenerated(answer, answered[answer](seededWorld, dice));
  return true;
}
