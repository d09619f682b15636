import { asc, eq, or, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { LedgerAccountKind } from "#app/domain/ledger/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";
import { ledgerAccounts, ledgerEntries, ledgerTransactions } from "#drizzle/schema/ledger.ts";

type PostedLeg = {
  id: string;
  accountId: string;
  accountKind: LedgerAccountKind;
  /** Debits positive (centavos). */ amountCents: Cents;
};
export type PostedTransaction = {
  id: string;
  sourceKey: string;
  kind: string;
  chargeId: string | null;
  payoutId: string | null;
  postedAt: Instant;
  legs: PostedLeg[];
};

/** More legs than any transaction has. */
const LEGS_AT_MOST = 20;

/**
 * Loads one transaction of the books with all its legs, by its id or its source key
 * (`payout:<id>:claimed`); null for any other text.
 */
export async function postedTransaction(
  ctx: Context,
  { named }: { named: string },
): Promise<PostedTransaction | null> {
  const rows = await ctx.db
    .select({
      id: ledgerTransactions.id,
      sourceKey: ledgerTransactions.sourceKey,
      kind: ledgerTransactions.kind,
      chargeId: ledgerTransactions.chargeId,
      payoutId: ledgerTransactions.payoutId,
      postedAt: sql<Instant>`${ledgerTransactions.postedAt}`,
      leg: {
        id: ledgerEntries.id,
        accountId: ledgerEntries.accountId,
        accountKind: sql<LedgerAccountKind>`${ledgerAccounts.kind}`,
        amountCents: ledgerEntries.amountCents,
      },
    })
    .from(ledgerTransactions)
    .innerJoin(ledgerEntries, eq(ledgerEntries.transactionId, ledgerTransactions.id))
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerEntries.accountId))
    .where(or(eq(ledgerTransactions.id, named), eq(ledgerTransactions.sourceKey, named)))
    .orderBy(asc(ledgerEntries.id))
    .limit(LEGS_AT_MOST);
  const [first] = rows;
  if (!first) return null;
  const { leg: _, ...happening } = first;
  return { ...happening, legs: rows.map(({ leg }) => leg) };
}
