import { sql } from "drizzle-orm";
import type { Invariant } from "./moved.server.ts";

/**
 * Invariants of entries and accounts alone. A plus before an account keeps SQLite from searching
 * one transaction's entry among all entries of a shared account.
 */
export const bookInvariants: readonly Invariant[] = [
  {
    name: "transactions_balance",
    title: "Cada lançamento soma zero",
    sql: (_, moved) =>
      sql`SELECT transaction_id AS id, SUM(amount_cents) AS sum_cents FROM ledger_entries WHERE ${moved.transaction(sql`transaction_id`)} GROUP BY transaction_id HAVING SUM(amount_cents) <> 0`,
  },
  {
    name: "transactions_posted",
    title: "Nenhum lançamento ficou pela metade",
    sql: () => sql`SELECT id, source_key FROM ledger_transactions WHERE posted_at IS NULL`,
  },
  {
    name: "balances_cached",
    title: "Cada saldo é a soma das suas entradas",
    sql: (_, moved) => sql`
      SELECT a.id, a.balance_cents, COALESCE(SUM(e.amount_cents), 0) AS entries_cents
      FROM ledger_accounts a LEFT JOIN ledger_entries e ON e.account_id = a.id
        AND EXISTS (SELECT 1 FROM ledger_transactions t WHERE t.id = e.transaction_id AND t.posted_at IS NOT NULL)
      WHERE ${moved.account(sql`a.id`)} GROUP BY a.id HAVING a.balance_cents <> COALESCE(SUM(e.amount_cents), 0)`,
  },
  {
    name: "balances_floor",
    title: "Nenhum saldo passou do seu limite",
    sql: (_, moved) =>
      sql`SELECT id, balance_cents FROM ledger_accounts WHERE ${moved.account(sql`id`)} AND has_floor = 1 AND balance_cents * normal_side < 0`,
  },
  {
    name: "books_balance",
    title: "A soma de todas as contas é zero",
    sql: () =>
      sql`SELECT SUM(balance_cents) AS sum_cents FROM ledger_accounts HAVING SUM(balance_cents) <> 0`,
  },
];
