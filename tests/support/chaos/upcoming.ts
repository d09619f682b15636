import { regretSubscription } from "#app/domain/subscriptions/commands/ending/regret.server.ts";
import { startSubscription } from "#app/domain/subscriptions/commands/checkout.server.ts";
import { giveComp } from "#app/domain/subscriptions/commands/comp.server.ts";
import { endingGift } from "#app/domain/subscriptions/rules/upcoming.ts";
import { isLive } from "#app/domain/subscriptions/rules.ts";
import { asSubscription } from "#app/domain/subscriptions/queries.server.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { blocks } from "#drizzle/schema/profiles.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { runRenewals } from "#workers/renewals/run.ts";
import { asked, paidAtOnce, repeated, toOne } from "./acts.ts";
import type { Acts } from "./acts.ts";
import { count } from "./dealt.ts";
import type { Dice } from "./stage.ts";
import type { Town } from "./town.ts";
import { heard, lately } from "./traffic.ts";

const isUpcoming = ({ status }: { status: string }) => status === "upcoming";

const liveOnes = async ({ ctx }: Town) =>
  (await ctx.db.select().from(subscriptions).orderBy(subscriptions.id))
    .map(asSubscription)
    .filter(({ status }) => isLive(status));

/** What was given and runs out, with nothing after it yet. */
async function endings(town: Town) {
  const [live, { ctx }] = [await liveOnes(town), town];
  return live.flatMap(({ id, fanId, creatorId }) => {
    const ending = endingGift(
      live.filter((one) => one.fanId === fanId && one.creatorId === creatorId),
      ctx.now(),
    );
    return ending?.id === id ? [{ fanId, creatorId, endsAt: ending.endsAt }] : [];
  });
}

/**
 * Somebody who has nothing of a page is given a month of it, mostly of the one whose seats do not
 * end.
 */
async function givenAMonth(town: Town, dice: Dice): Promise<boolean> {
  const live = await liveOnes(town);
  const pairs = (dice.chance(80) ? town.sellers.slice(0, 1) : town.sellers).flatMap((page) =>
    town.fans.map((fan) => ({ page, fan })),
  );
  const { page, fan } =
    dice.pick(
      pairs.filter(
        (pair) =>
          !live.some(({ fanId, creatorId }) => fanId === pair.fan.id && creatorId === pair.page.id),
      ),
    ) ?? {};
  if (!page || !fan) return false;
  return await town.together(
    "give a comp",
    [
      (ctx) =>
        giveComp(ctx, {
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

/** What is paid while something that was given runs, and begins after it. */
export const UPCOMING: Acts = {
  follow: {
    weight: 3,
    async act(town, dice, { times, dies }) {
      if (dice.chance(60)) count("comp", await givenAMonth(town, dice));
      const one = dice.pick(await endings(town));
      const priceId = town.sellers.find(({ id }) => id === one?.creatorId)?.priceId;
      const fan = town.fans.find(({ id }) => id === one?.fanId);
      if (!one || !fan || !priceId) return false;
      const { method, cardToken } = asked(dice, town);
      const wish = {
        memberId: fan.id,
        memberName: fan.name,
        method,
        cardToken,
        planPriceId: priceId,
        beginsAt: one.endsAt,
      };
      const took = await paidAtOnce(
        town,
        dice,
        await town.together(
          "follow",
          repeated(times, (ctx) => startSubscription(ctx, wish)),
          dies,
        ),
      );
      if (dice.chance(60)) await heard(town, dice);
      return took;
    },
  },
  regretUpcoming: {
    weight: 2,
    async act(town, dice, how) {
      await lately(town, dice, UPCOMING, "follow");
      return await toOne("regret what did not begin", regretSubscription, isUpcoming)(
        town,
        dice,
        how,
      );
    },
  },
  /** Its day comes: the calendar runs, some of what it hands out at once and by several. */
  begins: {
    weight: 2,
    async act(town, dice, { times, dies }) {
      await lately(town, dice, UPCOMING, "follow");
      const row = dice.pick((await liveOnes(town)).filter(isUpcoming));
      if (!row || row.startedAt === null) return false;
      town.advance(Math.max(0, row.startedAt + MINUTE_MS - town.ctx.now()));
      await town.together("cron", repeated(times, runRenewals), dies);
      await heard(town, dice);
      return true;
    },
  },
  /** A block in the moment of a payment, which `block` did not see; some are taken back. */
  blockAhead: {
    weight: 1,
    async act(town, dice, { times, dies }) {
      await lately(town, dice, UPCOMING, "follow");
      const row = dice.pick((await liveOnes(town)).filter(isUpcoming));
      if (!row) return false;
      const [blockerId, blockedId] = dice.chance(50)
        ? [row.fanId, row.creatorId]
        : [row.creatorId, row.fanId];
      await town.ctx.db
        .insert(blocks)
        .values({ blockerId, blockedId, createdAt: town.ctx.now() })
        .onConflictDoNothing();
      if (dice.chance(30)) town.advance(DAY_MS);
      await town.together("cron", repeated(times, runRenewals), dies);
      await heard(town, dice);
      if (dice.chance(50)) await town.ctx.db.delete(blocks);
      return true;
    },
  },
};
