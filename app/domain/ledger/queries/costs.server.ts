import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";

const BOOKED = sql.raw(
  [
    ["charge", "charges"],
    ["refund", "refunds"],
    ["dispute", "disputes"],
    ["transfer", "refund_transfers"],
    ["transfer", "payouts"],
  ]
    .map(([object, table]) => `SELECT '${object}' AS object, id, cost_cents FROM ${table} WHERE cost_cents IS NOT NULL`)
    .join(" UNION ALL "),
);

/** What holds of what providers take for themselves: rows that break it, as in `invariants`. */
export const costInvariants: readonly { name: string; title: string; sql: (ctx: Context) => SQL }[] = [
  {
    name: "costs_posted",
    title: "Cada custo que um provedor informou está no livro, uma vez e pelo seu valor",
    sql: () => sql`
      SELECT b.id, b.object, b.cost_cents, e.amount_cents FROM (${BOOKED}) b
      LEFT JOIN ledger_transactions t ON t.source_key = 'cost:' || b.object || ':' || b.id
      LEFT JOIN ledger_entries e ON e.transaction_id = t.id AND +e.account_id = 'provider_costs'
      WHERE b.cost_cents <> COALESCE(e.amount_cents, 0)
      UNION ALL
      SELECT a.id, 'account', b.cents, a.balance_cents FROM ledger_accounts a, (SELECT COALESCE(SUM(cost_cents), 0) AS cents FROM (${BOOKED})) b
      WHERE a.id = 'provider_costs' AND a.balance_cents <> b.cents`,
  },
];
