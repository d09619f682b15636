import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";

/** What holds of subscriptions that are live, and of those that are to begin after them: rows that break it, as in `invariants`. */
export const liveInvariants: readonly { name: string; title: string; sql: () => SQL }[] = [
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
];
