import { and, eq, isNull, lte } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { PriceChangeMessage } from "#app/domain/subscriptions/schema/outbox/price-changes.ts";
import { priceLabel } from "#app/domain/plans/rules/intervals.ts";
import {
  priceChangeStatement,
  toPriceChangeView,
} from "#app/domain/subscriptions/price-changes/queries/consents.server.ts";
import type { PriceChangeView } from "#app/domain/subscriptions/price-changes/queries/consents.server.ts";
import { priceReminderAt } from "#app/domain/subscriptions/price-changes/rules.ts";
import { priceConsents } from "#drizzle/schema/subscriptions.ts";
import { askedMessage } from "./notification.server.ts";
import type { PriceAskedMessage } from "./notification.server.ts";

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
  return await askedMessage(ctx, {
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
