import { and, eq } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { planOffer, plansOfCreator } from "#app/domain/plans/queries.server.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import { hasFreeSeat } from "#app/domain/plans/rules.ts";
import { liveSubscription } from "#app/domain/subscriptions/queries.server.ts";
import { isLive } from "#app/domain/subscriptions/rules.ts";
import type { SubscriptionStatus } from "#app/domain/subscriptions/schema.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";

type ResubscribePlan = { planId: string; name: string; interval: Interval; amountCents: Cents };

export type ResubscribeOption =
  /** It still runs, or another subscription to the same page does. */
  | { kind: "subscribed"; subscriptionId: string }
  /** The same plan and interval is on sale at `amountCents`; the member paid `beforeCents` before. */
  | { kind: "same"; planId: string; interval: Interval; amountCents: Cents; beforeCents: Cents }
  /** It is not on sale; `because` says why, and `others` lists what is. */
  | {
      kind: "others";
      because: "not_sold" | "full" | "interval";
      planName: string;
      creatorName: string;
      creatorUsername: string;
      others: ResubscribePlan[];
    };

/**
 * How a member can subscribe again; null for anyone else's. Source: domain rules, "Subscriptions",
 * row `expired`.
 */
export async function resubscribeOption(
  ctx: Context,
  { fanId, subscriptionId }: { fanId: string; subscriptionId: string },
): Promise<ResubscribeOption | null> {
  const [row] = await ctx.db
    .select({
      creatorId: subscriptions.creatorId,
      planId: subscriptions.planId,
      interval: subscriptions.interval,
      amountCents: subscriptions.amountCents,
      status: subscriptions.status,
    })
    .from(subscriptions)
    .where(and(eq(subscriptions.id, subscriptionId), eq(subscriptions.fanId, fanId)))
    .limit(1);
  if (!row) return null;
  if (isLive(row.status as SubscriptionStatus)) return { kind: "subscribed", subscriptionId };
  const live = await liveSubscription(ctx, { fanId, creatorId: row.creatorId });
  if (live) return { kind: "subscribed", subscriptionId: live.id };
  const offer = await planOffer(ctx, {
    planId: row.planId,
    interval: row.interval,
    buyerId: fanId,
  });
  if (!offer) return null;
  const { plan, price, creator } = offer;
  // A vacation is only mentioned at the payment.
  const availability = offer.availability === "away" ? "open" : offer.availability;
  if (availability === "open" && price.interval === row.interval)
    return {
      kind: "same",
      planId: plan.id,
      interval: price.interval,
      amountCents: price.amountCents,
      beforeCents: row.amountCents,
    };
  return {
    kind: "others",
    because: availability === "open" ? "interval" : availability === "full" ? "full" : "not_sold",
    planName: plan.name,
    creatorName: creator.name,
    creatorUsername: creator.username,
    others: await offeredBy(ctx, { creatorId: row.creatorId }),
  };
}

/** The plans that a page sells now, at the first price of each; empty when its creator may not sell. */
async function offeredBy(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<ResubscribePlan[]> {
  const plans = (await plansOfCreator(ctx, { creatorId, states: ["active"] })).filter(hasFreeSeat);
  const [first] = plans;
  const sells = first
    ? (await planOffer(ctx, { planId: first.id }))?.availability === "open"
    : false;
  return sells
    ? plans.flatMap(({ id, name, prices: [price] }) =>
        price
          ? [{ planId: id, name, interval: price.interval, amountCents: price.amountCents }]
          : [],
      )
    : [];
}
