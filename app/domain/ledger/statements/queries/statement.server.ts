import { and, desc, eq, gte, lt, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { movementSince } from "./movement-since.server.ts";
import { accountId } from "#app/domain/ledger/rules.ts";
import { ledgerAccountKinds } from "#app/domain/ledger/schema.ts";
import type { LedgerAccountRef } from "#app/domain/ledger/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Cursor, Page } from "#app/domain/page.ts";
import type { Instant } from "#app/domain/time.ts";
import { ledgerEntries, ledgerTransactions } from "#drizzle/schema/ledger.ts";

/**
 * An entry as a statement shows it. `amountCents` and `balanceCents` are in the account's own
 * sense, positive where it grows.
 */
export type StatementRow = {
  id: string;
  at: Instant;
  transactionId: string;
  kind: string;
  chargeId: string | null;
  payoutId: string | null;
  /** What was sold, where it comes from a charge. */
  description: string | null;
  amountCents: Cents;
  /** The balance of the account after it. */
  balanceCents: Cents;
};

export type AccountStatement = Page<StatementRow> & { openingCents: Cents; closingCents: Cents };

/**
 * What a statement is about: one account, or all the money on its way to a creator, which has an
 * account for each payout.
 */
export type StatementSubject = { account: LedgerAccountRef } | { inTransitTo: string };

type StatementRange = { from: Instant | null; until: Instant | null };
type StatementRequest = StatementRange & {
  of: StatementSubject;
  cursor: string | null;
  limit: number;
};

/** Returns the kind of the accounts of `of`. */
export const statementAccountKind = (of: StatementSubject) =>
  "account" in of ? of.account.kind : "payout_in_transit";

/**
 * Returns an amount in the account's own sense. `|| 0` avoids -0, which would be shown with its
 * sign.
 */
export const inAccountSense = (of: StatementSubject, debitCents: Cents): Cents =>
  debitCents * ledgerAccountKinds[statementAccountKind(of)].normalSide || 0;

/** SQL condition: `column`, the id of an account, belongs to `of`. */
export function statementAccountsSql(of: StatementSubject, column: SQL): SQL {
  if ("account" in of) return sql`${column} = ${accountId(of.account)}`;
  return sql`${column} IN (SELECT 'payout_in_transit:' || id FROM payouts WHERE creator_id = ${of.inTransitTo})`;
}

const ENTRY_ACCOUNT = sql`entry.account_id`;

/** Statement of the movement of the accounts from `since` on. */
function movedStatement(ctx: Context, of: StatementSubject, since: Instant | null) {
  if (since === null) return sumStatement(ctx, of, sql`0`);
  const moved = movementSince(since, {
    isOne: (account) => statementAccountsSql(of, account),
    entries: (from, until) =>
      sql`SELECT entry.account_id, entry.amount_cents AS cents FROM ledger_entries entry WHERE ${statementAccountsSql(of, ENTRY_ACCOUNT)} AND entry.posted_at >= ${from} AND entry.posted_at < ${until}`,
  });
  return ctx.db.select({ cents: sql<Cents>`COALESCE(SUM(cents), 0)` }).from(sql`(${moved})`);
}

function sumStatement(ctx: Context, of: StatementSubject, which: SQL) {
  return ctx.db
    .select({ cents: sql<Cents>`COALESCE(SUM(entry.amount_cents), 0)` })
    .from(sql`ledger_entries entry`)
    .where(and(statementAccountsSql(of, ENTRY_ACCOUNT), which));
}

type StatementSum = { cents: Cents };
/**
 * The balances of an account before and after the range, and with the newest entry still to read;
 * debits positive (centavos).
 */
type StatementSums = { opening: Cents; closing: Cents; balance: Cents };

/**
 * Loads one page of the entries of an account posted from `from` until before `until`, newest
 * first.
 *
 * Each entry has the account's balance after it. The page has the balances before and after the
 * whole range (centavos, in the account's own sense). One round trip. Without a range, the first
 * page reads only what it shows. A later page adds up what is newer, and a range uses the sums of
 * the sealed months since.
 */
export async function ledgerStatement(
  ctx: Context,
  asked: StatementRequest,
): Promise<AccountStatement> {
  return (await readPage(ctx, asked, null)).page;
}

/** Reads one page. `sums`: what the previous page left, if there was one. */
async function readPage(
  ctx: Context,
  asked: StatementRequest,
  sums: StatementSums | null,
): Promise<{ page: AccountStatement; left: StatementSums }> {
  if (sums) return statementOf(asked, sums, await rowsStatement(ctx, asked));
  const [rows, ...first] = await ctx.db.batch([
    rowsStatement(ctx, asked),
    ...sumStatements(ctx, asked),
  ]);
  return statementOf(asked, asSums(asked, first), rows);
}

function sumStatements(ctx: Context, { of, from, until, cursor }: StatementRequest) {
  const after = decodeCursor(cursor);
  return [
    ctx.db
      .select({ cents: sql<Cents>`COALESCE(SUM(account.balance_cents), 0)` })
      .from(sql`ledger_accounts account`)
      .where(statementAccountsSql(of, sql`account.id`)),
    movedStatement(ctx, of, until),
    movedStatement(ctx, of, from),
    sumStatement(
      ctx,
      of,
      after
        ? (and(
            sql`(entry.posted_at, entry.id) >= (${after.at}, ${after.id})`,
            until === null ? undefined : sql`entry.posted_at < ${until}`,
          ) ?? sql`0`)
        : sql`0`,
    ),
  ] as const;
}

function asSums(
  { from }: StatementRequest,
  [now, later, ranged, newer]: readonly [
    StatementSum[],
    StatementSum[],
    StatementSum[],
    StatementSum[],
  ],
): StatementSums {
  const cents = ([row]: StatementSum[]) => row?.cents ?? 0;
  const closing = cents(now) - cents(later);
  // Without a start the opening balance is zero.
  return {
    opening: from === null ? 0 : cents(now) - cents(ranged),
    closing,
    balance: closing - cents(newer),
  };
}

function rowsStatement(ctx: Context, { of, from, until, cursor, limit }: StatementRequest) {
  const after = decodeCursor(cursor);
  return ctx.db
    .select({
      id: ledgerEntries.id,
      at: sql<Instant>`${ledgerEntries.postedAt}`,
      transactionId: ledgerEntries.transactionId,
      kind: ledgerTransactions.kind,
      chargeId: ledgerTransactions.chargeId,
      payoutId: ledgerTransactions.payoutId,
      description: sql<
        string | null
      >`(SELECT charge.description FROM charges charge WHERE charge.id = ${ledgerTransactions.chargeId})`.as(
        "description",
      ),
      amountCents: ledgerEntries.amountCents,
    })
    .from(ledgerEntries)
    .innerJoin(ledgerTransactions, eq(ledgerTransactions.id, ledgerEntries.transactionId))
    .where(
      and(
        statementAccountsSql(of, sql`${ledgerEntries.accountId}`),
        from === null ? undefined : gte(ledgerEntries.postedAt, from),
        until === null ? undefined : lt(ledgerEntries.postedAt, until),
        after
          ? sql`(${ledgerEntries.postedAt}, ${ledgerEntries.id}) < (${after.at}, ${after.id})`
          : undefined,
      ),
    )
    .orderBy(desc(ledgerEntries.postedAt), desc(ledgerEntries.id))
    .limit(limit + 1);
}

/** Builds the page, and the sums with which the next one starts. */
function statementOf(
  { of, limit }: StatementRequest,
  sums: StatementSums,
  rows: Awaited<ReturnType<typeof rowsStatement>>,
): { page: AccountStatement; left: StatementSums } {
  let { balance } = sums;
  const page = pageOf(rows, limit, ({ at, id }): Cursor => ({ at, id }));
  const items = page.items.map((row) => {
    const shown = {
      ...row,
      amountCents: inAccountSense(of, row.amountCents),
      balanceCents: inAccountSense(of, balance),
    };
    balance -= row.amountCents;
    return shown;
  });
  return {
    page: {
      items,
      next: page.next,
      openingCents: inAccountSense(of, sums.opening),
      closingCents: inAccountSense(of, sums.closing),
    },
    left: { ...sums, balance },
  };
}

/**
 * Streams the whole statement page by page, each starting with the balance of the previous one.
 * Stops after `most` rows.
 */
export async function* streamLedgerStatement(
  ctx: Context,
  {
    pageRows,
    most,
    ...range
  }: StatementRange & { of: StatementSubject; pageRows: number; most: number },
): AsyncGenerator<AccountStatement> {
  let cursor: string | null = null;
  let sums: StatementSums | null = null;
  for (let read = 0; read < most; read += pageRows) {
    const { page, left }: { page: AccountStatement; left: StatementSums } = await readPage(
      ctx,
      { ...range, cursor, limit: pageRows },
      sums,
    );
    yield page;
    if (page.next === null) return;
    cursor = page.next;
    sums = left;
  }
}

/** Counts the entries of an export, with the time of the first; null where there is none. */
export async function statementExtent(
  ctx: Context,
  { of, from, until }: StatementRange & { of: StatementSubject },
): Promise<{ count: number; firstAt: Instant | null }> {
  const [row] = await ctx.db
    .select({ count: sql<number>`COUNT(*)`, firstAt: sql<Instant | null>`MIN(entry.posted_at)` })
    .from(sql`ledger_entries entry`)
    .where(
      and(
        statementAccountsSql(of, ENTRY_ACCOUNT),
        sql`entry.posted_at >= ${from ?? 0}`,
        until === null ? undefined : sql`entry.posted_at < ${until}`,
      ),
    );
  return row ?? { count: 0, firstAt: null };
}
