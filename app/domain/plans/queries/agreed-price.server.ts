import { sql } from "drizzle-orm";
import type { Cents } from "#app/domain/money.ts";

/**
 * What the next period of a row of `subscriptions` costs before any coupon (centavos): the price
 * that its person accepted, where it holds by then, else its own. The twin in SQL of
 * `agreedConsent` (subscriptions/rules/price-consents.ts), for lists; the test of both holds them
 * equal.
 */
export const agreedCents =
  sql<Cents>`COALESCE((SELECT agreed.to_amount_cents FROM price_consents agreed JOIN price_asks asking ON asking.id = agreed.ask_id AND asking.withdrawn_at IS NULL
  LEFT JOIN recurring_pix allowed ON allowed.id = "subscriptions"."recurring_pix_id"
  WHERE agreed.subscription_id = "subscriptions"."id" AND agreed.from_plan_price_id = "subscriptions"."plan_price_id" AND agreed.state = 'accepted' AND agreed.applied_at IS NULL
    AND agreed.takes_effect_at <= "subscriptions"."current_period_ends_at"
    AND (allowed.id IS NULL OR allowed.amount_cents = agreed.to_amount_cents OR (allowed.amount_cents IS NULL AND agreed.to_amount_cents BETWEEN allowed.least_cents AND allowed.ceiling_cents))), "subscriptions"."amount_cents")`.as(
    "agreed_cents",
  );
