import { and, eq, isNull, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { RuleViolation, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import { PlanNotFound } from "#app/domain/plans/errors.ts";
import { planOffer, creatorPlan } from "#app/domain/plans/queries.server.ts";
import {
  NoSubscribersToAsk,
  PriceChangeAlreadyProposed,
  PlanPriceNotOffered,
} from "#app/domain/subscriptions/price-changes/errors.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import {
  noPendingPlanChange,
  olderPayers,
  olderPriceCounts,
  priceChangeRow,
} from "#app/domain/subscriptions/price-changes/queries/price-changes.server.ts";
import type { PriceChange } from "#app/domain/subscriptions/price-changes/queries/price-changes.server.ts";
import { takesEffectAt } from "#app/domain/subscriptions/price-changes/rules.ts";
import { priceAsks, subscriptions } from "#drizzle/schema/subscriptions.ts";
import { priceNotificationStatements } from "./notification.server.ts";

/** People notified in one batch, and batches in one call. */
const PAGE = 40;
const MOST_PAGES = 5;

type PriceChangeRequest = {
  creatorId: string;
  planId: string;
  planPriceId: string;
  /** The amount that was shown. */ amountCents: Cents;
  actedBy?: string | null;
};

/**
 * Proposes a plan's current price to subscribers of an older price, at least thirty days ahead. A
 * lower price applies from the next period, and its subscribers are only notified. It is never
 * automatic: the creator asks for it. Refuses PlanNotFound (also for another creator's),
 * PlanPriceNotOffered when it is not the current price, PriceChangeAlreadyProposed,
 * NoSubscribersToAsk. Source: domain rules, "Plans" (a new price).
 */
export async function proposePriceChange(
  ctx: Context,
  { creatorId, planId, planPriceId, amountCents, actedBy = null }: PriceChangeRequest,
): Promise<void> {
  const plan = await creatorPlan(ctx, { planId, creatorId });
  if (!plan) throw new PlanNotFound();
  const price = plan.prices.find(({ id }) => id === planPriceId);
  if (!price || plan.state !== "active" || price.amountCents !== amountCents)
    throw new PlanPriceNotOffered();
  const { interval } = price;
  if ((await olderPriceCounts(ctx, { planId, interval, amountCents })).length === 0)
    throw new NoSubscribersToAsk();
  const [askId, askedAt] = [ctx.newId(), ctx.now()];
  try {
    await commit(ctx.db, [
      ctx.db.insert(priceAsks).values({
        id: askId,
        planId,
        interval,
        planPriceId,
        amountCents,
        actedBy,
        askedAt,
        takesEffectAt: takesEffectAt(askedAt),
      }),
    ]);
  } catch (error) {
    if (error instanceof UniqueViolation) throw new PriceChangeAlreadyProposed();
    throw error instanceof RuleViolation ? new PlanPriceNotOffered() : error;
  }
  await notifyPriceChange(ctx, { askId });
}

/**
 * Continues the notifications of a price change from where they stopped, a few pages at a time.
 * Safe to run twice. A withdrawn price change notifies nobody else.
 */
export async function notifyPriceChange(ctx: Context, { askId }: { askId: string }): Promise<void> {
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const keys = await retryOnConflict(() => notifyPage(ctx, askId));
    if (keys === null) return;
    await ctx.queues.notifications.sendAll(
      keys.map((id) => ({ version: 1, type: "outbox.deliver", id })),
    );
  }
}

/** Notifies one more page of people; returns the message keys, or null when nobody is left. */
async function notifyPage(ctx: Context, askId: string): Promise<string[] | null> {
  const ask = await priceChangeRow(ctx, { askId });
  const offer = ask && (await planOffer(ctx, { planId: ask.planId }));
  if (!ask || !offer || ask.withdrawnAt !== null || ask.allNotifiedAt !== null) return null;
  const payers = await olderPayers(ctx, ask, { limit: PAGE });
  const last = payers.at(-1);
  const names = { creatorName: offer.creator.name, planName: offer.plan.name };
  const notifications = await Promise.all(
    payers.map((payer) => priceNotificationStatements(ctx, ask, payer, names)),
  );
  const cursor = sql`${priceAsks.notifiedUpTo} IS ${ask.notifiedUpTo}`;
  await commit(ctx.db, [
    mustChangeOne(
      ctx.db
        .update(priceAsks)
        .set(last ? { notifiedUpTo: last.cursor } : { allNotifiedAt: ctx.now() })
        .where(
          and(
            eq(priceAsks.id, askId),
            isNull(priceAsks.withdrawnAt),
            isNull(priceAsks.allNotifiedAt),
            cursor,
          ),
        ),
    ),
    ...notifications.flatMap(({ writes }) => writes),
  ]);
  return last ? notifications.map(({ key }) => key) : null;
}

/**
 * Proposes the price change to one more subscription, or gives it the lower price. Its subscriber
 * had canceled, was changing plan, or was upcoming when the others were notified. They get as many
 * days as everybody. Throws StaleWrite if they changed meanwhile or the price change is over. Each
 * subscription is asked once.
 */
export async function proposePriceChangeLate(
  ctx: Context,
  { subscription, mandate, creatorName, plan }: SubscriptionSnapshot,
  ask: PriceChange,
): Promise<void> {
  const { id, planPriceId, amountCents, status } = subscription;
  const { key, writes } = await priceNotificationStatements(
    ctx,
    { ...ask, takesEffectAt: Math.max(ask.takesEffectAt, takesEffectAt(ctx.now())) },
    { ...subscription, mandate },
    { creatorName, planName: plan.name },
  );
  await commit(ctx.db, [
    mustChangeOne(
      ctx.db
        .update(priceAsks)
        .set({ planId: ask.planId })
        .where(and(eq(priceAsks.id, ask.id), isNull(priceAsks.withdrawnAt))),
    ),
    mustChangeOne(
      ctx.db
        .update(subscriptions)
        .set({ updatedAt: ctx.now() })
        .where(
          and(
            eq(subscriptions.id, id),
            eq(subscriptions.planPriceId, planPriceId),
            eq(subscriptions.amountCents, amountCents),
            eq(subscriptions.status, status),
            noPendingPlanChange,
          ),
        ),
    ),
    ...writes,
  ]);
  await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: key });
}

/**
 * The statement that erases which team members proposed price changes, when the creator's page is
 * erased.
 */
export function erasePriceChangeActorsStatement(
  ctx: Context,
  { creatorId }: { creatorId: string },
): BatchWrite {
  return ctx.db
    .update(priceAsks)
    .set({ actedBy: null })
    .where(
      sql`${priceAsks.planId} IN (SELECT theirs.id FROM plans theirs WHERE theirs.creator_id = ${creatorId})`,
    );
}
