import { sql } from "drizzle-orm";
import type { Invariant } from "./moved.server.ts";
import { DAY_MS } from "#app/domain/time.ts";

const REFUND_SILENCE_MS = 3 * DAY_MS;

/** What a paid charge left its creator after refunds and disputes. */
const NET = sql.raw(
  "net_cents - (refunded_cents - refunded_fee_cents) - (disputed_cents - disputed_fee_cents)",
);
const IS_SALE = sql.raw("succeeded_at IS NOT NULL AND purchase_kind <> 'debt'");

/** Invariants of charges, their release parts and their refunds. */
export const chargeInvariants: readonly Invariant[] = [
  {
    name: "charges_split",
    title: "Cada cobrança é líquido mais taxa",
    sql: (_, moved) =>
      sql`SELECT id FROM charges WHERE ${moved.charge(sql`id`)} AND amount_cents <> fee_cents + net_cents`,
  },
  {
    name: "charges_posted",
    title: "Cada cobrança paga está no livro, uma vez e pelo seu valor",
    sql: (_, moved) => sql`
      SELECT c.id FROM charges c
      LEFT JOIN ledger_transactions t ON t.source_key = 'charge:' || c.id || ':succeeded'
      LEFT JOIN ledger_entries e ON e.transaction_id = t.id AND +e.account_id = 'provider_clearing:' || c.provider
      WHERE ${moved.charge(sql`c.id`)} AND ((c.succeeded_at IS NOT NULL AND (e.amount_cents IS NULL OR e.amount_cents <> c.amount_cents))
         OR (c.succeeded_at IS NULL AND t.id IS NOT NULL))`,
  },
  {
    name: "releases_whole",
    title:
      "As partes de cada cobrança somam o líquido, e o que delas espera sem contestação é o que ela tem a liberar",
    sql: (_, moved) => sql`
      SELECT c.id FROM charges c LEFT JOIN charge_releases r ON r.charge_id = c.id WHERE ${moved.charge(sql`c.id`)} GROUP BY c.id
      HAVING (MAX(c.succeeded_at) IS NULL AND (COUNT(r.id) > 0 OR MAX(c.pending_cents) <> 0))
        OR (MAX(c.succeeded_at) IS NOT NULL AND (COUNT(r.id) = 0 OR SUM(r.net_cents) <> MAX(c.net_cents)
          OR MAX(c.pending_cents) <> SUM(CASE WHEN r.released_at IS NULL THEN r.net_cents - r.taken_cents - r.disputed_cents ELSE 0 END)))`,
  },
  {
    name: "periods_priced",
    title: "Os períodos de cada cobrança somam o seu valor",
    sql: (_, moved) =>
      sql`SELECT c.id FROM charges c WHERE ${moved.charge(sql`c.id`)} AND c.periods_cents IS NOT NULL AND c.amount_cents <> (SELECT SUM(p.value) FROM json_each(c.periods_cents) p)`,
  },
  {
    name: "refunds_within_charge",
    title: "Reembolsos e contestações não passam do que foi cobrado",
    sql: (_, moved) => sql`
      SELECT c.id FROM charges c WHERE ${moved.charge(sql`c.id`)} AND (c.refunded_cents + c.disputed_cents > c.amount_cents
        OR c.refunded_cents <> (SELECT COALESCE(SUM(r.amount_cents), 0) FROM refunds r WHERE r.charge_id = c.id AND r.status = 'succeeded'))`,
  },
  {
    name: "refunds_posted",
    title: "Cada devolução feita está no livro, uma vez e pelo seu valor, e nenhuma outra",
    sql: (_, moved) => sql`
      SELECT r.id, r.charge_id, r.amount_cents, r.status FROM refunds r JOIN charges c ON c.id = r.charge_id
      WHERE ${moved.charge(sql`r.charge_id`)} AND (
        SELECT -SUM(e.amount_cents) FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id AND +e.account_id IN ('provider_clearing:' || c.provider, 'refund_in_transit:' || r.id)
        WHERE t.source_key = 'refund:' || r.id || ':succeeded') IS NOT CASE WHEN r.status = 'succeeded' THEN r.amount_cents END`,
  },
  {
    name: "refunds_answered",
    title: "Nenhuma devolução que o provedor recusou, ou não confirma há três dias, espera por nós",
    sql: (ctx) => sql`
      SELECT r.id, r.charge_id, r.amount_cents, r.status FROM refunds r JOIN charges c ON c.id = r.charge_id WHERE c.status NOT IN ('disputed', 'dispute_lost') AND (
        (r.status = 'requested' AND r.created_at < ${ctx.now() - REFUND_SILENCE_MS})
        OR (r.status = 'failed' AND r.decided_by IS NULL AND c.status <> 'refunded' AND r.amount_cents > c.disputed_cents + (
          SELECT COALESCE(SUM(again.amount_cents), 0) FROM refunds again WHERE again.charge_id = r.charge_id AND again.status <> 'failed' AND again.created_at >= r.created_at)))`,
  },
  {
    name: "totals_kept",
    title: "Os totais do extrato são a soma das cobranças",
    sql: () => sql`
      SELECT creator_id AS id, SUM(net_cents) AS net_cents, SUM(amount_cents) AS amount_cents FROM (
        SELECT creator_id, amount_cents, net_cents - (refunded_cents - refunded_fee_cents) - (disputed_cents - disputed_fee_cents) AS net_cents FROM charges WHERE succeeded_at IS NOT NULL AND purchase_kind <> 'debt'
        UNION ALL SELECT person_id, -amount_cents, -net_cents FROM transaction_totals WHERE face = 'received')
      GROUP BY creator_id HAVING SUM(net_cents) <> 0 OR SUM(amount_cents) <> 0`,
  },
  {
    name: "parts_kept",
    title: "O dinheiro por plano e por link é a soma das cobranças de cada um",
    sql: () => sql`
      SELECT creator_id AS id, plan_id, link_slug, SUM(net_cents) AS net_cents, SUM(amount_cents) AS amount_cents FROM (
        SELECT creator_id, COALESCE(plan_id, '') AS plan_id, COALESCE(link_slug, '') AS link_slug, amount_cents, refunded_cents, disputed_cents, ${NET} AS net_cents FROM charges WHERE ${IS_SALE}
        UNION ALL SELECT creator_id, plan_id, link_slug, -amount_cents, -refunded_cents, -disputed_cents, -net_cents FROM analytics_money)
      GROUP BY creator_id, plan_id, link_slug HAVING SUM(net_cents) <> 0 OR SUM(amount_cents) <> 0 OR SUM(refunded_cents) <> 0 OR SUM(disputed_cents) <> 0`,
  },
  {
    name: "plans_posted",
    title: "O líquido por plano de cada página soma o que o livro tem das suas vendas",
    sql: () => sql`
      SELECT creator_id AS id, SUM(net_cents) AS net_cents FROM (
        SELECT m.creator_id, SUM(m.net_cents) AS net_cents FROM analytics_money m GROUP BY m.creator_id
        UNION ALL SELECT c.creator_id, SUM(e.amount_cents) FROM charges c JOIN ledger_transactions t ON t.charge_id = c.id
          JOIN ledger_entries e ON e.transaction_id = t.id AND +e.account_id IN ('creator_pending:' || c.creator_id, 'creator_available:' || c.creator_id, 'creator_owed:' || c.creator_id)
        WHERE c.succeeded_at IS NOT NULL AND c.purchase_kind <> 'debt' GROUP BY c.creator_id)
      GROUP BY creator_id HAVING SUM(net_cents) <> 0`,
  },
  {
    name: "items_kept",
    title: "O dinheiro do que é vendido uma vez é a soma das cobranças de cada item",
    sql: () => sql`
      SELECT item_id AS id, creator_id, SUM(net_cents) AS net_cents, SUM(amount_cents) AS amount_cents FROM (
        SELECT creator_id, item_id, amount_cents, ${NET} AS net_cents FROM charges WHERE ${IS_SALE} AND item_id IS NOT NULL
        UNION ALL SELECT creator_id, item_id, -amount_cents, -net_cents FROM analytics_items)
      GROUP BY creator_id, item_id HAVING SUM(net_cents) <> 0 OR SUM(amount_cents) <> 0`,
  },
  {
    name: "periods_paid_once",
    title: "Cada período é pago por no máximo uma cobrança",
    sql: () =>
      sql`SELECT subscription_id, starts_at FROM charge_periods WHERE is_difference = 0 GROUP BY subscription_id, starts_at HAVING COUNT(*) > 1`,
  },
];
