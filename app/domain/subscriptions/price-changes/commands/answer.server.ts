import { and, eq, isNull, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { countAction } from "#app/domain/rate-limits/commands.server.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import type { PriceChangeMessage } from "#app/domain/subscriptions/schema/outbox/price-changes.ts";
import { priceLabel } from "#app/domain/plans/rules/intervals.ts";
import {
  PriceChangeClosed,
  NewPriceAlreadyCharged,
  PriceLinkExpired,
  TooManyPriceAnswers,
} from "#app/domain/subscriptions/price-changes/errors.ts";
import { priceConsentRow } from "#app/domain/subscriptions/price-changes/queries/price-changes.server.ts";
import {
  openedPriceLink,
  fanPriceChange,
} from "#app/domain/subscriptions/price-changes/queries/consents.server.ts";
import type { PriceChangeView } from "#app/domain/subscriptions/price-changes/queries/consents.server.ts";
import { LINK_RATE_LIMITS } from "#app/domain/subscriptions/email-links/rules.ts";
import type { PriceAnswer, PriceLink } from "#app/domain/subscriptions/price-changes/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { priceConsents, subscriptions } from "#drizzle/schema/subscriptions.ts";
import { cancelOpenRenewals } from "#app/domain/subscriptions/open-renewals/commands.server.ts";
import { memberSubscription } from "#app/domain/subscriptions/commands.server.ts";
import type { MemberSubscriptionRef } from "#app/domain/subscriptions/commands.server.ts";

type PriceConsentAnswer = { askId: string; answer: PriceAnswer };
type MemberAnswer = MemberSubscriptionRef & PriceConsentAnswer & { by: "session" | "link" };

/**
 * Accepts a new price for a member's subscription, or keeps the current one. The answer may change
 * until a charge is made at the new price. Returns the price change answered. Refuses
 * SubscriptionNotFound (also for another member's), PriceChangeClosed, NewPriceAlreadyCharged,
 * TooManyPriceAnswers.
 */
export async function answerPriceChange(
  ctx: Context,
  { askId, answer, by, ...reference }: MemberAnswer,
): Promise<PriceChangeView> {
  const { currentPeriodEndsAt } = await memberSubscription(ctx, reference);
  await countAction(
    ctx,
    { act: "price-answer", personId: reference.fanId, limits: LINK_RATE_LIMITS },
    () => new TooManyPriceAnswers(),
  );
  const { view, key } = await retryOnConflict(() =>
    saveAnswer(ctx, { ...reference, askId, answer, by }),
  );
  if (key === null) return view;
  await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: key });
  // After a refund, an open code may belong to a period that is no longer the next one. Its price
  // may no longer apply.
  if (answer === "kept")
    await cancelOpenRenewals(ctx, {
      subscriptionId: reference.subscriptionId,
      exceptStart: currentPeriodEndsAt,
    });
  return view;
}

/** `key` is the id of the outbox message; null when the answer is the one that is saved. */
async function saveAnswer(
  ctx: Context,
  member: MemberAnswer,
): Promise<{ view: PriceChangeView; key: string | null }> {
  const { fanId, subscriptionId, askId, answer } = member;
  const view = await fanPriceChange(ctx, { fanId, subscriptionId });
  if (!view || view.askId !== askId || !view.mayAnswer)
    throw await overOrCharged(ctx, { subscriptionId, askId });
  if (view.state === answer) return { view, key: null };
  const now = ctx.now();
  const key = `price_ask:${askId}:${subscriptionId}:${answer}:${now}`;
  await commit(ctx.db, [
    ...answeredStatements(ctx, member, view, now),
    announce<PriceChangeMessage>(ctx, key, {
      type: "subscription.price_answered",
      subscriptionId,
      fanId,
      creatorName: view.creatorName,
      planName: view.planName,
      isAccepted: answer === "accepted",
      fromPrice: priceLabel({ amountCents: view.fromAmountCents, interval: view.interval }),
      toPrice: priceLabel({ amountCents: view.toAmountCents, interval: view.interval }),
      takesEffectAt: view.takesEffectAt,
      needsMandate: view.needsMandate,
      appOrigin: ctx.settings.appOrigin,
    }),
  ]);
  return { view: { ...view, state: answer }, key };
}

/** Throws StaleWrite if the price change is over, or was answered or charged since it was read. */
function answeredStatements(
  ctx: Context,
  { subscriptionId, askId, answer, by }: MemberAnswer,
  view: PriceChangeView,
  now: Instant,
): BatchWrite[] {
  const isAskOpen = sql`EXISTS (SELECT 1 FROM price_asks open_ask WHERE open_ask.id = ${askId} AND open_ask.withdrawn_at IS NULL)`;
  return [
    mustChangeOne(
      ctx.db
        .update(priceConsents)
        .set({ state: answer, answeredAt: now, answeredBy: by })
        .where(
          and(
            eq(priceConsents.subscriptionId, subscriptionId),
            eq(priceConsents.askId, askId),
            eq(priceConsents.state, view.state),
            isNull(priceConsents.appliedAt),
            isAskOpen,
          ),
        ),
    ),
    // The price and method of the next period may change now.
    mustChangeOne(
      ctx.db
        .update(subscriptions)
        .set({ calendarAt: now, updatedAt: now })
        .where(and(eq(subscriptions.id, subscriptionId), eq(subscriptions.status, view.status))),
    ),
  ];
}

/**
 * Answers one price change of one subscription by the signed link of an email, for whoever holds
 * it. Refuses PriceLinkExpired, and what the answer itself refuses.
 */
export async function answerPriceChangeByLink(
  ctx: Context,
  { answer, ...link }: PriceLink & Pick<PriceConsentAnswer, "answer">,
): Promise<void> {
  const opened = await openedPriceLink(ctx, link);
  if (!opened) throw new PriceLinkExpired();
  const { askId, subscriptionId } = link;
  if (!opened.view) throw await overOrCharged(ctx, { subscriptionId, askId });
  await answerPriceChange(ctx, {
    fanId: opened.view.fanId,
    subscriptionId,
    askId,
    answer,
    by: "link",
  });
}

async function overOrCharged(
  ctx: Context,
  asked: { subscriptionId: string; askId: string },
): Promise<Error> {
  const consent = await priceConsentRow(ctx, asked);
  return consent?.appliedAt ? new NewPriceAlreadyCharged() : new PriceChangeClosed();
}
