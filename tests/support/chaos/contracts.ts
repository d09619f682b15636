import { claimGift } from "#app/domain/purchases/gifts/commands/claim-gift.server.ts";
import { requestGiftCoolingOffRefund } from "#app/domain/purchases/gifts/commands/end-gift.server.ts";
import { startGift } from "#app/domain/purchases/gifts/commands/gifts.server.ts";
import { giftCode } from "#app/domain/purchases/gifts/queries/gift-codes.server.ts";
import { coolingOffUntil } from "#app/domain/purchases/rules.ts";
import { prepayPeriods } from "#app/domain/subscriptions/prepayments/commands.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { startTrial } from "#app/domain/subscriptions/trials/commands/checkout.server.ts";
import { addDays, HOUR_MS, instantOfIsoDay, isoDay } from "#app/domain/time.ts";
import { savedMethods } from "#drizzle/schema/billing.ts";
import { gifts } from "#drizzle/schema/purchases.ts";
import { anySubscription, requestRandom, payCheckoutNow, runConcurrently } from "./actions.ts";
import type { ChaosActions } from "./actions.ts";
import { countGenerated } from "./generated.ts";
import type { Dice } from "./scheduler.ts";
import { WORLD_TRIAL_DAYS } from "./seeded-world.ts";
import type { SeededWorld } from "./seeded-world.ts";
import { ensureRecently } from "./traffic.ts";

const PREPAID_PERIODS = [3, 6, 12] as const;
const CARDS = ["good", "good", "declined", "asks"] as const;

const giftsOf = async ({ ctx }: SeededWorld) => await ctx.db.select().from(gifts).orderBy(gifts.id);
const isUnclaimed = ({ paidAt, claimedAt, endedAt }: typeof gifts.$inferSelect) =>
  paidAt !== null && claimedAt === null && endedAt === null;

/**
 * Actions that start a subscription other than by paying its first period: prepaid periods, trials
 * and gifts.
 */
