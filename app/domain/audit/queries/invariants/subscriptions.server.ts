import { sql } from "drizzle-orm";
import type { Invariant } from "./moved.server.ts";
import { DAY_MS } from "#app/domain/time.ts";

const GRACE_MS = 8 * DAY_MS;

/** SQL of how far the creator's vacations shifted the subscription `s`. */
const vacationMs = sql`COALESCE((SELECT SUM(x.moved_ms) FROM vacation_shifts x WHERE x.subscription_id = s.id), 0)`;

/** Invariants of live subscriptions and of the upcoming ones after them. */
export const subscriptionInvariants: readonly Invariant[] = [
  {
    name: "one_live_subscription",
    title: "Uma assinatura viva por pessoa e criação, e no máximo uma que começa depois dela",
    sql: () => sql`
      SELECT fan_id, creator_id FROM subscriptions WHERE status NOT IN ('incomplete', 'upcoming', 'expired') GROUP BY fan_id, creator_id HAVING COUNT(*) > 1
      UNION ALL
      SELECT fan_id, creator_id FROM subscriptions WHERE status = 'upcoming' GROUP BY fan_id, creator_id HAVING COUNT(*) > 1`,
  },
  {
    name: "upcoming_paid",
    title: "O que vai começar está pago, e ainda não abre nada",
    sql: () => sql`
      SELECT s.id FROM subscriptions s WHERE s.status = 'upcoming' AND (s.access_until IS NOT NULL OR s.started_at IS NULL OR s.started_at <> s.current_period_starts_at OR NOT EXISTS (
        SELECT 1 FROM charge_periods p JOIN charges c ON c.id = p.charge_id WHERE p.subscription_id = s.id AND c.succeeded_at IS NOT NULL AND p.starts_at = s.started_at AND p.ends_at = s.current_period_ends_at))`,
  },
  {
    // A refunded plan change ends nothing. A renewal charge that restarts a subscription, instead
    // of renewing it, starts it when it is paid. That is before the end of the free days only for a
    // trial that had ended.
    name: "ended_stays_ended",
    title:
      "Nenhuma assinatura que terminou antes da hora começou de novo por uma cobrança de antes",
    sql: () => sql`
      SELECT c.id FROM subscriptions s JOIN charge_periods p ON p.subscription_id = s.id AND p.starts_at = s.started_at
      JOIN charges c ON c.id = p.charge_id AND c.purchase_kind = 'subscription' AND c.period_starts_at IS NOT NULL
      WHERE s.status NOT IN ('incomplete', 'expired') AND ((p.starts_at < s.trial_ends_at AND c.period_starts_at = s.trial_ends_at) OR EXISTS (
        SELECT 1 FROM charge_periods b JOIN charges paid ON paid.id = b.charge_id AND paid.purchase_kind <> 'plan_change'
        WHERE b.subscription_id = s.id AND b.charge_id <> c.id AND b.ends_at = c.period_starts_at AND (
          EXISTS (SELECT 1 FROM disputes d WHERE d.charge_id = b.charge_id AND d.status = 'lost' AND paid.status = 'dispute_lost' AND d.settled_at < MIN(b.ends_at, c.succeeded_at))
          -- While the bank fights over another of its payments a refund ends nothing.
          OR (NOT EXISTS (SELECT 1 FROM disputes f JOIN charges disputed ON disputed.id = f.charge_id WHERE disputed.purchase_id = s.id)
            AND EXISTS (SELECT 1 FROM refunds r JOIN charges o ON o.id = r.charge_id WHERE r.charge_id = b.charge_id AND r.status = 'succeeded' AND r.amount_cents = o.amount_cents AND r.settled_at < MIN(b.ends_at, c.succeeded_at))))))`,
  },
  {
    name: "access_explained",
    title:
      "Todo acesso vem de um período pago, de um período grátis, da tolerância, de férias de quem cria ou de uma cortesia",
    sql: () => sql`
      SELECT s.id FROM subscriptions s WHERE s.status IN ('trialing', 'active', 'past_due', 'canceled') AND NOT (s.comp_ends_at IS NOT NULL AND s.amount_cents = 0 AND s.comp_ends_at >= s.access_until)
        AND NOT (s.trial_ends_at IS NOT NULL AND s.status <> 'active' AND s.trial_ends_at + ${GRACE_MS} + ${vacationMs} >= s.access_until) AND NOT EXISTS (
        SELECT 1 FROM charge_periods p JOIN charges c ON c.id = p.charge_id
        WHERE p.subscription_id = s.id AND c.succeeded_at IS NOT NULL AND p.ends_at + ${GRACE_MS} + ${vacationMs} >= s.access_until)`,
  },
  {
    name: "audience_kept",
    title: "A contagem de assinantes é a soma das assinaturas",
    sql: () => sql`
      SELECT creator_id, status FROM (
        SELECT creator_id, status, plan_id, method, 1 AS people, CASE WHEN status <> 'active' THEN 0 WHEN interval = 'weekly' THEN (amount_cents * 104 + 12) / 24 WHEN interval = 'quarterly' THEN (amount_cents * 2 + 3) / 6
          WHEN interval = 'semiannual' THEN (amount_cents * 2 + 6) / 12 WHEN interval = 'annual' THEN (amount_cents * 2 + 12) / 24 ELSE amount_cents END AS monthly_cents FROM subscriptions WHERE started_at IS NOT NULL
        UNION ALL SELECT creator_id, status, plan_id, method, -count, -monthly_cents FROM audience_totals)
      GROUP BY creator_id, status, plan_id, method HAVING SUM(people) <> 0 OR SUM(monthly_cents) <> 0`,
  },
  {
    name: "recurring_kept",
    title: "A receita recorrente é a soma das assinaturas, e a soma do que a moveu",
    sql: () => sql`
      SELECT creator_id FROM (
        SELECT s.creator_id, 1 AS people, CASE WHEN s.interval = 'weekly' THEN (s.amount_cents * 104 + 12) / 24 WHEN s.interval = 'quarterly' THEN (s.amount_cents * 2 + 3) / 6
          WHEN s.interval = 'semiannual' THEN (s.amount_cents * 2 + 6) / 12 WHEN s.interval = 'annual' THEN (s.amount_cents * 2 + 12) / 24 ELSE s.amount_cents END AS monthly_cents, 0 AS moved_people, 0 AS moved_cents
        FROM subscriptions s WHERE s.status IN ('active', 'past_due', 'requires_action', 'canceled') AND s.started_at IS NOT NULL AND s.comp_ends_at IS NULL AND s.gifted_by IS NULL
          AND (s.trial_ends_at IS NULL OR COALESCE(s.current_period_starts_at, 0) >= s.trial_ends_at)
        UNION ALL SELECT creator_id, -count, -monthly_cents, count, monthly_cents FROM recurring_totals
        UNION ALL SELECT creator_id, 0, 0, CASE WHEN kind IN ('new', 'reactivation') THEN -count WHEN kind = 'churn' THEN count ELSE 0 END, -monthly_cents FROM recurring_days)
      GROUP BY creator_id HAVING SUM(people) <> 0 OR SUM(monthly_cents) <> 0 OR SUM(moved_people) <> 0 OR SUM(moved_cents) <> 0`,
  },
];
