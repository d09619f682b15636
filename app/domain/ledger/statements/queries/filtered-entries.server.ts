import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { statementAccountsSql, inAccountSense } from "./statement.server.ts";
import type { StatementSubject, StatementRow } from "./statement.server.ts";
import type { Cents } from "#app/domain/money.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * Which entries of an account a figure consists of: those of one transaction kind, of one payout,
 * or of one creator's sales.
 */
export type EntryFilter = { kind?: string; payoutId?: string; creatorId?: string };

export type FilteredEntryRow = Omit<StatementRow, "balanceCents">;

/**
 * What these entries added to the account and took from it, and their sum (centavos, in its own
 * sense). The sums cover all pages.
 */
export type FilteredEntries = Page<FilteredEntryRow> & {
  inCents: Cents;
  outCents: Cents;
  sumCents: Cents;
};

type FilteredEntriesRequest = {
  of: StatementSubject;
  only: EntryFilter;
  from: Instant | null;
  until: Instant | null;
  cursor: string | null;
  limit: number;
};

/**
 * Starts from the smallest set of rows. A creator's sales and a payout's postings are found without
 * reading the account's other entries.
 */
function source({
  of,
  only: { kind, payoutId, creatorId },
  from,
  until,
}: FilteredEntriesRequest): SQL {
  const joined =
    creatorId === undefined
      ? payoutId === undefined
        ? sql`ledger_entries entry JOIN ledger_transactions t ON t.id = entry.transaction_id WHERE ${statementAccountsSql(of, sql`entry.account_id`)}`
        : sql`ledger_transactions t JOIN ledger_entries entry ON entry.transaction_id = t.id WHERE t.payout_id = ${payoutId} AND ${statementAccountsSql(of, sql`+entry.account_id`)}`
      : sql`charges sale JOIN ledger_transactions t ON t.charge_id = sale.id JOIN ledger_entries entry ON entry.transaction_id = t.id WHERE sale.creator_id = ${creatorId} AND ${statementAccountsSql(of, sql`+entry.account_id`)}`;
  return sql`${joined} AND entry.posted_at >= ${from ?? 0} AND ${until === null ? sql`1` : sql`entry.posted_at < ${until}`} AND ${kind === undefined ? sql`1` : sql`t.kind = ${kind}`}`;
}

/**
 * Lists one page of the entries of an account that match `only`, newest first, with the sums of
 * all. They were posted from `from` until before `until`. One round trip.
 */
export async function filteredEntriesStatement(
  ctx: Context,
  asked: FilteredEntriesRequest,
): Promise<FilteredEntries> {
  const after = decodeCursor(asked.cursor);
  const grown = inAccountSense(asked.of, 1);
  const [rows, [sums]] = await ctx.db.batch([
    ctx.db
      .select({
        id: sql<string>`entry.id`.as("entry_id"),
        at: sql<Instant>`entry.posted_at`.as("at"),
        transactionId: sql<string>`t.id`.as("transaction_id"),
        kind: sql<string>`t.kind`.as("kind"),
        chargeId: sql<string | null>`t.charge_id`.as("charge_id"),
        payoutId: sql<string | null>`t.payout_id`.as("payout_id"),
        description: sql<
          string | null
        >`(SELECT charge.description FROM charges charge WHERE charge.id = t.charge_id)`.as(
          "description",
        ),
        amountCents: sql<Cents>`entry.amount_cents`.as("amount_cents"),
      })
      .from(
        sql`${source(asked)} AND ${after ? sql`(entry.posted_at, entry.id) < (${after.at}, ${after.id})` : sql`1`} ORDER BY entry.posted_at DESC, entry.id DESC LIMIT ${asked.limit + 1}`,
      ),
    ctx.db
      .select({
        in: sql<Cents>`COALESCE(SUM(MAX(0, entry.amount_cents * ${grown})), 0)`.as("came_in"),
        out: sql<Cents>`COALESCE(SUM(MAX(0, -entry.amount_cents * ${grown})), 0)`.as("went_out"),
      })
      .from(source(asked)),
  ]);
  const { in: inCents, out: outCents } = sums ?? { in: 0, out: 0 };
  const page = pageOf(rows, asked.limit, ({ at, id }) => ({ at, id }));
  return {
    ...page,
    items: page.items.map((row) => ({
      ...row,
      amountCents: inAccountSense(asked.of, row.amountCents),
    })),
    inCents,
    outCents,
    sumCents: inCents - outCents,
  };
}
