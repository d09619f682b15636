import { asc, eq, or, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { AccountKind } from "#app/domain/ledger/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";
import { ledgerAccounts, ledgerEntries, ledgerTransactions } from "#drizzle/schema/ledger.ts";

type PostedLeg = {
  id: string;
  accountId: string;
  accountKind: AccountKind;
  /** Debits positive (centavos). */ amountCents: Cents;
};
export type PostedHappening = {
  id: string;
  sourceKey: string;
  kind: string;
  chargeId: string | null;
  payoutId: string | null;
  postedAt: Instant;
  legs: PostedLeg[];
};

/** More than any happening has. */
const LEGS_AT_MOST = 20;

/**
 * One happening of the books with all its legs, by its id or by what made it
 * (`payout:<id>:claimed`); null for words that name none.
 */
export async function postedHappening(
  ctx: Context,
  { named }: { named: string },
): Promise<PostedHappening | null> {
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
        accountKind: sql<AccountKind>`${ledgerAccounts.kind}`,
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
