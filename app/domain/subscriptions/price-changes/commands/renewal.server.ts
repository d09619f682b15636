import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import { nextTerms } from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import { priceBeforeConsents } from "#app/domain/subscriptions/price-changes/rules.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import type { PriceConsent } from "#app/domain/subscriptions/price-changes/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { priceConsents, subscriptions } from "#drizzle/schema/subscriptions.ts";

/**
 * The statements that apply the agreed price from the next period on. They go before that period's
 * charge in the same batch. So the charge, the saved price and the shown price agree. They throw
 * StaleWrite if the answer changed or the price change was withdrawn.
 */
export function applyAgreedPriceStatements(
  ctx: Context,
  {
    subscription,
    change,
    agreed,
  }: Pick<SubscriptionSnapshot, "subscription" | "change" | "agreed">,
): BatchWrite[] {
  if (!agreed || change !== null) return [];
  const { planPriceId, amountCents, method } = nextTerms(subscription, null, agreed);
  const isAskOpen = sql`EXISTS (SELECT 1 FROM price_asks open_ask WHERE open_ask.id = ${agreed.askId} AND open_ask.withdrawn_at IS NULL)`;
  return [
    mustChangeOne(
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
    mustChangeOne(
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
 * The statements that restore the price from before consents that apply only later
 * (`priceBeforeConsents`). They belong to the batch that returns the paid time's end to `endsAt`.
 * An accepted price still applies from its date, unless withdrawn. Empty when nothing is to be
 * restored.
 */
export function revertPriceStatements(
  ctx: Context,
  { subscription, consents }: { subscription: Subscription; consents: readonly PriceConsent[] },
  endsAt: Instant,
): BatchWrite[] {
  const before = priceBeforeConsents(subscription, consents, endsAt);
  if (!before) return [];
  const { askIds, planPriceId, amountCents } = before;
  return [
    mustChangeOne(
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
