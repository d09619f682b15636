import type { Context } from "#app/domain/context.ts";
import { settleCharge } from "#app/domain/payments/charges/commands/settle.server.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import type { Dice } from "./scheduler.ts";
import type { SeededWorld, WorldWork } from "./seeded-world.ts";

/** How many processes run an action at once, and at which point which of them crashes. */
export type Concurrency = { times: number; dies: { who: number; at: number } | null };

/**
 * One action in the seeded world. Returns whether it had an effect. An action that was impossible
 * or refused returns false.
 */
export type ChaosAction = (
  seededWorld: SeededWorld,
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

export function requestRandom(dice: Dice, seededWorld: SeededWorld) {
  const [fan, [method, cardToken]] = [dice.pick(seededWorld.fans), dice.pick(WAYS) ?? WAYS[0]];
  return { memberId: fan?.id ?? "", memberName: fan?.name ?? "", method, cardToken };
}

export type OwnSubscription = { fanId: string; subscriptionId: string };
type Subscription = typeof subscriptions.$inferSelect;

type Fits = (row: Subscription) => boolean;
const isLive: Fits = ({ status }) => status !== "expired" && status !== "incomplete";

/** Picks a subscription at random: in most cases one that fits, if there is one. */
export async function anySubscription(
  seededWorld: SeededWorld,
  dice: Dice,
  fits: Fits = isLive,
): Promise<(OwnSubscription & { row: Subscription }) | null> {
  const rows = await seededWorld.ctx.db.select().from(subscriptions).orderBy(subscriptions.id);
  const fitting = rows.filter(fits);
  const row = dice.pick(fitting.length > 0 && dice.chance(80) ? fitting : rows);
  return row ? { fanId: row.fanId, subscriptionId: row.id, row } : null;
}

/** An action that runs the same command on one subscription in several processes at once. */
export const onOneSubscription =
  (
    name: string,
    work: (ctx: Context, subscription: OwnSubscription) => Promise<unknown>,
    fits?: Fits,
  ): ChaosAction =>
  async (seededWorld, dice, { times, dies }) => {
    const one = await anySubscription(seededWorld, dice, fits);
    if (!one) return false;
    const { fanId, subscriptionId } = one;
    return await seededWorld.together(
      name,
      runConcurrently(times, (ctx) => work(ctx, { fanId, subscriptionId })),
      dies,
    );
  };

/**
 * Pays the last open checkout, most of the time, even if we lost the provider's answer to it. Half
 * of the payers then open the return page. Returns `took`.
 */
export async function payCheckoutNow(
  seededWorld: SeededWorld,
  dice: Dice,
  took: boolean,
): Promise<boolean> {
  const last = [...seededWorld.provider.charges.values()].findLast(
    ({ status }) => status === "awaiting_payment" || status === "requires_action",
  );
  if (!last || !dice.chance(65)) return took;
  seededWorld.provider.payCharge(last);
  if (dice.chance(50))
    await seededWorld.together(
      "return page",
      [(ctx) => settleCharge(ctx, { chargeId: last.reference ?? "" })],
      null,
    );
  return took;
}
