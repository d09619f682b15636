import { and, asc, desc, eq, gte, lt, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { readBalances } from "#app/domain/ledger/rules/seals.ts";
import type { KindBalances, SealedEntry } from "#app/domain/ledger/rules/seals.ts";
import type { AccountKind } from "#app/domain/ledger/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";
import { ledgerAccounts, ledgerEntries, ledgerSeals, ledgerTransactions } from "#drizzle/schema/ledger.ts";

export type Seal = typeof ledgerSeals.$inferSelect;

/** Twenty years of months. */
const MOST_SEALS = 240;

/** Every sealed month, newest first. */
export async function sealsOf(ctx: Context): Promise<Seal[]> {
  return await ctx.db.select().from(ledgerSeals).orderBy(desc(ledgerSeals.month)).limit(MOST_SEALS);
}

/** The last seal, and when the first entry of all was posted; null where there is none. */
export async function sealingFacts(ctx: Context): Promise<{ last: Seal | null; firstEntryAt: Instant | null }> {
  const [seals, first] = await ctx.db.batch([
    ctx.db.select().from(ledgerSeals).orderBy(desc(ledgerSeals.month)).limit(1),
    ctx.db.select({ at: ledgerTransactions.postedAt }).from(ledgerTransactions).where(sql`${ledgerTransactions.postedAt} IS NOT NULL`).orderBy(asc(ledgerTransactions.postedAt)).limit(1),
  ]);
  return { last: seals[0] ?? null, firstEntryAt: first[0]?.at ?? null };
}

/** The entries posted from `from` until before `until`, in the order of a seal, `pageRows` at a time: transactions are never cut in two by an order that could change. */
export async function* journal(ctx: Context, { from, until, pageRows }: { from: Instant; until: Instant; pageRows: number }): AsyncGenerator<SealedEntry[]> {
  let after: SealedEntry | null = null;
  for (;;) {
    const rows: SealedEntry[] = await ctx.db
      .select({
        id: ledgerEntries.id,
        transactionId: ledgerEntries.transactionId,
        sourceKey: ledgerTransactions.sourceKey,
        kind: ledgerTransactions.kind,
        postedAt: sql<Instant>`${ledgerTransactions.postedAt}`,
        accountId: ledgerEntries.accountId,
        amountCents: ledgerEntries.amountCents,
      })
      .from(ledgerTransactions)
      .innerJoin(ledgerEntries, eq(ledgerEntries.transactionId, ledgerTransactions.id))
      .where(
        and(
          gte(ledgerTransactions.postedAt, after?.postedAt ?? from),
          lt(ledgerTransactions.postedAt, until),
          after ? sql`(${ledgerTransactions.postedAt}, ${ledgerTransactions.id}, ${ledgerEntries.id}) > (${after.postedAt}, ${after.transactionId}, ${after.id})` : undefined,
        ),
      )
      .orderBy(asc(ledgerTransactions.postedAt), asc(ledgerTransactions.id), asc(ledgerEntries.id))
      .limit(pageRows);
    if (rows.length > 0) yield rows;
    if (rows.length < pageRows) return;
    after = rows.at(-1) ?? null;
  }
}

/**
 * What each kind of account comes to before `until`, debits positive (centavos): the last seal before it, and what was posted since. The
 * sum of all is zero while the books are right.
 */
export async function balancesBefore(ctx: Context, { until }: { until: Instant }): Promise<KindBalances> {
  const [seal] = await ctx.db.select().from(ledgerSeals).where(sql`${ledgerSeals.endsAt} <= ${until}`).orderBy(desc(ledgerSeals.month)).limit(1);
  const sums = await ctx.db
    .select({ kind: sql<AccountKind>`${ledgerAccounts.kind}`, cents: sql<Cents>`SUM(${ledgerEntries.amountCents})` })
    .from(ledgerTransactions)
    .innerJoin(ledgerEntries, eq(ledgerEntries.transactionId, ledgerTransactions.id))
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerEntries.accountId))
    .where(and(gte(ledgerTransactions.postedAt, seal?.endsAt ?? 0), lt(ledgerTransactions.postedAt, until)))
    .groupBy(ledgerAccounts.kind);
  const balances = seal ? readBalances(seal.balances) : {};
  for (const { kind, cents } of sums) balances[kind] = (balances[kind] ?? 0) + cents;
  return balances;
}
