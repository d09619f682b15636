import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { exactlyOne } from "#app/db/client.server.ts";
import type { Write } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { PurchaseFacts } from "#app/domain/subscriptions/queries/purchase-facts.server.ts";
import { nextTerms } from "#app/domain/subscriptions/rules/plan-changes.ts";
import { priceBefore } from "#app/domain/subscriptions/rules/price-consents.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import type { PriceConsent } from "#app/domain/subscriptions/schema/price-consents.ts";
import type { Instant } from "#app/domain/time.ts";
import { priceConsents, subscriptions } from "#drizzle/schema/subscriptions.ts";

/**
 * The statements by which a subscription costs what its person agreed to from its next period on,
 * for the batch that makes the charge of that period, before it: so what is charged, the price that
 * is kept and the next payment that is shown are one. Stale when they answered otherwise or the ask
 * was withdrawn.
 */
export function agreedStatements(
  ctx: Context,
  { subscription, change, agreed }: Pick<PurchaseFacts, "subscription" | "change" | "agreed">,
): Write[] {
  if (!agreed || change !== null) return [];
  const { planPriceId, amountCents, method } = nextTerms(subscription, null, agreed);
  const isAskOpen = sql`EXISTS (SELECT 1 FROM price_asks open_ask WHERE open_ask.id = ${agreed.askId} AND open_ask.withdrawn_at IS NULL)`;
  return [
    exactlyOne(
      ctx.db
        .update(priceConsents)
        .set({ appliedAt: ctx.now() })
        .where(
          and(
            eq(priceConsents.subscriptionId, subscription.id),
            eq(priceConsents.askId, agreed.askId),
            eq(priceConsents.state, "accepted"),
            isNull(priceConsents.appliedAt),
            isAskOpen,
          ),
        ),
    ),
    exactlyOne(
      ctx.db
        .update(subscriptions)
        .set({
          planPriceId,
          amountCents,
          method,
          savedMethodId: method === subscription.method ? subscription.savedMethodId : null,
          updatedAt: ctx.now(),
        })
        .where(
          and(
            eq(subscriptions.id, subscription.id),
            eq(subscriptions.planPriceId, subscription.planPriceId),
          ),
        ),
    ),
  ];
}

/**
 * The statements by which a subscription whose paid time ends at `endsAt` again costs what it did
 * before the prices that hold only later (`priceBefore`), for the batch that puts its period back;
 * what was accepted holds from its date on, while it is still asked for. None where nothing is to
 * be put back.
 */
export function putBackStatements(
  ctx: Context,
  { subscription, consents }: { subscription: Subscription; consents: readonly PriceConsent[] },
  endsAt: Instant,
): Write[] {
  const before = priceBefore(subscription, consents, endsAt);
  if (!before) return [];
  const { askIds, planPriceId, amountCents } = before;
  return [
    exactlyOne(
      ctx.db
        .update(subscriptions)
        .set({ planPriceId, amountCents, updatedAt: ctx.now() })
        .where(
          and(
            eq(subscriptions.id, subscription.id),
            eq(subscriptions.planPriceId, subscription.planPriceId),
            eq(subscriptions.amountCents, subscription.amountCents),
          ),
        ),
    ),
    ctx.db
      .update(priceConsents)
      .set({ appliedAt: null })
      .where(
        and(
          eq(priceConsents.subscriptionId, subscription.id),
          inArray(priceConsents.askId, askIds),
          isNotNull(priceConsents.appliedAt),
        ),
      ),
  ];
}
