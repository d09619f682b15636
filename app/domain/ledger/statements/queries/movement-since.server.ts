import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Instant } from "#app/domain/time.ts";

/**
 * A set of accounts, and how to find their entries of a period. `entries` selects `account_id` and
 * `amount_cents AS cents` of those posted from `from` until before `until`.
 */
export type MovementAccounts = { isOne(account: SQL): SQL; entries(from: SQL, until: SQL): SQL };

const NEVER = sql`${Number.MAX_SAFE_INTEGER}`;

/**
 * SQL of rows (`account_id`, `cents`, debits positive) that sum to the movement of accounts from
 * `since` on.
 *
 * It reads the entries of the rest of that month, then the stored sums of each later sealed month.
 * Since the last seal it reads entries again. However long ago `since` is, it reads the entries of
 * two or three months.
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
