import { sql } from "drizzle-orm";
import type { Cents } from "#app/domain/money.ts";

/**
 * The price of the next period of a `subscriptions` row before any coupon (centavos). It is the
 * accepted price if that applies by then, else its own. The same as `agreedConsent`
 * (subscriptions/price-changes/rules.ts) in SQL, for lists; one test holds both equal.
 */
export const agreedCents =
  sql<Cents>`COALESCE((SELECT agreed.to_amount_cents FROM price_consents agreed JOIN price_asks asking ON asking.id = agreed.ask_id AND asking.withdrawn_at IS NULL
  LEFT JOIN recurring_pix allowed ON allowed.id = "subscriptions"."recurring_pix_id"
  WHERE agreed.subscription_id = "subscriptions"."id" AND agreed.from_plan_price_id = "subscriptions"."plan_price_id" AND agreed.state = 'accepted' AND agreed.applied_at IS NULL
    AND agreed.takes_effect_at <= "subscriptions"."current_period_ends_at"
    AND (allowed.id IS NULL OR allowed.amount_cents = agreed.to_amount_cents OR (allowed.amount_cents IS NULL AND agreed.to_amount_cents BETWEEN allowed.least_cents AND allowed.ceiling_cents))), "subscriptions"."amount_cents")`.as(
    "agreed_cents",
  );
