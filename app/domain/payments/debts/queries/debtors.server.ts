import { sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import { writeOffCutoff } from "#app/domain/payments/debts/rules.ts";
import type { Instant } from "#app/domain/time.ts";

export type Debtor = {
  creatorId: string;
  /** Null for a deleted account. */
  name: string | null;
  owedCents: Cents;
  /** When the oldest unpaid part of the debt arose. */
  since: Instant;
  /** Part of it can be written off. */
  isOld: boolean;
};

/**
 * Lists debtors a page at a time, the oldest debt first. Payments pay the oldest part first. The
 * age of a debt is that of the first part that payments do not reach. `isOld` means that
 * `writeOffLimitCents` is above zero. One round trip, by the primary key of accounts.
 */
export async function debtors(
  ctx: Context,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<Page<Debtor>> {
  const after = decodeCursor(cursor);
  const raised = sql`SELECT e.account_id, e.posted_at, SUM(e.amount_cents) OVER (PARTITION BY e.account_id ORDER BY e.posted_at, e.id) AS raised_cents FROM ledger_entries e
    WHERE e.amount_cents > 0 AND e.account_id IN (SELECT account.id FROM owing account)`;
  const paid = sql`SELECT COALESCE(-SUM(e.amount_cents), 0) FROM ledger_entries e WHERE e.account_id = owing.id AND e.amount_cents < 0`;
  const rows = await ctx.db.all<{
    creator_id: string;
    name: string | null;
    owed_cents: Cents;
    since: Instant;
  }>(sql`
    WITH owing AS (SELECT id, owner_id, balance_cents FROM ledger_accounts WHERE id >= 'creator_owed:' AND id < 'creator_owed;' AND balance_cents > 0),
      parts AS (${raised}),
      debts AS (SELECT owing.owner_id AS creator_id, owing.balance_cents AS owed_cents, (SELECT MIN(parts.posted_at) FROM parts WHERE parts.account_id = owing.id AND parts.raised_cents > (${paid})) AS since FROM owing)
    SELECT debts.creator_id, profiles.name, debts.owed_cents, debts.since FROM debts LEFT JOIN profiles ON profiles.person_id = debts.creator_id
    ${after ? sql`WHERE (debts.since, debts.creator_id) > (${after.at}, ${after.id})` : sql``}
    ORDER BY debts.since, debts.creator_id LIMIT ${limit + 1}`);
  const before = writeOffCutoff(ctx.now());
  const found = rows.map(({ creator_id: creatorId, name, owed_cents: owedCents, since }) => ({
    creatorId,
    name,
    owedCents,
    since,
    isOld: since <= before,
  }));
  return pageOf(found, limit, ({ since, creatorId }) => ({ at: since, id: creatorId }));
}
