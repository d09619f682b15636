import { and, eq, inArray, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { agreedCents } from "#app/domain/plans/queries/agreed-price.server.ts";
import { monthlyPriceCents } from "#app/domain/plans/rules.ts";
import { RENEWING_STATUSES } from "#app/domain/subscriptions/rules.ts";
import type { PendingPlanChange } from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";

/** The most prices that one member may pay at once, by interval and amount. */
const MOST_PRICES = 1_000;

/**
 * The plan change of the next period of a `subscriptions` row, in SQL for lists. The same as in
 * `loadSubscriptionSnapshot`.
 */
export const nextPeriodChangeJoin =
  sql<PendingPlanChange | null>`(SELECT json_object('state', change.state, 'toPlanId', change.to_plan_id, 'toPlanPriceId', change.to_plan_price_id, 'toInterval', change.to_interval, 'toAmountCents', change.to_amount_cents) FROM plan_changes change WHERE change.subscription_id = "subscriptions"."id" AND change.state IN ('scheduled', 'paid') LIMIT 1)`.mapWith(
    (text: string): PendingPlanChange => JSON.parse(text),
  );

/**
 * The statement of a member's renewing prices; `monthlyRenewalCents` adds them up. Trials do not
 * count yet.
 */
export const renewingPricesStatement = (ctx: Context, { fanId }: { fanId: string }) =>
  ctx.db
    .select({
      interval: subscriptions.interval,
      agreedCents,
      change: nextPeriodChangeJoin.as("coming_change"),
      count: sql<number>`COUNT(*)`.as("count"),
    })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.fanId, fanId),
        inArray(
          subscriptions.status,
          RENEWING_STATUSES.filter((status) => status !== "trialing"),
        ),
      ),
    )
    .groupBy(subscriptions.interval, sql`agreed_cents`, sql`coming_change`)
    .limit(MOST_PRICES);

/**
 * "Quanto apoio por mês" (centavos): the monthly total of all renewals from the next period on,
 * before coupons, which do not last.
 */
export const monthlyRenewalCents = (
  renewing: Awaited<ReturnType<typeof renewingPricesStatement>>,
): Cents =>
  renewing.reduce(
    (sum, { interval, agreedCents: cents, change, count }) =>
      sum +
      count * monthlyPriceCents(change?.toAmountCents ?? cents, change?.toInterval ?? interval),
    0,
  );
