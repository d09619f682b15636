import { sql } from "drizzle-orm";
import type { Invariant } from "#app/domain/ledger/queries/invariants.server.ts";

/** What holds of payouts and of the money on its way. */
export const payoutInvariants: readonly Invariant[] = [
  {
    name: "payouts_claimed",
    title: "Cada saque é o lançamento que o reservou",
    sql: (_, moved) => sql`
      SELECT p.id FROM payouts p
      LEFT JOIN ledger_transactions t ON t.source_key = 'payout:' || p.id || ':claimed'
      LEFT JOIN ledger_entries e ON e.transaction_id = t.id AND +e.account_id = 'payout_in_transit:' || p.id
      WHERE ${moved.payout(sql`p.id`)} AND ((p.claimed_at IS NOT NULL AND (e.amount_cents IS NULL OR -e.amount_cents <> p.amount_cents))
         OR (p.claimed_at IS NULL AND t.id IS NOT NULL))`,
  },
  {
    name: "payouts_known",
    title: "Cada dinheiro a caminho pertence a um saque",
    sql: (_, moved) => sql`
      SELECT a.id FROM ledger_accounts a LEFT JOIN payouts p ON p.id = a.owner_id
      WHERE a.kind = 'payout_in_transit' AND ${moved.payout(sql`a.owner_id`)} AND (p.id IS NULL
        OR (p.status IN ('claimed', 'sent') AND -a.balance_cents <> p.amount_cents)
        OR (p.status NOT IN ('claimed', 'sent') AND a.balance_cents <> 0))`,
  },
];
