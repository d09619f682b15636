import { sql } from "drizzle-orm";
import type { Invariant } from "./moved.server.ts";
import { unpaidNetSql } from "#app/domain/ledger/platform-money/queries/unpaid-net.server.ts";
import { DAY_MS } from "#app/domain/time.ts";

/**
 * Invariants of pending and reserved money. Pending money belongs to charges and reserved money to
 * open disputes, so that every centavo has a reason to wait. Money from sales of a seller who lied
 * about their age does not stay.
 */
export const reserveInvariants: readonly Invariant[] = [
  {
    name: "pending_by_charge",
    title: "O que cada criação tem a liberar é a soma do que cada cobrança tem",
    sql: (_, moved) => sql`
      SELECT creator_id AS id, SUM(cents) AS differs_cents FROM (
        SELECT creator_id, pending_cents AS cents FROM charges WHERE pending_cents <> 0 AND ${moved.creator(sql`creator_id`)}
        UNION ALL SELECT owner_id, balance_cents FROM ledger_accounts WHERE kind = 'creator_pending' AND ${moved.creator(sql`owner_id`)})
      GROUP BY creator_id HAVING SUM(cents) <> 0`,
  },
  {
    name: "reserved_by_dispute",
    title: "O que cada criação tem bloqueado é a soma das contestações em aberto",
    sql: (_, moved) => sql`
      SELECT creator_id AS id, SUM(cents) AS differs_cents FROM (
        SELECT creator_id, amount_cents - fee_share_cents AS cents FROM disputes WHERE status = 'open' AND ${moved.creator(sql`creator_id`)}
        UNION ALL SELECT owner_id, balance_cents FROM ledger_accounts WHERE kind = 'creator_reserved' AND ${moved.creator(sql`owner_id`)})
      GROUP BY creator_id HAVING SUM(cents) <> 0`,
  },
  {
    name: "disputes_summed",
    title:
      "O que cada cobrança tem contestado ou perdido é a soma das suas contestações, e o que elas guardam das suas partes também",
    sql: (_, moved) => sql`
      SELECT c.id FROM charges c WHERE ${moved.charge(sql`c.id`)} AND (
        c.disputed_cents <> (SELECT COALESCE(SUM(d.amount_cents), 0) FROM disputes d WHERE d.charge_id = c.id AND d.status <> 'won')
        OR c.disputed_fee_cents <> (SELECT COALESCE(SUM(d.fee_share_cents), 0) FROM disputes d WHERE d.charge_id = c.id AND d.status <> 'won')
        OR (c.status = 'disputed') <> EXISTS (SELECT 1 FROM disputes d WHERE d.charge_id = c.id AND d.status = 'open')
        OR (SELECT COALESCE(SUM(r.disputed_cents), 0) FROM charge_releases r WHERE r.charge_id = c.id) <> (SELECT COALESCE(SUM(d.pending_cents), 0) FROM disputes d WHERE d.charge_id = c.id AND d.status = 'open'))`,
  },
  {
    // Money that a payout on its way, or one that just ended, may still return is decided after it
    // (`underageSalesToRefund`).
    name: "false_ages_given_back",
    title: "O que não saiu de quem disse uma idade falsa volta para quem pagou, em um dia",
    sql: (ctx) => sql`
      SELECT c.id FROM documents d JOIN charges c ON c.creator_id = d.person_id
      WHERE d.status = 'rejected' AND d.rejection_code = 'underage' AND d.decided_at < ${ctx.now() - DAY_MS} AND c.succeeded_at < ${ctx.now() - DAY_MS} AND c.purchase_kind <> 'debt'
        AND c.status IN ('succeeded', 'partially_refunded', 'dispute_won') AND ${unpaidNetSql(sql`c.id`, sql`c.creator_id`)} > 0
        AND NOT EXISTS (SELECT 1 FROM refunds r WHERE r.charge_id = c.id AND (r.status IN ('requested', 'failed') OR r.id = c.id || '-back'))
        AND NOT EXISTS (SELECT 1 FROM payouts p WHERE p.creator_id = c.creator_id AND (p.status IN ('claimed', 'sent') OR p.settled_at > ${ctx.now() - DAY_MS}))`,
  },
];
