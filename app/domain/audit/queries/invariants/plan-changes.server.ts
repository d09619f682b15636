import { sql } from "drizzle-orm";
import type { Invariant } from "./moved.server.ts";

/** Invariants of plan changes. */
export const planChangeInvariants: readonly Invariant[] = [
  {
    name: "plan_changes_paid",
    title: "Toda mudança de plano feita foi paga, e nada dela voltou inteiro",
    sql: () => sql`
      SELECT m.id FROM plan_changes m WHERE m.state IN ('done', 'paid') AND NOT EXISTS (
        SELECT 1 FROM charges c WHERE c.plan_change_id = m.id AND c.purchase_id = m.subscription_id AND c.succeeded_at IS NOT NULL
          AND (m.happens = 'next_period' OR (c.purchase_kind = 'plan_change' AND c.amount_cents = m.due_cents AND c.status NOT IN ('refunded', 'dispute_lost'))))`,
  },
  {
    name: "plan_changes_answered",
    title: "Cada diferença paga mudou o plano, ou o dinheiro voltou",
    sql: () => sql`
      SELECT c.id FROM charges c LEFT JOIN plan_changes m ON m.id = c.plan_change_id
      WHERE c.purchase_kind = 'plan_change' AND c.status IN ('succeeded', 'partially_refunded', 'dispute_won') AND m.state IS NOT 'done'
        AND NOT EXISTS (SELECT 1 FROM refunds r WHERE r.charge_id = c.id AND r.status IN ('requested', 'failed'))`,
  },
  {
    name: "prices_agreed",
    title: "Nenhuma cobrança de assinatura passa do preço com que a pessoa concordou",
    sql: () => sql`
      SELECT c.id FROM charges c JOIN subscriptions s ON s.id = c.purchase_id
      WHERE c.purchase_kind = 'subscription' AND c.amount_cents > COALESCE(json_array_length(c.periods_cents), 1) * MAX(s.amount_cents,
        COALESCE((SELECT MAX(MAX(m.from_amount_cents, m.to_amount_cents)) FROM plan_changes m WHERE m.subscription_id = s.id), 0),
        COALESCE((SELECT MAX(MAX(k.from_amount_cents, CASE WHEN k.state = 'accepted' AND (k.applied_at <= c.created_at OR (k.answered_at <= c.created_at AND c.period_starts_at >= k.takes_effect_at)) THEN k.to_amount_cents ELSE 0 END)) FROM price_consents k WHERE k.subscription_id = s.id), 0))
        -- Nor what took nothing: a price may have been put back since.
        AND c.status NOT IN ('failed', 'expired', 'canceled')
        -- What waits for a period that is not the next one any more is given back when it is paid (decideCharge): its person may answer otherwise meanwhile.
        AND NOT (c.succeeded_at IS NULL AND c.period_starts_at IS NOT NULL AND s.status NOT IN ('incomplete', 'expired') AND c.period_starts_at IS NOT s.current_period_ends_at)
        -- What was taken above it goes back whole.
        AND NOT EXISTS (SELECT 1 FROM refunds r WHERE r.charge_id = c.id AND r.status <> 'failed' AND r.amount_cents = c.amount_cents)`,
  },
  {
    name: "prices_consented",
    title: "Quem paga um preço novo aceitou pagar",
    sql: () => sql`
      SELECT k.subscription_id AS id FROM price_consents k JOIN subscriptions s ON s.id = k.subscription_id
      WHERE s.plan_price_id = k.to_plan_price_id AND (k.state <> 'accepted' OR k.applied_at IS NULL) AND NOT EXISTS (SELECT 1 FROM plan_changes m WHERE m.subscription_id = s.id AND (m.to_plan_price_id = s.plan_price_id OR m.from_plan_price_id = s.plan_price_id))`,
  },
  {
    name: "prices_dated",
    title: "Ninguém paga um preço novo antes da data combinada",
    sql: () => sql`
      SELECT s.id FROM price_consents k JOIN subscriptions s ON s.id = k.subscription_id
      WHERE k.to_amount_cents > k.from_amount_cents AND s.plan_price_id = k.to_plan_price_id AND s.status NOT IN ('incomplete', 'expired') AND s.current_period_ends_at < k.takes_effect_at
        AND NOT EXISTS (SELECT 1 FROM plan_changes m WHERE m.subscription_id = s.id AND (m.to_plan_price_id = s.plan_price_id OR m.from_plan_price_id = s.plan_price_id))
      UNION ALL
      SELECT c.id FROM price_consents k JOIN charges c ON c.purchase_kind = 'subscription' AND c.purchase_id = k.subscription_id
      WHERE k.to_amount_cents > k.from_amount_cents AND c.created_at >= k.created_at AND c.period_starts_at < k.takes_effect_at AND c.amount_cents = COALESCE(json_array_length(c.periods_cents), 1) * k.to_amount_cents
        AND NOT EXISTS (SELECT 1 FROM plan_changes m WHERE m.subscription_id = k.subscription_id AND k.to_amount_cents IN (m.to_amount_cents, m.from_amount_cents))
        AND NOT EXISTS (SELECT 1 FROM price_consents also WHERE also.subscription_id = k.subscription_id AND also.ask_id <> k.ask_id AND k.to_amount_cents IN (also.from_amount_cents, also.to_amount_cents))`,
  },
  {
    name: "coverage_paid",
    title: "Nenhuma cobrança paga por mais do que trouxe",
    sql: () =>
      sql`SELECT p.charge_id AS id FROM charge_periods p JOIN charges c ON c.id = p.charge_id GROUP BY p.charge_id HAVING SUM(COALESCE(p.amount_cents, 0)) > MAX(c.amount_cents)`,
  },
];
