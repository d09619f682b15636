import { and, desc, eq, ne, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { PLATFORM_CASH_NAME } from "#app/domain/ledger/platform-money/rules/platform-money.ts";
import { ledgerAccounts, providerMoves } from "#drizzle/schema/ledger.ts";

/** Every provider that takes payments or is responsible for earlier ones. */
export const ledgerProviders = ({ payments }: Context) =>
  "providers" in payments ? payments.providers : [payments];

export const providerNames = (ctx: Context): string[] =>
  ledgerProviders(ctx).map(({ name }) => name);

const MOVES_SHOWN = 50;

export type ProviderTransferRow = typeof providerMoves.$inferSelect;

export async function providerTransferRow(
  ctx: Context,
  { id }: { id: string },
): Promise<ProviderTransferRow | null> {
  const [row] = await ctx.db.select().from(providerMoves).where(eq(providerMoves.id, id)).limit(1);
  return row ?? null;
}

/**
 * Loads the book balance of each provider (centavos), configured or not, and the latest transfers
 * between providers.
 */
export async function providerBookBalances(
  ctx: Context,
): Promise<{ providers: { name: string; cents: Cents }[]; moves: ProviderTransferRow[] }> {
  const [accounts, moves] = await ctx.db.batch([
    ctx.db
      .select({
        name: sql<string>`${ledgerAccounts.ownerId}`.as("owner"),
        cents: ledgerAccounts.balanceCents,
      })
      .from(ledgerAccounts)
      .where(eq(ledgerAccounts.kind, "provider_clearing")),
    ctx.db
      .select()
      .from(providerMoves)
      .where(
        and(
          ne(providerMoves.fromProvider, PLATFORM_CASH_NAME),
          ne(providerMoves.toProvider, PLATFORM_CASH_NAME),
        ),
      )
      .orderBy(desc(providerMoves.createdAt))
      .limit(MOVES_SHOWN),
  ]);
  const names = new Set([...providerNames(ctx), ...accounts.map(({ name }) => name)]);
  return {
    providers: [...names].toSorted().map((name) => ({
      name,
      cents: accounts.find((account) => account.name === name)?.cents ?? 0,
    })),
    moves,
  };
}
