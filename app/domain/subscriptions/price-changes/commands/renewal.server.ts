import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/settlement/queries.server.ts";
import { nextTerms } from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import { priceBeforeConsents } from "#app/domain/subscriptions/price-changes/rules.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import type { PriceConsent } from "#app/domain/subscriptions/price-changes/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { priceConsents, subscriptions } from "#drizzle/schema/subscriptions.ts";

/**
 * The statements by which a subscription costs what its person agreed to from its next period on,
 * for the batch that makes the charge of that period, before it: so what is charged, the price that
 * is kept and the next payment that is shown are one. Stale when they answered otherwise or the ask
 * was withdrawn.
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
 * The statements by which a subscription whose paid time ends at `endsAt` again costs what it did
 * before the prices that hold only later (`priceBeforeConsents`), for the batch that puts its
 * period back; what was accepted holds from its date on, while it is still asked for. None where
 * nothing is to be put back.
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
