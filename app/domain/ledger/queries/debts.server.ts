import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";

/** What holds of what creators owe and pay of it: rows that break it, as in `invariants`. */
export const debtInvariants: readonly { name: string; title: string; sql: (ctx: Context) => SQL }[] = [
  {
    name: "debts_paid",
    title: "O que quita uma dívida é de quem deve, não tem taxa e não é venda",
    sql: () => sql`
      SELECT c.id FROM charges c LEFT JOIN ledger_transactions t ON t.source_key = 'charge:' || c.id || ':succeeded'
      WHERE c.purchase_kind = 'debt' AND (c.payer_id <> c.creator_id OR c.fee_cents <> 0 OR c.pending_cents <> 0 OR (t.id IS NOT NULL AND t.kind <> 'debt.paid'))
      UNION ALL
      SELECT t.id FROM ledger_transactions t JOIN charges c ON c.id = t.charge_id WHERE t.kind = 'debt.paid' AND c.purchase_kind <> 'debt'
      UNION ALL
      SELECT kind FROM transaction_totals WHERE kind = 'debt'`,
  },
  {
    name: "write_offs_posted",
    title: "Cada baixa está no livro, uma vez e pelo seu valor",
    sql: () => sql`
      SELECT w.id, w.amount_cents, e.amount_cents AS posted_cents FROM write_offs w
      LEFT JOIN ledger_transactions t ON t.source_key = 'write-off:' || w.id LEFT JOIN ledger_entries e ON e.transaction_id = t.id AND +e.account_id = 'write_offs'
      WHERE e.amount_cents IS NOT w.amount_cents
      UNION ALL
      SELECT a.id, w.cents, a.balance_cents FROM ledger_accounts a, (SELECT COALESCE(SUM(amount_cents), 0) AS cents FROM write_offs) w WHERE a.id = 'write_offs' AND a.balance_cents <> w.cents`,
  },
];
