import { sql } from "drizzle-orm";
import type { Invariant } from "./moved.server.ts";
import { DAY_MS } from "#app/domain/time.ts";

const KEY_SILENCE_MS = 3 * DAY_MS;

/** Invariants of refund transfers. */
export const refundTransferInvariants: readonly Invariant[] = [
  {
    name: "refund_transfers_known",
    title: "O que está separado para devolver por Pix é de uma devolução que ainda não saiu",
    sql: () => sql`
      SELECT COALESCE(a.owner_id, o.refund_id) AS id, a.balance_cents, o.amount_cents FROM (SELECT * FROM ledger_accounts WHERE id >= 'refund_in_transit:' AND id < 'refund_in_transit;') a
      FULL JOIN (SELECT refund_id, amount_cents FROM refund_transfers WHERE status IN ('awaiting_key', 'ready', 'claimed', 'sent')) o ON o.refund_id = a.owner_id
      WHERE COALESCE(-a.balance_cents, 0) <> COALESCE(o.amount_cents, 0)`,
  },
  {
    name: "refunds_go_once",
    title: "Cada devolução vai uma vez: pelo provedor, ou por um Pix",
    sql: () => sql`
      SELECT x.id FROM refund_transfers x LEFT JOIN refunds r ON r.id = x.refund_id
      WHERE r.id IS NULL OR r.status <> 'succeeded' OR r.provider_refund_id IS NOT NULL OR r.amount_cents <> x.amount_cents OR r.charge_id <> x.charge_id
      UNION ALL
      SELECT x.refund_id FROM refund_transfers x WHERE x.status IN ('paid', 'canceled', 'awaiting_key', 'ready', 'claimed', 'sent') GROUP BY x.refund_id HAVING COUNT(*) > 1
      UNION ALL
      SELECT x.id FROM refund_transfers x LEFT JOIN ledger_transactions t ON t.source_key = 'refund-transfer:' || x.id || ':paid'
      WHERE (t.id IS NOT NULL) <> (x.status IN ('paid', 'returned'))
      UNION ALL
      SELECT x.id FROM refund_transfers x
      LEFT JOIN ledger_transactions t ON t.source_key = 'refund-transfer:' || x.id || CASE WHEN x.failure_code = 'paid_before' THEN ':paid_before' ELSE ':taken' END
      WHERE (t.id IS NOT NULL) <> (x.status = 'canceled')`,
  },
  {
    name: "refund_transfers_answered",
    title: "Nenhuma devolução por Pix com chave espera há três dias",
    // With the unanswered refund of the same charge, for which it may be waiting.
    sql: (ctx) =>
      sql`SELECT id, status, (SELECT r.id FROM refunds r WHERE r.charge_id = refund_transfers.charge_id AND r.status = 'requested' ORDER BY r.created_at LIMIT 1) AS waits_for FROM refund_transfers WHERE status IN ('ready', 'claimed', 'sent') AND held_by IS NULL AND key_given_at < ${ctx.now() - KEY_SILENCE_MS}`,
  },
];
