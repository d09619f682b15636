import { and, eq, gte, inArray, lt, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";
import { ledgerEntries, ledgerTransactions } from "#drizzle/schema/ledger.ts";

export type FeeLine = {
  accountId: "platform_fees" | "fees_reserved";
  kind: string;
  count: number;
  /** What it added to the account, in centavos: earned is positive. */ cents: Cents;
};

/**
 * Sums the providers' costs from `from` until before `until` (centavos): the change of their
 * account in that time.
 */
export async function providerCostsCents(
  ctx: Context,
  { from, until }: { from: Instant; until: Instant },
): Promise<Cents> {
  const [row] = await ctx.db
    .select({ cents: sql<Cents>`COALESCE(SUM(${ledgerEntries.amountCents}), 0)` })
    .from(ledgerEntries)
    .where(
      and(
        eq(ledgerEntries.accountId, "provider_costs"),
        gte(ledgerEntries.postedAt, from),
        lt(ledgerEntries.postedAt, until),
      ),
    );
  return row?.cents ?? 0;
}

/**
 * Lists what changed the platform's fees from `from` until before `until`, by account and
 * transaction kind. Its sums are exactly the change of both accounts in that time: the report
 * equals the ledger.
 */
export async function platformFeeLines(
  ctx: Context,
  { from, until }: { from: Instant; until: Instant },
): Promise<FeeLine[]> {
  const rows = await ctx.db
    .select({
      accountId: ledgerEntries.accountId,
      kind: ledgerTransactions.kind,
      count: sql<number>`COUNT(*)`,
      cents: sql<Cents>`-SUM(${ledgerEntries.amountCents})`,
    })
    .from(ledgerEntries)
    .innerJoin(ledgerTransactions, eq(ledgerTransactions.id, ledgerEntries.transactionId))
    .where(
      and(
        inArray(ledgerEntries.accountId, ["platform_fees", "fees_reserved"]),
        gte(ledgerEntries.postedAt, from),
        lt(ledgerEntries.postedAt, until),
      ),
    )
    .groupBy(ledgerEntries.accountId, ledgerTransactions.kind)
    .orderBy(ledgerEntries.accountId, ledgerTransactions.kind);
  return rows.map((row) => ({ ...row, accountId: row.accountId as FeeLine["accountId"] }));
}
