import { sql } from "drizzle-orm";
import type { Invariant } from "./moved.server.ts";
import { monthBounds, monthOf } from "#app/domain/ledger/months/rules/months.ts";
import { DAY_MS } from "#app/domain/time.ts";

/** A month that ended longer ago than this is sealed, or somebody finds out why not. */
const UNSEALED_LIMIT_MS = 3 * DAY_MS;

/**
 * Invariants of seals. Sealing takes as many cron runs as it needs. One that does not finish
 * notifies people and holds no money.
 */
export const sealInvariants: readonly Invariant[] = [
  {
    name: "months_sealed",
    title: "Cada mês que terminou há mais de três dias está fechado",
    sql(ctx) {
      const over = monthBounds(monthOf(ctx.realNow() - UNSEALED_LIMIT_MS)).from;
      // MIN finds the first time in one row of its index; EXISTS would read all of them.
      return sql`
        SELECT (SELECT MAX(month) FROM ledger_seals) AS last_sealed, (SELECT month FROM ledger_seal_progress) AS under_way
        WHERE COALESCE((SELECT MAX(ends_at) FROM ledger_seals), 0) < ${over} AND (SELECT MIN(posted_at) FROM ledger_transactions) < ${over}`;
    },
  },
  {
    name: "sealed_accounts_add_up",
    title: "O que cada conta andou em um mês fechado soma o que o seu selo diz",
    sql: () => sql`
      SELECT month, kind, SUM(cents) AS cents FROM (
        SELECT m.month, substr(m.account_id, 1, instr(m.account_id || ':', ':') - 1) AS kind, m.cents FROM ledger_seals s JOIN ledger_account_months m ON m.month = s.month
        UNION ALL SELECT s.month, had.key, -had.value FROM ledger_seals s JOIN json_each(s.balances) had
        UNION ALL SELECT next.month, had.key, had.value FROM ledger_seals s JOIN ledger_seals next ON next.month = (SELECT MIN(month) FROM ledger_seals WHERE month > s.month) JOIN json_each(s.balances) had)
      GROUP BY month, kind HAVING SUM(cents) <> 0`,
  },
];
