import { eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { movementSince } from "./movement-since.server.ts";
import type { StatementSubject } from "./statement.server.ts";
import { ledgerAccountKinds } from "#app/domain/ledger/schema.ts";
import type { LedgerAccountKind } from "#app/domain/ledger/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

/**
 * An account with its balance in its own sense (centavos). `name` is its owner's: a person or a
 * provider.
 */
export type KindAccount = {
  id: string;
  ownerId: string | null;
  name: string | null;
  username: string | null;
  cents: Cents;
};

type KindAccountsRequest = {
  kind: LedgerAccountKind;
  /** Entries posted from then on do not count; null for now. */ until: Instant | null;
  cursor: string | null;
  limit: number;
};

const CURSOR = /^(-?\d{1,15})_(.{1,120})$/;

/**
 * Parses the cursor of this list; null for any other text, so that a broken link shows the first
 * page.
 */
function readCursor(text: string | null): { cents: Cents; id: string } | null {
  const [, cents, id] = CURSOR.exec(text ?? "") ?? [];
  return cents === undefined || id === undefined ? null : { cents: Number(cents), id };
}

/**
 * SQL condition: `column` is the id of an account of `kind`, as `kind` or `kind:owner`. It compares
 * a range: every such id sorts before `kind;`, and ids of longer kinds sort after it.
 */
const isOfKind = (kind: LedgerAccountKind, column: SQL): SQL =>
  sql`${column} >= ${kind} AND ${column} < ${`${kind};`}`;

/**
 * SQL of the accounts of a kind that are not at zero: id and balance, in the kind's own sense. For
 * now it reads the index of balances. For a past day it subtracts what was posted since.
 */
function balances({ kind, until }: Pick<KindAccountsRequest, "kind" | "until">): SQL {
  const side = ledgerAccountKinds[kind].normalSide;
  const now = sql`SELECT id, balance_cents * ${side} AS cents FROM ledger_accounts WHERE kind = ${kind} AND balance_cents <> 0`;
  if (until === null) return now;
  const later = movementSince(until, {
    isOne: (account) => isOfKind(kind, account),
    // The plus keeps SQLite from reading every entry of the kind.
    entries: (from, before) =>
      sql`SELECT e.account_id, e.amount_cents AS cents FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id WHERE t.posted_at >= ${from} AND t.posted_at < ${before} AND ${isOfKind(kind, sql`+e.account_id`)}`,
  });
  return sql`SELECT id, SUM(cents) AS cents FROM (${now} UNION ALL SELECT account_id, -cents * ${side} FROM (${later})) GROUP BY id HAVING SUM(cents) <> 0`;
}

/**
 * SQL of the person of an account: a creator, the creator of a payout, or the payer of a refunded
 * charge.
 */
const PERSON = sql`
  CASE account.kind WHEN 'payout_in_transit' THEN (SELECT p.creator_id FROM payouts p WHERE p.id = account.owner_id)
    WHEN 'refund_in_transit' THEN (SELECT c.payer_id FROM refunds r JOIN charges c ON c.id = r.charge_id WHERE r.id = account.owner_id) ELSE account.owner_id END`;

const NAME = sql`COALESCE(person.name, CASE account.kind WHEN 'provider_clearing' THEN account.owner_id END)`;

type KindRow = Omit<KindAccount, "id"> & { id: string | null; totalCents: Cents };

/**
 * Lists one page of the accounts of a kind that are not at zero, largest first, with the sum of
 * all. Amounts in centavos, in the kind's own sense. One round trip.
 */
export async function accountsOfKind(
  ctx: Context,
  { kind, until, cursor, limit }: KindAccountsRequest,
): Promise<{ items: KindAccount[]; next: string | null; totalCents: Cents }> {
  const after = readCursor(cursor);
  const behind =
    after === null
      ? sql`1`
      : sql`cents < ${after.cents} OR (cents = ${after.cents} AND id > ${after.id})`;
  // The sum has a row even where the page has none.
  const rows = await ctx.db.all<KindRow>(sql`
    WITH found AS MATERIALIZED (${balances({ kind, until })})
    SELECT account.id, account.owner_id AS "ownerId", ${NAME} AS name, person.username, shown.cents, total.cents AS "totalCents"
    FROM (SELECT COALESCE(SUM(cents), 0) AS cents FROM found) total LEFT JOIN (SELECT * FROM found WHERE ${behind} ORDER BY cents DESC, id LIMIT ${limit + 1}) shown
      LEFT JOIN ledger_accounts account ON account.id = shown.id LEFT JOIN profiles person ON person.person_id = ${PERSON}
    ORDER BY shown.cents DESC, shown.id`);
  const accounts = rows.flatMap(({ id, ownerId, name, username, cents }) =>
    id === null ? [] : [{ id, ownerId, name, username, cents }],
  );
  const items = accounts.slice(0, limit);
  const last = items.at(-1);
  return {
    items,
    next: accounts.length > limit && last ? `${last.cents}_${last.id}` : null,
    totalCents: rows[0]?.totalCents ?? 0,
  };
}

/**
 * Loads the name of an account's owner: a person or a provider. Null for the platform's own
 * accounts and for deleted accounts.
 */
export async function accountOwnerName(ctx: Context, of: StatementSubject): Promise<string | null> {
  if ("account" in of && of.account.ownerId === null) return null;
  const asked =
    "account" in of
      ? sql`${of.account.kind} AS kind, ${of.account.ownerId} AS owner_id`
      : sql`'creator_available' AS kind, ${of.inTransitTo} AS owner_id`;
  const [row] = await ctx.db.all<{ name: string | null }>(
    sql`SELECT ${NAME} AS name FROM (SELECT ${asked}) account LEFT JOIN profiles person ON person.person_id = ${PERSON}`,
  );
  return row?.name ?? null;
}

/** Loads the username of a creator; null for a deleted account. */
export async function creatorUsername(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<string | null> {
  const [row] = await ctx.db
    .select({ username: profiles.username })
    .from(profiles)
    .where(eq(profiles.personId, creatorId))
    .limit(1);
  return row?.username ?? null;
}

export type CreatorAccount = { kind: LedgerAccountKind; cents: Cents };

/**
 * Lists what a creator has in the books by kind, each in its own sense (centavos). All payouts on
 * their way are one line.
 */
export async function creatorAccounts(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<CreatorAccount[]> {
  return await ctx.db.all<CreatorAccount>(sql`
    SELECT kind, SUM(balance_cents * normal_side) AS cents FROM (
      SELECT a.kind, a.balance_cents, a.normal_side FROM ledger_accounts a WHERE a.owner_id = ${creatorId} AND a.kind IN ('creator_available', 'creator_pending', 'creator_reserved', 'creator_owed')
      UNION ALL SELECT a.kind, a.balance_cents, a.normal_side FROM payouts p JOIN ledger_accounts a ON a.id = 'payout_in_transit:' || p.id WHERE p.creator_id = ${creatorId})
    GROUP BY kind ORDER BY kind`);
}
