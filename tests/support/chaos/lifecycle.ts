import { startPurchase } from "#app/domain/purchases/single-purchases/commands/checkout.server.ts";
import {
  requestTipCoolingOffRefund,
  startTip,
} from "#app/domain/purchases/tips/commands/tips.server.ts";
import {
  cancelSubscription,
  reactivateSubscription,
} from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { endComp, grantComp } from "#app/domain/subscriptions/comps/commands.server.ts";
import {
  pauseSubscription,
  resumeSubscription,
} from "#app/domain/subscriptions/pauses/commands.server.ts";
import { tips } from "#drizzle/schema/purchases.ts";
import {
  anySubscription,
  requestRandom,
  payCheckoutNow,
  runConcurrently,
  onOneSubscription,
} from "./actions.ts";
import type { ChaosActions } from "./actions.ts";
import { ensureRecently } from "./traffic.ts";

const TIPS_CENTS = [500, 1_000, 2_350] as const;

/**
 * Other actions of members: coupons, collections, tips, cancellations, pauses and complimentary
 * subscriptions.
 */
export const LIFECYCLE_ACTIONS: ChaosActions = {
  subscribeWithCoupon: {
    weight: 2,
    async act(seededWorld, dice, { times, dies }) {
      const wish = {
        ...requestRandom(dice, seededWorld),
        planPriceId: dice.pick(seededWorld.sellers)?.priceId ?? "",
        coupon: seededWorld.coupon,
      };
      return await payCheckoutNow(
        seededWorld,
        dice,
        await seededWorld.together(
          "subscribe with a coupon",
          runConcurrently(times, (ctx) => startSubscription(ctx, wish)),
          dies,
        ),
      );
    },
  },
  buyCollection: {
    weight: 1,
    async act(seededWorld, dice, { times, dies }) {
      const wish = {
        ...requestRandom(dice, seededWorld),
        kind: "collection" as const,
        targetId: dice.pick(seededWorld.collections) ?? "",
      };
      return await seededWorld.together(
        "buy a collection",
        runConcurrently(times, (ctx) => startPurchase(ctx, wish)),
        dies,
      );
    },
  },
  tip: {
    weight: 2,
    async act(seededWorld, dice, { times, dies }) {
      const wish = {
        ...requestRandom(dice, seededWorld),
        creatorKey: dice.pick(seededWorld.sellers)?.id ?? "",
        amountCents: dice.pick(TIPS_CENTS) ?? TIPS_CENTS[0],
        message: "Valeu!",
      };
      return await payCheckoutNow(
        seededWorld,
        dice,
        await seededWorld.together(
          "tip",
          runConcurrently(times, (ctx) => startTip(ctx, wish)),
          dies,
        ),
      );
    },
  },
  regretTip: {
    weight: 1,
    async act(seededWorld, dice, { times, dies }) {
      const one = dice.pick(await seededWorld.ctx.db.select().from(tips).orderBy(tips.id));
      return (
        one !== undefined &&
        (await seededWorld.together(
          "regret a tip",
          runConcurrently(times, (ctx) =>
            requestTipCoolingOffRefund(ctx, { personId: one.personId, tipId: one.id }),
          ),
          dies,
        ))
      );
    },
  },
  cancel: { weight: 1, act: onOneSubscription("cancel", cancelSubscription) },
  reactivate: {
    weight: 1,
    act: onOneSubscription(
      "reactivate",
      reactivateSubscription,
      ({ status, giftedBy }) => status === "canceled" && giftedBy === null,
    ),
  },
  pause: { weight: 1, act: onOneSubscription("pause", pauseSubscription) },
  resume: {
    weight: 1,
    act: onOneSubscription("resume", resumeSubscription, ({ status }) => status === "paused"),
  },
  comp: {
    weight: 1,
    async act(seededWorld, dice, { times, dies }) {
      const [page, fan] = [dice.pick(seededWorld.sellers), dice.pick(seededWorld.fans)];
      if (!page || !fan) return false;
      const gift = {
        creatorId: page.id,
        creatorName: page.name,
        givenBy: page.id,
        username: fan.username,
        planId: page.planId,
        months: dice.chance(50) ? 1 : null,
      };
      return await seededWorld.together(
        "give a comp",
        runConcurrently(times, (ctx) => grantComp(ctx, gift)),
        dies,
      );
    },
  },
  endComp: {
    weight: 2,
    async act(seededWorld, dice, { times, dies }) {
      await ensureRecently(seededWorld, dice, LIFECYCLE_ACTIONS, "comp");
      const one = await anySubscription(
        seededWorld,
        dice,
        ({ compEndsAt, status }) => compEndsAt !== null && status === "active",
      );
      if (!one) return false;
      const by = dice.chance(50) ? { fanId: one.fanId } : { creatorId: one.row.creatorId };
      return await seededWorld.together(
        "end a comp",
        runConcurrently(times, (ctx) => endComp(ctx, { subscriptionId: one.subscriptionId, by })),
        dies,
      );
    },
  },
};
