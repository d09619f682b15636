import type { Context } from "#app/domain/context.ts";
import { settleCharge } from "#app/domain/payments/charges/commands/settle.server.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import type { Dice } from "./scheduler.ts";
import type { SeededWorld, WorldWork } from "./seeded-world.ts";

/** How many do something at the same moment, and who of them dies where. */
export type Concurrency = { times: number; dies: { who: number; at: number } | null };

/**
 * What happens in the town. Gives whether anything came of it: what nobody could do, or was
 * refused, is no happening.
 */
export type ChaosAction = (
  town: SeededWorld,
  dice: Dice,
  how: Concurrency,
) => Promise<boolean> | boolean;

export type ChaosActions = Record<string, { weight: number; act: ChaosAction }>;

export const runConcurrently = (times: number, work: WorldWork): WorldWork[] =>
  Array.from({ length: times }, () => work);
const WAYS = [
  ["pix", null],
  ["pix", null],
  ["card", "good"],
  ["card", "declined"],
  ["card", null],
] as const;

export function requestRandom(dice: Dice, town: SeededWorld) {
  const [fan, [method, cardToken]] = [dice.pick(town.fans), dice.pick(WAYS) ?? WAYS[0]];
  return { memberId: fan?.id ?? "", memberName: fan?.name ?? "", method, cardToken };
}

export type OwnSubscription = { fanId: string; subscriptionId: string };
type Subscription = typeof subscriptions.$inferSelect;

type Fits = (row: Subscription) => boolean;
const isLive: Fits = ({ status }) => status !== "expired" && status !== "incomplete";

/** Any subscription; one that fits, where there is one, most of the time. */
export async function anySubscription(
  town: SeededWorld,
  dice: Dice,
  fits: Fits = isLive,
): Promise<(OwnSubscription & { row: Subscription }) | null> {
  const rows = await town.ctx.db.select().from(subscriptions).orderBy(subscriptions.id);
  const fitting = rows.filter(fits);
  const row = dice.pick(fitting.length > 0 && dice.chance(80) ? fitting : rows);
  return row ? { fanId: row.fanId, subscriptionId: row.id, row } : null;
}

/** The same thing done to any subscription, at the same moment by several. */
export const onOneSubscription =
  (
    name: string,
    work: (ctx: Context, mine: OwnSubscription) => Promise<unknown>,
    fits?: Fits,
  ): ChaosAction =>
  async (town, dice, { times, dies }) => {
    const one = await anySubscription(town, dice, fits);
    if (!one) return false;
    const { fanId, subscriptionId } = one;
    return await town.together(
      name,
      runConcurrently(times, (ctx) => work(ctx, { fanId, subscriptionId })),
      dies,
    );
  };

/**
 * Most who open a checkout pay it at once, also while its answer is lost to us, and half of them
 * look at the page that says so.
 */
export async function payCheckoutNow(
  town: SeededWorld,
  dice: Dice,
  took: boolean,
): Promise<boolean> {
  const last = [...town.provider.charges.values()].findLast(
    ({ status }) => status === "awaiting_payment" || status === "requires_action",
  );
  if (!last || !dice.chance(65)) return took;
  town.provider.payCharge(last);
  if (dice.chance(50))
    await town.together(
      "return page",
      [(ctx) => settleCharge(ctx, { chargeId: last.reference ?? "" })],
      null,
    );
  return took;
}
