import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Invariant } from "./moved.server.ts";
import { fullAuditScope } from "./moved.server.ts";
import type { AuditScope } from "./moved.server.ts";

/** SQL of the costs that providers reported, within the scope. */
const booked = (moved: AuditScope): SQL => sql`
  SELECT 'charge' AS object, id, cost_cents FROM charges WHERE cost_cents IS NOT NULL AND ${moved.charge(sql`id`)}
  UNION ALL SELECT 'refund', id, cost_cents FROM refunds WHERE cost_cents IS NOT NULL AND ${moved.charge(sql`charge_id`)}
  UNION ALL SELECT 'dispute', id, cost_cents FROM disputes WHERE cost_cents IS NOT NULL AND ${moved.charge(sql`charge_id`)}
  UNION ALL SELECT 'transfer', id, cost_cents FROM refund_transfers WHERE cost_cents IS NOT NULL AND ${moved.charge(sql`charge_id`)}
  UNION ALL SELECT 'transfer', id, cost_cents FROM payouts WHERE cost_cents IS NOT NULL AND ${moved.payout(sql`id`)}`;

/** The sum of all costs equals the balance of their account. */
const SUM_DIFFERS = sql`
  SELECT a.id, 'account', b.cents, a.balance_cents FROM ledger_accounts a, (SELECT COALESCE(SUM(cost_cents), 0) AS cents FROM (${booked(fullAuditScope)})) b
  WHERE a.id = 'provider_costs' AND a.balance_cents <> b.cents`;

/** Invariants of the providers' costs. */
export const costInvariants: readonly Invariant[] = [
  {
    name: "costs_posted",
    title: "Cada custo que um provedor informou está no livro, uma vez e pelo seu valor",
    sql: (_, moved) => sql`
      SELECT b.id, b.object, b.cost_cents, e.amount_cents FROM (${booked(moved)}) b
      LEFT JOIN ledger_transactions t ON t.source_key = 'cost:' || b.object || ':' || b.id
      LEFT JOIN ledger_entries e ON e.transaction_id = t.id AND +e.account_id = 'provider_costs'
      WHERE b.cost_cents <> COALESCE(e.amount_cents, 0) ${moved.isWhole ? sql`UNION ALL ${SUM_DIFFERS}` : sql``}`,
  },
];
