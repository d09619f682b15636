import { and, asc, desc, eq, gte, lt, lte, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Month } from "#app/domain/ledger/months/rules/months.ts";
import { readBalances } from "#app/domain/ledger/months/rules/seals.ts";
import type {
  SealChain,
  KindBalances,
  SealPosition,
  SealedEntry,
} from "#app/domain/ledger/months/rules/seals.ts";
import type { LedgerAccountKind } from "#app/domain/ledger/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";
import {
  ledgerAccounts,
  ledgerEntries,
  ledgerSealProgress,
  ledgerSeals,
  ledgerTransactions,
} from "#drizzle/schema/ledger.ts";

export type Seal = typeof ledgerSeals.$inferSelect;

/** Twenty years of months. */
const MOST_SEALS = 240;

type JournalReadContext = Pick<Context, "db">;

/** Lists every sealed month, newest first. */
export async function allSeals(ctx: JournalReadContext): Promise<Seal[]> {
  return await ctx.db.select().from(ledgerSeals).orderBy(desc(ledgerSeals.month)).limit(MOST_SEALS);
}

/** Loads the seal of `month` and the one that it continues; null where there is none. */
export async function sealAndPrevious(
  ctx: JournalReadContext,
  { month }: { month: Month },
): Promise<{ seal: Seal | null; previous: Seal | null }> {
  const [latest, before] = await ctx.db
    .select()
    .from(ledgerSeals)
    .where(lte(ledgerSeals.month, month))
    .orderBy(desc(ledgerSeals.month))
    .limit(2);
  return latest?.month === month
    ? { seal: latest, previous: before ?? null }
    : { seal: null, previous: latest ?? null };
}

/** The progress of a month that is being sealed. */
export type SealProgress = SealChain & { month: Month };

/**
 * Loads the last seal, the time of the first entry of all, and the month that is being sealed; null
 * where there is none.
 */
export async function loadSealingSnapshot(
  ctx: Context,
): Promise<{ last: Seal | null; firstEntryAt: Instant | null; progress: SealProgress | null }> {
  const [seals, first, underWay] = await ctx.db.batch([
    ctx.db.select().from(ledgerSeals).orderBy(desc(ledgerSeals.month)).limit(1),
    ctx.db
      .select({ at: ledgerTransactions.postedAt })
      .from(ledgerTransactions)
      .where(sql`${ledgerTransactions.postedAt} IS NOT NULL`)
      .orderBy(asc(ledgerTransactions.postedAt))
      .limit(1),
    ctx.db.select().from(ledgerSealProgress).limit(1),
  ]);
  return {
    last: seals[0] ?? null,
    firstEntryAt: first[0]?.at ?? null,
    progress: underWay[0] ? progressOf(underWay[0]) : null,
  };
}

function progressOf({
  month,
  hash,
  entriesCount,
  balances,
  afterPostedAt,
  afterTransactionId,
  afterId,
}: typeof ledgerSealProgress.$inferSelect): SealProgress {
  const after =
    afterPostedAt !== null && afterTransactionId !== null && afterId !== null
      ? { postedAt: afterPostedAt, transactionId: afterTransactionId, id: afterId }
      : null;
  return { month, hash, entriesCount, balances: readBalances(balances), after };
}

/**
 * Lists at most `limit` entries posted from `from` until before `until`, in the order of a seal,
 * after `after`.
 */
export async function journalPage(
  ctx: JournalReadContext,
  {
    from,
    until,
    after,
    limit,
  }: { from: Instant; until: Instant; after: SealPosition | null; limit: number },
): Promise<SealedEntry[]> {
  return await ctx.db
    .select({
      id: ledgerEntries.id,
      transactionId: ledgerEntries.transactionId,
      sourceKey: ledgerTransactions.sourceKey,
      kind: ledgerTransactions.kind,
      chargeId: ledgerTransactions.chargeId,
      payoutId: ledgerTransactions.payoutId,
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
        after
          ? sql`(${ledgerTransactions.postedAt}, ${ledgerTransactions.id}, ${ledgerEntries.id}) > (${after.postedAt}, ${after.transactionId}, ${after.id})`
          : undefined,
      ),
    )
    .orderBy(asc(ledgerTransactions.postedAt), asc(ledgerTransactions.id), asc(ledgerEntries.id))
    .limit(limit);
}

/**
 * Sums each kind of account before `until`, debits positive (centavos).
 *
 * It adds the entries posted since the last seal to that seal's balances. The sum of all kinds is
 * zero while the books are right.
 */
export async function balancesBefore(
  ctx: Context,
  { until }: { until: Instant },
): Promise<KindBalances> {
  const [seal] = await ctx.db
    .select()
    .from(ledgerSeals)
    .where(sql`${ledgerSeals.endsAt} <= ${until}`)
    .orderBy(desc(ledgerSeals.month))
    .limit(1);
  const sums = await ctx.db
    .select({
      kind: sql<LedgerAccountKind>`${ledgerAccounts.kind}`,
      cents: sql<Cents>`SUM(${ledgerEntries.amountCents})`,
    })
    .from(ledgerTransactions)
    .innerJoin(ledgerEntries, eq(ledgerEntries.transactionId, ledgerTransactions.id))
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerEntries.accountId))
    .where(
      and(
        gte(ledgerTransactions.postedAt, seal?.endsAt ?? 0),
        lt(ledgerTransactions.postedAt, until),
      ),
    )
    .groupBy(ledgerAccounts.kind);
  const balances = seal ? readBalances(seal.balances) : {};
  for (const { kind, cents } of sums) balances[kind] = (balances[kind] ?? 0) + cents;
  return Object.fromEntries(Object.entries(balances).filter(([, cents]) => cents !== 0));
}

/**
 * Sums each kind of account now, debits positive (centavos), from the stored balances. They are
 * what `balancesBefore` computes for a past day.
 *
 * It reads the index of accounts that are not at zero. The accounts of finished payouts, whose
 * number only grows, cost nothing.
 */
export async function balancesNow(ctx: Context): Promise<KindBalances> {
  const sums = await ctx.db.all<{ kind: LedgerAccountKind; cents: Cents }>(
    sql`SELECT kind, SUM(balance_cents) AS cents FROM ledger_accounts INDEXED BY ledger_accounts_balance WHERE balance_cents <> 0 GROUP BY kind HAVING SUM(balance_cents) <> 0`,
  );
  return Object.fromEntries(sums.map(({ kind, cents }) => [kind, cents]));
}
