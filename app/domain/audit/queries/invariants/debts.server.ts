import { sql } from "drizzle-orm";
import type { Invariant } from "./moved.server.ts";

/** The sum of all write-offs equals the balance of their account. */
const SUM_DIFFERS = sql`SELECT a.id, w.cents, a.balance_cents FROM ledger_accounts a, (SELECT COALESCE(SUM(amount_cents), 0) AS cents FROM write_offs) w WHERE a.id = 'write_offs' AND a.balance_cents <> w.cents`;

/** Invariants of creators' debts and their payments. */
export const debtInvariants: readonly Invariant[] = [
  {
    name: "debts_paid",
    title: "O que quita uma dívida é de quem deve, não tem taxa e não é venda",
    sql: (_, moved) => sql`
      SELECT c.id FROM charges c LEFT JOIN ledger_transactions t ON t.source_key = 'charge:' || c.id || ':succeeded'
      WHERE c.purchase_kind = 'debt' AND ${moved.charge(sql`c.id`)} AND (c.payer_id <> c.creator_id OR c.fee_cents <> 0 OR c.pending_cents <> 0 OR (t.id IS NOT NULL AND t.kind <> 'debt.paid'))
      UNION ALL
      SELECT t.id FROM ledger_transactions t JOIN charges c ON c.id = t.charge_id WHERE t.kind = 'debt.paid' AND ${moved.transaction(sql`t.id`)} AND c.purchase_kind <> 'debt'
      UNION ALL
      SELECT kind FROM transaction_totals WHERE kind = 'debt' AND ${moved.creator(sql`person_id`)}`,
  },
  {
    name: "write_offs_posted",
    title: "Cada baixa está no livro, uma vez e pelo seu valor",
    sql: (_, moved) => sql`
      SELECT w.id, w.amount_cents, e.amount_cents AS posted_cents FROM write_offs w
      LEFT JOIN ledger_transactions t ON t.source_key = 'write-off:' || w.id LEFT JOIN ledger_entries e ON e.transaction_id = t.id AND +e.account_id = 'write_offs'
      WHERE ${moved.row(sql`w.id`)} AND e.amount_cents IS NOT w.amount_cents ${moved.isWhole ? sql`UNION ALL ${SUM_DIFFERS}` : sql``}`,
  },
];
