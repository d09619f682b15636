import { sql } from "drizzle-orm";
import type { Invariant } from "./moved.server.ts";
import { MINUTE_MS } from "#app/domain/time.ts";

/** What was in progress when the vacation started may be written a moment later. */
const GAP_MS = sql.raw(String(MINUTE_MS));

/** Invariants of vacations. */
export const vacationInvariants: readonly Invariant[] = [
  {
    name: "vacations_move_once",
    title: "Cada assinatura viva andou uma vez com as férias de quem cria, até a volta",
    sql: () => sql`
      SELECT s.id, v.id AS vacation_id FROM vacations v JOIN subscriptions s ON s.creator_id = v.creator_id
      LEFT JOIN vacation_shifts x ON x.vacation_id = v.id AND x.subscription_id = s.id
      WHERE v.swept_at IS NOT NULL AND v.over_at IS NULL AND s.status IN ('trialing', 'active', 'past_due', 'canceled') AND s.comp_ends_at IS NULL AND s.started_at < v.starts_at
        AND ((x.subscription_id IS NULL AND s.access_until > v.starts_at) OR x.shifted_until <> COALESCE(v.returned_at, v.ends_at))`,
  },
  {
    name: "vacations_charge_nothing",
    title: "Nada foi cobrado nem renovado durante as férias de quem cria",
    sql: () => sql`
      SELECT c.id, v.id AS vacation_id FROM vacations v JOIN charges c ON c.creator_id = v.creator_id AND c.purchase_kind IN ('subscription', 'plan_change', 'gift')
      WHERE (c.created_at > v.starts_at + ${GAP_MS} AND c.created_at < COALESCE(v.returned_at, v.ends_at))
         OR (c.purchase_kind <> 'gift' AND c.status IN ('succeeded', 'partially_refunded', 'dispute_won') AND c.succeeded_at > v.starts_at + ${GAP_MS} AND c.succeeded_at < COALESCE(v.returned_at, v.ends_at)
           AND NOT EXISTS (SELECT 1 FROM refunds r WHERE r.charge_id = c.id AND r.status IN ('requested', 'failed')))`,
  },
];
