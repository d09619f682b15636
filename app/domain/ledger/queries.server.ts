import { and, eq, ne, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { ledgerAccounts, ledgerEntries, ledgerTransactions } from "#drizzle/schema/ledger.ts";
import { accountId } from "./rules.ts";
import type { LedgerAccountKind } from "./schema.ts";

/**
 * Statement of every entry of a charge for its payer and seller, oldest first; debits positive
 * (centavos). It leaves out the provider's cost, which is the platform's.
 */
export function chargeEntries(ctx: Context, { chargeId }: { chargeId: string | SQL }) {
  return ctx.db
    .select({
      accountKind: sql<LedgerAccountKind>`${ledgerAccounts.kind}`,
      amountCents: ledgerEntries.amountCents,
      transactionKind: ledgerTransactions.kind,
      sourceKey: ledgerTransactions.sourceKey,
      postedAt: ledgerTransactions.postedAt,
    })
    .from(ledgerEntries)
    .innerJoin(ledgerTransactions, eq(ledgerTransactions.id, ledgerEntries.transactionId))
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerEntries.accountId))
    .where(
      and(eq(ledgerTransactions.chargeId, chargeId), ne(ledgerTransactions.kind, "provider.cost")),
    )
    .orderBy(ledgerTransactions.createdAt, ledgerEntries.id)
    .limit(200);
}

/**
 * Statement of the balances of one creator by kind, each positive in its own sense (centavos).
 * Await it, or put it in a page's batch.
 */
export function creatorBalanceRows(
  { db }: Pick<Context, "db">,
  { creatorId }: { creatorId: string | SQL<string> },
) {
  const kinds: LedgerAccountKind[] = [
    "creator_pending",
    "creator_available",
    "creator_reserved",
    "creator_owed",
  ];
  return db
    .select({
      kind: sql<LedgerAccountKind>`${ledgerAccounts.kind}`,
      cents: sql<Cents>`${ledgerAccounts.balanceCents} * ${ledgerAccounts.normalSide}`,
    })
    .from(ledgerAccounts)
    .where(
      sql`${ledgerAccounts.id} IN (${sql.join(
        kinds.map((kind) =>
          typeof creatorId === "string"
            ? sql`${accountId({ kind, ownerId: creatorId })}`
            : sql`${accountId({ kind, ownerId: "" })} || ${creatorId}`,
        ),
        sql`, `,
      )})`,
    );
}

/**
 * Statement for a batch: what each creator owes (centavos), by creator id. `creatorIds` is a query
 * of ids. A creator who never owed has no row.
 */
export function creatorDebtRows(
  ctx: Context,
  { creatorIds, limit }: { creatorIds: SQL; limit: number },
) {
  return ctx.db
    .select({
      creatorId: sql<string>`${ledgerAccounts.ownerId}`,
      cents: sql<Cents>`${ledgerAccounts.balanceCents} * ${ledgerAccounts.normalSide}`,
    })
    .from(ledgerAccounts)
    .where(sql`${ledgerAccounts.id} IN (SELECT 'creator_owed:' || creator_id FROM (${creatorIds}))`)
    .limit(limit);
}

/** Returns the balance of `kind` among `rows`; zero for an account that was never used. */
export function balanceOfKind(
  rows: readonly { kind: LedgerAccountKind; cents: Cents }[],
  kind: LedgerAccountKind,
): Cents {
  return rows.find((row) => row.kind === kind)?.cents ?? 0;
}
