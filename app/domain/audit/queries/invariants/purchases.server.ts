import { sql } from "drizzle-orm";
import type { Invariant } from "./moved.server.ts";

/** Invariants of one-time sales: posts and collections, tips, gifts, and used coupons. */
export const purchaseInvariants: readonly Invariant[] = [
  {
    name: "coupons_counted",
    title: "Os usos de cada cupom são os que valem, e não passam do limite",
    sql: () => sql`
      SELECT k.id, k.uses_count FROM coupons k
      WHERE k.uses_count > k.uses_limit OR k.uses_count <> (SELECT COUNT(*) FROM coupon_uses u WHERE u.coupon_id = k.id AND u.freed_at IS NULL)`,
  },
  {
    name: "purchases_paid",
    title: "Tudo o que está comprado foi pago, e nada disso voltou",
    sql: () => sql`
      SELECT p.id FROM purchases p LEFT JOIN charges c ON c.id = p.charge_id WHERE p.bought_at IS NOT NULL AND p.ended_at IS NULL AND (
        c.succeeded_at IS NULL OR c.purchase_id <> p.id OR c.payer_id <> p.person_id OR c.amount_cents <> p.amount_cents OR c.status IN ('refunded', 'dispute_lost'))`,
  },
  {
    name: "purchases_answered",
    title: "Cada compra paga está com quem comprou, ou o dinheiro voltou",
    sql: () => sql`
      SELECT c.id FROM charges c LEFT JOIN purchases p ON p.charge_id = c.id
      WHERE c.purchase_kind IN ('post', 'collection', 'message', 'event') AND c.status IN ('succeeded', 'partially_refunded', 'dispute_won')
        AND NOT (p.id IS NOT NULL AND p.bought_at IS NOT NULL AND (p.ended_at IS NULL OR p.ended_reason = 'buyer_left'))
        AND NOT EXISTS (SELECT 1 FROM refunds r WHERE r.charge_id = c.id AND r.status IN ('requested', 'failed'))`,
  },
  {
    name: "bought_once",
    title: "Ninguém tem a mesma compra duas vezes",
    sql: () => sql`
      SELECT person_id, kind, target_id FROM purchases WHERE bought_at IS NOT NULL AND ended_at IS NULL
      GROUP BY person_id, kind, target_id HAVING COUNT(*) > 1`,
  },
  {
    name: "tips_paid",
    title: "Todo apoio dado foi pago, e nada dele voltou inteiro",
    sql: () => sql`
      SELECT t.id FROM tips t LEFT JOIN charges c ON c.id = t.charge_id WHERE t.paid_at IS NOT NULL AND t.ended_at IS NULL AND (
        c.succeeded_at IS NULL OR c.purchase_id <> t.id OR c.payer_id <> t.person_id OR c.creator_id <> t.creator_id OR c.amount_cents <> t.amount_cents OR c.status IN ('refunded', 'dispute_lost'))`,
  },
  {
    name: "tips_answered",
    title: "Cada apoio pago foi dado, ou o dinheiro voltou",
    sql: () => sql`
      SELECT c.id FROM charges c LEFT JOIN tips t ON t.charge_id = c.id
      WHERE c.purchase_kind = 'tip' AND c.status IN ('succeeded', 'partially_refunded', 'dispute_won') AND NOT (t.id IS NOT NULL AND t.paid_at IS NOT NULL AND t.ended_at IS NULL)
        AND NOT EXISTS (SELECT 1 FROM refunds r WHERE r.charge_id = c.id AND r.status IN ('requested', 'failed'))`,
  },
  {
    name: "gifts_paid",
    title: "Todo presente pago está pago, e nada dele voltou inteiro",
    sql: () => sql`
      SELECT g.id FROM gifts g LEFT JOIN charges c ON c.id = g.charge_id WHERE g.paid_at IS NOT NULL AND g.ended_at IS NULL AND (
        c.succeeded_at IS NULL OR c.purchase_id <> g.id OR c.payer_id <> g.giver_id OR c.creator_id <> g.creator_id OR c.amount_cents <> g.amount_cents OR c.status IN ('refunded', 'dispute_lost'))`,
  },
  {
    name: "gifts_answered",
    title: "Cada presente pago espera, abriu um período, ou o dinheiro voltou",
    sql: () => sql`
      SELECT c.id FROM charges c LEFT JOIN gifts g ON g.charge_id = c.id
      WHERE c.purchase_kind = 'gift' AND c.status IN ('succeeded', 'partially_refunded', 'dispute_won') AND NOT (g.id IS NOT NULL AND g.paid_at IS NOT NULL AND g.ended_at IS NULL)
        AND NOT EXISTS (SELECT 1 FROM refunds r WHERE r.charge_id = c.id AND r.status IN ('requested', 'failed'))
      UNION ALL
      SELECT g.charge_id FROM gifts g WHERE (g.claimed_at IS NOT NULL) <> EXISTS (SELECT 1 FROM charge_periods p WHERE p.charge_id = g.charge_id AND p.subscription_id = g.id)`,
  },
  {
    name: "gifts_held_back",
    title: "Nada de um presente é liberado antes de alguém resgatar",
    sql: () => sql`
      SELECT c.id FROM gifts g JOIN charges c ON c.id = g.charge_id JOIN ledger_transactions t ON t.charge_id = c.id AND t.kind = 'charge.released' WHERE g.paid_at IS NOT NULL AND g.claimed_at IS NULL`,
  },
];
