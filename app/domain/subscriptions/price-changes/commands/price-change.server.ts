import { and, eq, isNull, lte, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { RuleViolation, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import type { PriceChangeMessage } from "#app/domain/subscriptions/schema/outbox/price-changes.ts";
import { PlanNotFound } from "#app/domain/plans/errors.ts";
import { planOffer, creatorPlan } from "#app/domain/plans/queries.server.ts";
import { methodsForPrice } from "#app/domain/plans/rules.ts";
import { priceLabel } from "#app/domain/plans/rules/intervals.ts";
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
import type {
  OlderPayer,
  PriceChange,
} from "#app/domain/subscriptions/price-changes/queries/price-changes.server.ts";
import {
  priceChangeStatement,
  toPriceChangeView,
  priceLinkUrl,
} from "#app/domain/subscriptions/price-changes/queries/consents.server.ts";
import type { PriceChangeView } from "#app/domain/subscriptions/price-changes/queries/consents.server.ts";
import {
  priceLinkExpiresAt,
  needsNewMandate,
  priceChangeEffect,
  priceReminderAt,
  takesEffectAt,
} from "#app/domain/subscriptions/price-changes/rules.ts";
import { priceAsks, priceConsents, subscriptions } from "#drizzle/schema/subscriptions.ts";

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
    payers.map((payer) => notificationStatements(ctx, ask, payer, names)),
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

async function notificationStatements(
  ctx: Context,
  ask: PriceChange,
  payer: OlderPayer,
  names: { creatorName: string; planName: string },
): Promise<{ key: string; writes: BatchWrite[] }> {
  const {
    id: subscriptionId,
    fanId,
    planPriceId: fromPlanPriceId,
    amountCents: fromAmountCents,
    mandate,
  } = payer;
  const [key, now, { interval }] = [`price_ask:${ask.id}:${subscriptionId}`, ctx.now(), ask];
  const prices = {
    fromPrice: priceLabel({ amountCents: fromAmountCents, interval }),
    toPrice: priceLabel({ amountCents: ask.amountCents, interval }),
  };
  const row = {
    subscriptionId,
    askId: ask.id,
    fromPlanPriceId,
    fromAmountCents,
    toPlanPriceId: ask.planPriceId,
    toAmountCents: ask.amountCents,
    createdAt: now,
  };
  if (priceChangeEffect(payer, ask.amountCents, mandate) === "lower") {
    return {
      key,
      writes: [
        ctx.db
          .insert(priceConsents)
          .values({ ...row, takesEffectAt: now, state: "accepted", appliedAt: now }),
        loweredStatement(ctx, payer, ask),
        announce<PriceChangeMessage>(ctx, key, {
          type: "subscription.price_lowered",
          subscriptionId,
          fanId,
          ...names,
          ...prices,
          beginsAt: payer.currentPeriodEndsAt,
        }),
      ],
    };
  }
  const effectAt = ask.takesEffectAt;
  const asked = await askedAnnouncement(ctx, {
    subscriptionId,
    fanId,
    askId: ask.id,
    ...names,
    ...prices,
    takesEffectAt: effectAt,
    needsMandate: needsNewMandate(ask.amountCents, mandate),
    movesToPix: !methodsForPrice(ask.amountCents).includes(payer.method),
    isReminder: false,
  });
  return {
    key,
    writes: [
      ctx.db.insert(priceConsents).values({
        ...row,
        takesEffectAt: effectAt,
        state: "asked",
        remindAt: priceReminderAt(effectAt),
      }),
      announce<PriceChangeMessage>(ctx, key, asked),
    ],
  };
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
  const { key, writes } = await notificationStatements(
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

/** Throws StaleWrite if the subscription changed so that a lower price would act otherwise. */
function loweredStatement(
  ctx: Context,
  { id, planPriceId, amountCents, method, status, mandate }: OlderPayer,
  ask: PriceChange,
): BatchWrite {
  return mustChangeOne(
    ctx.db
      .update(subscriptions)
      .set({ planPriceId: ask.planPriceId, amountCents: ask.amountCents, updatedAt: ctx.now() })
      .where(
        and(
          eq(subscriptions.id, id),
          eq(subscriptions.planPriceId, planPriceId),
          eq(subscriptions.amountCents, amountCents),
          eq(subscriptions.method, method),
          eq(subscriptions.status, status),
          sql`${subscriptions.recurringPixId} IS ${mandate?.id ?? null}`,
          noPendingPlanChange,
        ),
      ),
  );
}

type PriceAskedMessage = Extract<PriceChangeMessage, { type: "subscription.price_asked" }>;

async function askedAnnouncement(
  ctx: Context,
  { askId, ...asked }: Omit<PriceAskedMessage, "type" | "url" | "linkUntil"> & { askId: string },
): Promise<PriceAskedMessage> {
  const until = priceLinkExpiresAt(asked.takesEffectAt);
  return {
    type: "subscription.price_asked",
    ...asked,
    linkUntil: until,
    url: await priceLinkUrl(ctx, { askId, subscriptionId: asked.subscriptionId, until }),
  };
}

/**
 * Sends one reminder, a week before the date, to a subscriber who did not answer. Sends nothing if
 * the price change is over or the subscription no longer renews. Safe to run twice.
 */
export async function remindPriceChange(
  ctx: Context,
  { subscriptionId }: { subscriptionId: string },
): Promise<void> {
  const view = toPriceChangeView((await priceChangeStatement(ctx, { subscriptionId }))[0]);
  const asked =
    view?.state === "asked" && view.mayAnswer && priceReminderAt(view.takesEffectAt) <= ctx.now()
      ? view
      : null;
  const key = `price_ask:${asked?.askId ?? ""}:${subscriptionId}:reminder`;
  await commit(ctx.db, [
    ctx.db
      .update(priceConsents)
      .set({ remindedAt: ctx.now() })
      .where(
        and(
          eq(priceConsents.subscriptionId, subscriptionId),
          eq(priceConsents.state, "asked"),
          isNull(priceConsents.remindedAt),
          lte(priceConsents.remindAt, ctx.now()),
        ),
      ),
    ...(asked ? [announce<PriceChangeMessage>(ctx, key, await reminderOf(ctx, asked))] : []),
  ]);
  if (asked) await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: key });
}

async function reminderOf(
  ctx: Context,
  {
    subscriptionId,
    askId,
    fanId,
    creatorName,
    planName,
    interval,
    fromAmountCents,
    toAmountCents,
    takesEffectAt,
    needsMandate,
    movesToPix,
  }: PriceChangeView,
): Promise<PriceAskedMessage> {
  const prices = {
    fromPrice: priceLabel({ amountCents: fromAmountCents, interval }),
    toPrice: priceLabel({ amountCents: toAmountCents, interval }),
  };
  return await askedAnnouncement(ctx, {
    subscriptionId,
    askId,
    fanId,
    creatorName,
    planName,
    ...prices,
    takesEffectAt,
    needsMandate,
    movesToPix,
    isReminder: true,
  });
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