export const CONTRACT_START_ACTIONS: ChaosActions = {
  subscribeAhead: {
    weight: 1,
    async act(seededWorld, dice, { times, dies }) {
      const wish = {
        ...requestRandom(dice, seededWorld),
        method: "pix" as const,
        cardToken: null,
        periods: dice.pick(PREPAID_PERIODS) ?? 3,
        planPriceId: dice.pick(seededWorld.sellers)?.priceId ?? "",
        coupon: dice.chance(30) ? seededWorld.coupon : null,
      };
      return await payCheckoutNow(
        seededWorld,
        dice,
        await seededWorld.together(
          "subscribe ahead",
          runConcurrently(times, (ctx) => startSubscription(ctx, wish)),
          dies,
        ),
      );
    },
  },
  payAhead: {
    weight: 2,
    async act(seededWorld, dice, { times, dies }) {
      const one = await anySubscription(seededWorld, dice);
      if (!one) return false;
      const wish = {
        fanId: one.fanId,
        subscriptionId: one.subscriptionId,
        periods: dice.pick(PREPAID_PERIODS) ?? 3,
      };
      return await payCheckoutNow(
        seededWorld,
        dice,
        await seededWorld.together(
          "pay ahead",
          runConcurrently(times, (ctx) => prepayPeriods(ctx, wish)),
          dies,
        ),
      );
    },
  },
  trial: {
    weight: 2,
    async act(seededWorld, dice, { times, dies }) {
      const fan = requestRandom(dice, seededWorld);
      const wish = {
        ...fan,
        method: "pix" as const,
        cardToken: null,
        trialDays: WORLD_TRIAL_DAYS,
        planPriceId: seededWorld.sellers[0]?.priceId ?? "",
      };
      return await seededWorld.together(
        "begin a trial",
        runConcurrently(times, (ctx) => startTrial(ctx, wish)),
        dies,
      );
    },
  },
  trialByCard: {
    weight: 2,
    async act(seededWorld, dice, { times, dies }) {
      const fan = requestRandom(dice, seededWorld);
      const savedCards = (
        await seededWorld.ctx.db.select().from(savedMethods).orderBy(savedMethods.id)
      ).filter(({ personId }) => personId === fan.memberId);
      const savedMethodId = dice.chance(40) ? (dice.pick(savedCards)?.id ?? null) : null;
      const wish = {
        ...fan,
        method: "card" as const,
        cardToken: savedMethodId ? null : (dice.pick(CARDS) ?? "good"),
        savedMethodId,
        trialDays: WORLD_TRIAL_DAYS,
        planPriceId: seededWorld.sellers[0]?.priceId ?? "",
      };
      const took = await seededWorld.together(
        "begin a trial by card",
        runConcurrently(times, (ctx) => startTrial(ctx, wish)),
        dies,
      );
      if (dice.chance(50)) countGenerated("confirmCard", confirmed(seededWorld, dice));
      return took;
    },
  },
  confirmCard: { weight: 1, act: (seededWorld, dice) => confirmed(seededWorld, dice) },
  gift: {
    weight: 2,
    async act(seededWorld, dice, { times, dies }) {
      const to = dice.pick(seededWorld.fans);
      const deliverOn = dice.chance(30)
        ? instantOfIsoDay(isoDay(addDays(seededWorld.ctx.now(), 3)))
        : null;
      const wish = {
        ...requestRandom(dice, seededWorld),
        planPriceId: dice.pick(seededWorld.sellers)?.priceId ?? "",
        recipientName: to?.name ?? "",
        recipientEmail: dice.chance(50) ? (to?.email ?? "") : "",
        message: "",
        deliverOn,
      };
      return await payCheckoutNow(
        seededWorld,
        dice,
        await seededWorld.together(
          "give",
          runConcurrently(times, (ctx) => startGift(ctx, wish)),
          dies,
        ),
      );
    },
  },
  claimGift: {
    weight: 2,
    async act(seededWorld, dice, { times, dies }) {
      const all = await giftsOf(seededWorld);
      const gift = dice.pick(dice.chance(80) ? all.filter(isUnclaimed) : all);
      if (!gift) return false;
      const code = await giftCode(seededWorld.ctx, { giftId: gift.id });
      const works = Array.from({ length: times }, () => dice.pick(seededWorld.fans)).flatMap(
        (fan) =>
          fan
            ? [
                (ctx: SeededWorld["ctx"]) =>
                  claimGift(ctx, { memberId: fan.id, memberName: fan.name, code }),
              ]
            : [],
      );
      return await seededWorld.together("claim a gift", works, dies);
    },
  },
  regretGift: {
    weight: 2,
    async act(seededWorld, dice, { times, dies }) {
      await ensureRecently(seededWorld, dice, CONTRACT_START_ACTIONS, "gift");
      const all = await giftsOf(seededWorld);
      const gift = dice.pick(
        dice.chance(80)
          ? all.filter(
              ({ paidAt, endedAt }) =>
                endedAt === null &&
                (coolingOffUntil({ boughtAt: paidAt }) ?? 0) > seededWorld.ctx.now(),
            )
          : all,
      );
      if (!gift) return false;
      return await seededWorld.together(
        "regret a gift",
        runConcurrently(times, (ctx) =>
          requestGiftCoolingOffRefund(ctx, { personId: gift.giverId, giftId: gift.id }),
        ),
        dies,
      );
    },
  },
  giftRunsOut: {
    weight: 1,
    async act(seededWorld, dice) {
      const gift = dice.pick((await giftsOf(seededWorld)).filter(isUnclaimed));
      // The clock jumps by up to a year and everything else runs out too, so this is rare.
      if (!gift || !dice.chance(30)) return false;
      seededWorld.advance((gift.claimUntil ?? 0) + HOUR_MS - seededWorld.ctx.now());
      return true;
    },
  },
};

/** Answers the bank's 3DS check of a card that is being saved. Returns whether one waited. */
function confirmed({ provider }: SeededWorld, dice: Dice): boolean {
  const card = dice.pick(
    [...provider.savedCards.values()].filter(({ status }) => status === "requires_action"),
  );
  if (card) provider.answerCard(card, dice.chance(70) ? "ready" : "failed");
  return card !== undefined;
}
