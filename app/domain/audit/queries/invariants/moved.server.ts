import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { lowestIdAt } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import type { Context } from "#app/domain/context.ts";

/**
 * Predicates by which an invariant checks only what changed. In a whole check each is true of
 * everything.
 */
export type AuditScope = Record<
  "transaction" | "account" | "charge" | "payout" | "creator" | "row",
  (column: SQL) => SQL
> & {
  /** Whether it is a whole check. Only then are all rows summed. */ isWhole: boolean;
};

/** A rule that always holds of the books: a query that returns no row while it does. */
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

/** Shared accounts have entries of everybody. Their sums belong to the nightly check. */
const OF_EVERYBODY = sql`('provider_clearing', 'platform_cash', 'platform_fees', 'fees_reserved', 'provider_costs', 'write_offs')`;
const ANY_STATUS = sql`('created', 'awaiting_payment', 'requires_action', 'processing', 'succeeded', 'failed', 'expired', 'canceled', 'partially_refunded', 'refunded', 'disputed', 'dispute_won', 'dispute_lost')`;

/**
 * Scope of what changed since `since`, by the product's clock.
 *
 * It has the transactions posted since, with their charges, payouts, accounts and creators. It also
 * has charges asked about since, open payouts, and rows created since, by their ids, which start
 * with their time. All of it is found by indexes, so that the cost depends only on what changed.
 * UNION ALL is needed: to merge sorted lists SQLite would walk a whole index.
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
