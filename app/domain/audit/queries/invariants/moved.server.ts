import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { lowestIdAt } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import type { Context } from "#app/domain/context.ts";

/**
 * Predicates by which an invariant looks only at what moved: each is true of everything where all
 * is looked at.
 */
export type AuditScope = Record<
  "transaction" | "account" | "charge" | "payout" | "creator" | "row",
  (column: SQL) => SQL
> & { /** Whether all is looked at: sums of all there is are the night's. */ isWhole: boolean };

/** What is always true of the books: a query that returns no row while it is. */
export type Invariant = { name: string; title: string; sql(ctx: Context, moved: AuditScope): SQL };

const all = () => sql`1`;
export const fullAuditScope: AuditScope = {
  transaction: all,
  account: all,
  charge: all,
  payout: all,
  creator: all,
  row: all,
  isWhole: true,
};

/** Platform-wide accounts have every entry there is: their sums are the night's. */
const OF_EVERYBODY = sql`('provider_clearing', 'platform_cash', 'platform_fees', 'fees_reserved', 'provider_costs', 'write_offs')`;
const ANY_STATUS = sql`('created', 'awaiting_payment', 'requires_action', 'processing', 'succeeded', 'failed', 'expired', 'canceled', 'partially_refunded', 'refunded', 'disputed', 'dispute_won', 'dispute_lost')`;

/**
 * What was posted since `since`, the product's moment, the charges, payouts, accounts and creators
 * of it, charges that were asked about since, and payouts that are open, and rows that were made
 * since, by their ids, which begin with their moment (UNION ALL: to merge sorted lists SQLite would
 * walk a whole index). All of it is found by indexes: what it costs is what moved, whatever there
 * is.
 */
export function changedSince(since: Instant): AuditScope {
  const posted = (column: SQL) =>
    sql`SELECT t.${column} FROM ledger_transactions t WHERE t.posted_at >= ${since}`;
  const accounts = sql`SELECT moved.account_id FROM ledger_transactions t JOIN ledger_entries moved ON moved.transaction_id = t.id WHERE t.posted_at >= ${since}`;
  return {
    isWhole: false,
    transaction: (column) => sql`${column} IN (${posted(sql`id`)})`,
    account: (column) =>
      sql`${column} IN (SELECT a.id FROM ledger_accounts a WHERE a.id IN (${accounts}) AND a.kind NOT IN ${OF_EVERYBODY})`,
    charge: (column) =>
      sql`${column} IN (${posted(sql`charge_id`)} UNION ALL SELECT asked.id FROM charges asked WHERE asked.status IN ${ANY_STATUS} AND asked.asked_at >= ${since})`,
    payout: (column) =>
      sql`${column} IN (${posted(sql`payout_id`)} UNION ALL SELECT open.id FROM payouts open WHERE open.status IN ('requested', 'held', 'claimed', 'sent'))`,
    row: (column) => sql`${column} >= ${lowestIdAt(since)}`,
    creator: (column) =>
      sql`${column} IN (SELECT a.owner_id FROM ledger_accounts a WHERE a.id IN (${accounts}) AND a.kind IN ('creator_pending', 'creator_reserved'))`,
  };
}
