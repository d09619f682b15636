import { and, eq, sql } from "drizzle-orm";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { PriceChangeMessage } from "#app/domain/subscriptions/schema/outbox/price-changes.ts";
import { methodsForPrice } from "#app/domain/plans/rules.ts";
import { priceLabel } from "#app/domain/plans/rules/intervals.ts";
import { noPendingPlanChange } from "#app/domain/subscriptions/price-changes/queries/price-changes.server.ts";
import type {
  OlderPayer,
  PriceChange,
} from "#app/domain/subscriptions/price-changes/queries/price-changes.server.ts";
import { priceLinkUrl } from "#app/domain/subscriptions/price-changes/queries/consents.server.ts";
import {
  priceLinkExpiresAt,
  needsNewMandate,
  priceChangeEffect,
  priceReminderAt,
} from "#app/domain/subscriptions/price-changes/rules.ts";
import { priceConsents, subscriptions } from "#drizzle/schema/subscriptions.ts";
import type { Instant } from "#app/domain/time.ts";

/** Notifies one subscriber: asks for an answer to a higher price, or gives them the lower one. */
export async function priceNotificationStatements(
  ctx: Context,
  ask: PriceChange,
  payer: OlderPayer,
  names: PlanNames,
): Promise<{ key: string; writes: BatchWrite[] }> {
  const key = `price_ask:${ask.id}:${payer.id}`;
  const effect = priceChangeEffect(payer, ask.amountCents, payer.mandate);
  const notification = { key, payer, names, now: ctx.now() };
  const writes =
    effect === "lower"
      ? loweredStatements(ctx, ask, notification)
      : await askedStatements(ctx, ask, notification);
  return { key, writes };
}

type PlanNames = { creatorName: string; planName: string };
type PriceNotification = { key: string; payer: OlderPayer; names: PlanNames; now: Instant };

const loweredStatements = (
  ctx: Context,
  ask: PriceChange,
  { key, payer, names, now }: PriceNotification,
): BatchWrite[] => [
  ctx.db.insert(priceConsents).values({
    ...consentRow(ask, payer, now),
    takesEffectAt: now,
    state: "accepted",
    appliedAt: now,
  }),
  loweredStatement(ctx, payer, ask),
  announce<PriceChangeMessage>(ctx, key, {
    type: "subscription.price_lowered",
    subscriptionId: payer.id,
    fanId: payer.fanId,
    ...names,
    ...priceLabels(ask, payer),
    beginsAt: payer.currentPeriodEndsAt,
  }),
];

async function askedStatements(
  ctx: Context,
  ask: PriceChange,
  { key, payer, names, now }: PriceNotification,
): Promise<BatchWrite[]> {
  const { takesEffectAt } = ask;
  const message = await askedMessage(ctx, {
    subscriptionId: payer.id,
    fanId: payer.fanId,
    askId: ask.id,
    ...names,
    ...priceLabels(ask, payer),
    takesEffectAt,
    needsMandate: needsNewMandate(ask.amountCents, payer.mandate),
    movesToPix: !methodsForPrice(ask.amountCents).includes(payer.method),
    isReminder: false,
  });
  return [
    ctx.db.insert(priceConsents).values({
      ...consentRow(ask, payer, now),
      takesEffectAt,
      state: "asked",
      remindAt: priceReminderAt(takesEffectAt),
    }),
    announce<PriceChangeMessage>(ctx, key, message),
  ];
}

const consentRow = (ask: PriceChange, payer: OlderPayer, createdAt: Instant) => ({
  subscriptionId: payer.id,
  askId: ask.id,
  fromPlanPriceId: payer.planPriceId,
  fromAmountCents: payer.amountCents,
  toPlanPriceId: ask.planPriceId,
  toAmountCents: ask.amountCents,
  createdAt,
});

const priceLabels = ({ amountCents, interval }: PriceChange, payer: OlderPayer) => ({
  fromPrice: priceLabel({ amountCents: payer.amountCents, interval }),
  toPrice: priceLabel({ amountCents, interval }),
});

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

export type PriceAskedMessage = Extract<PriceChangeMessage, { type: "subscription.price_asked" }>;

/** Builds the message that asks for an answer, with its signed link. */
export async function askedMessage(
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
