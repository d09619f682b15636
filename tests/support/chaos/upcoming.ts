import { requestSubscriptionCoolingOffRefund } from "#app/domain/subscriptions/cancellations/commands/cooling-off.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { grantComp } from "#app/domain/subscriptions/comps/commands.server.ts";
import { endingGiftOrComp } from "#app/domain/subscriptions/renewals/rules/upcoming.ts";
import { isLive } from "#app/domain/subscriptions/rules.ts";
import { toSubscription } from "#app/domain/subscriptions/queries.server.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { blocks } from "#drizzle/schema/profiles.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { runRenewals } from "#workers/renewals/run.ts";
import { requestRandom, payCheckoutNow, runConcurrently, onOneSubscription } from "./actions.ts";
import type { ChaosActions } from "./actions.ts";
import { countGenerated } from "./generated.ts";
import type { Dice } from "./scheduler.ts";
import type { SeededWorld } from "./seeded-world.ts";
import { deliverAll, ensureRecently } from "./traffic.ts";

const isUpcoming = ({ status }: { status: string }) => status === "upcoming";

const liveOnes = async ({ ctx }: SeededWorld) =>
  (await ctx.db.select().from(subscriptions).orderBy(subscriptions.id))
    .map(toSubscription)
    .filter(({ status }) => isLive(status));

/** The gifts and complimentary subscriptions that end with no subscription after them yet. */
async function endings(seededWorld: SeededWorld) {
  const [live, { ctx }] = [await liveOnes(seededWorld), seededWorld];
  return live.flatMap(({ id, fanId, creatorId }) => {
    const ending = endingGiftOrComp(
      live.filter((one) => one.fanId === fanId && one.creatorId === creatorId),
      ctx.now(),
    );
    return ending?.id === id ? [{ fanId, creatorId, endsAt: ending.endsAt }] : [];
  });
}

/**
 * Grants a month's complimentary subscription to a member who has no live subscription there. In
 * most cases it is to the seller without a seat limit.
 */
async function givenAMonth(seededWorld: SeededWorld, dice: Dice): Promise<boolean> {
  const live = await liveOnes(seededWorld);
  const pairs = (dice.chance(80) ? seededWorld.sellers.slice(0, 1) : seededWorld.sellers).flatMap(
    (page) => seededWorld.fans.map((fan) => ({ page, fan })),
  );
  const { page, fan } =
    dice.pick(
      pairs.filter(
        (pair) =>
          !live.some(({ fanId, creatorId }) => fanId === pair.fan.id && creatorId === pair.page.id),
      ),
    ) ?? {};
  if (!page || !fan) return false;
  return await seededWorld.together(
    "give a comp",
    [
      (ctx) =>
        grantComp(ctx, {
          creatorId: page.id,
          creatorName: page.name,
          givenBy: page.id,
          username: fan.username,
          planId: page.planId,
          months: 1,
        }),
    ],
    null,
  );
}

/** Actions of upcoming subscriptions, paid during a gift or comp and starting after it. */
export const UPCOMING_ACTIONS: ChaosActions = {
  follow: {
    weight: 3,
    async act(seededWorld, dice, { times, dies }) {
      if (dice.chance(60)) countGenerated("comp", await givenAMonth(seededWorld, dice));
      const one = dice.pick(await endings(seededWorld));
      const priceId = seededWorld.sellers.find(({ id }) => id === one?.creatorId)?.priceId;
      const fan = seededWorld.fans.find(({ id }) => id === one?.fanId);
      if (!one || !fan || !priceId) return false;
      const { method, cardToken } = requestRandom(dice, seededWorld);
      const wish = {
        memberId: fan.id,
        memberName: fan.name,
        method,
        cardToken,
        planPriceId: priceId,
        beginsAt: one.endsAt,
      };
      const took = await payCheckoutNow(
        seededWorld,
        dice,
        await seededWorld.together(
          "follow",
          runConcurrently(times, (ctx) => startSubscription(ctx, wish)),
          dies,
        ),
      );
      if (dice.chance(60)) await deliverAll(seededWorld, dice);
      return took;
    },
  },
  regretUpcoming: {
    weight: 2,
    async act(seededWorld, dice, how) {
      await ensureRecently(seededWorld, dice, UPCOMING_ACTIONS, "follow");
      return await onOneSubscription(
        "regret what did not begin",
        requestSubscriptionCoolingOffRefund,
        isUpcoming,
      )(seededWorld, dice, how);
    },
  },
  /** Advances to the start of an upcoming subscription and runs the renewals' cron concurrently. */
  begins: {
    weight: 2,
    async act(seededWorld, dice, { times, dies }) {
      await ensureRecently(seededWorld, dice, UPCOMING_ACTIONS, "follow");
      const row = dice.pick((await liveOnes(seededWorld)).filter(isUpcoming));
      if (!row || row.startedAt === null) return false;
      seededWorld.advance(Math.max(0, row.startedAt + MINUTE_MS - seededWorld.ctx.now()));
      await seededWorld.together("cron", runConcurrently(times, runRenewals), dies);
      await deliverAll(seededWorld, dice);
      return true;
    },
  },
  /** Inserts a block just as a payment arrives, unseen by `block`. Removes some of them again. */
  blockAhead: {
    weight: 1,
    async act(seededWorld, dice, { times, dies }) {
      await ensureRecently(seededWorld, dice, UPCOMING_ACTIONS, "follow");
      const row = dice.pick((await liveOnes(seededWorld)).filter(isUpcoming));
      if (!row) return false;
      const [blockerId, blockedId] = dice.chance(50)
        ? [row.fanId, row.creatorId]
        : [row.creatorId, row.fanId];
      await seededWorld.ctx.db
        .insert(blocks)
        .values({ blockerId, blockedId, createdAt: seededWorld.ctx.now() })
        .onConflictDoNothing();
      if (dice.chance(30)) seededWorld.advance(DAY_MS);
      await seededWorld.together("cron", runConcurrently(times, runRenewals), dies);
      await deliverAll(seededWorld, dice);
      if (dice.chance(50)) await seededWorld.ctx.db.delete(blocks);
      return true;
    },
  },
};
