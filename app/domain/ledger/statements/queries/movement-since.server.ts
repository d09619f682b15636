import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Instant } from "#app/domain/time.ts";

/**
 * Of which accounts, and how their entries of a time are found: `entries` selects `account_id` and
 * `amount_cents AS cents` of those posted from `from` until before `until`.
 */
export type MovementAccounts = { isOne(account: SQL): SQL; entries(from: SQL, until: SQL): SQL };

const NEVER = sql`${Number.MAX_SAFE_INTEGER}`;

/**
 * Rows (`account_id`, `cents`, debits positive) that add up to what accounts moved by from `since`
 * on: entry by entry until the end of its month, by the sums that sealing kept of each month after
 * it, and entry by entry again since the last seal. However long ago `since` is, the entries of two
 * or three months are read.
 */
export function movementSince(since: Instant, { isOne, entries }: MovementAccounts): SQL {
  const [first, last] = [sql`MIN(ends_at)`, sql`MAX(ends_at)`].map(
    (end) => sql`(SELECT ${end} FROM ledger_seals WHERE ends_at >= ${since})`,
  ) as [SQL, SQL];
  return sql`
    ${entries(sql`${since}`, sql`COALESCE(${first}, ${NEVER})`)}
    UNION ALL SELECT moved.account_id, moved.cents FROM ledger_seals seal CROSS JOIN ledger_account_months moved ON moved.month = seal.month WHERE seal.ends_at > ${first} AND ${isOne(sql`moved.account_id`)}
    UNION ALL ${entries(last, NEVER)}`;
}
