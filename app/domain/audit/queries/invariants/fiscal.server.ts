import { sql } from "drizzle-orm";
import type { Invariant } from "./moved.server.ts";

/**
 * Invariants between the books and the platform's own invoices. Sealed months do not change, so
 * only the last ones are checked.
 */
export const fiscalInvariants: readonly Invariant[] = [
  {
    name: "fees_invoiced",
    title: "As notas de cada mês somam as taxas do livro, e os seus números não têm falhas",
    sql: () => sql`
      SELECT b.month AS id, b.fees_cents, b.invoiced_cents FROM (SELECT * FROM fiscal_batches ORDER BY month DESC LIMIT 3) b
      WHERE b.fees_cents <> (SELECT COALESCE(-SUM(e.amount_cents), 0) FROM ledger_entries e WHERE e.account_id = 'platform_fees' AND e.posted_at >= b.starts_at AND e.posted_at < b.ends_at)
        OR b.invoices_count <> COALESCE(b.last_number - b.first_number + 1, 0)
        OR EXISTS (SELECT 1 FROM fiscal_fees f WHERE f.month = b.month GROUP BY f.month HAVING SUM(f.invoiced_cents) <> b.invoiced_cents OR SUM(f.left_cents) <> b.left_cents OR COUNT(f.number) <> b.invoices_count)`,
  },
];
