import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { ledgerProviders, providerBookBalances } from "./providers.server.ts";
import { accountId } from "#app/domain/ledger/rules.ts";
import {
  PROVIDER_COST_DELAY_MS,
  outgoingCents,
} from "#app/domain/ledger/platform-money/rules/provider-balances.ts";
import type { ProviderBalanceComparison } from "#app/domain/ledger/platform-money/rules/provider-balances.ts";
import type { Cents } from "#app/domain/money.ts";

/**
 * Asks each configured provider what it holds of ours now, available or pending (centavos), by
 * name. Null for one that does not answer.
 */
export async function providerBalances(ctx: Context): Promise<Map<string, Cents | null>> {
  const asked = ledgerProviders(ctx).map(async (provider): Promise<[string, Cents | null]> => {
    try {
      const { availableCents, pendingCents } = await provider.balance();
      return [provider.name, availableCents + pendingCents];
    } catch (error) {
      ctx.log("payments.balance_unknown", {
        provider: provider.name,
        error: error instanceof Error ? error.name : "unknown",
      });
      return [provider.name, null];
    }
  });
  return new Map(await Promise.all(asked));
}

/**
 * Compares the books of each configured provider with its own balance (centavos). `onItsWayCents`
 * is how much of the difference unbooked outgoing money may explain.
 */
export async function compareProviderBalances(ctx: Context): Promise<ProviderBalanceComparison[]> {
  // Ask the providers before reading the books: money that leaves in between is then in neither.
  const balances = await providerBalances(ctx);
  const { providers } = await providerBookBalances(ctx);
  return await Promise.all(
    providers
      .filter(({ name }) => balances.has(name))
      .map(async ({ name, cents }) => ({
        name,
        booksCents: cents,
        theirCents: balances.get(name) ?? null,
        onItsWayCents: await leftCents(ctx, name),
      })),
  );
}

async function leftCents(ctx: Context, provider: string): Promise<Cents> {
  const since = ctx.now() - PROVIDER_COST_DELAY_MS;
  const sum = (what: string, rows: SQL) =>
    sql<number>`(SELECT COALESCE(SUM(${sql.raw(what)}), 0) FROM ${rows})`;
  const lately = sql`ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id WHERE e.account_id = ${accountId({ kind: "provider_clearing", ownerId: provider })} AND e.posted_at > ${since}`;
  const [row] = await ctx.db
    .select({
      payoutsCents: sum(
        "p.amount_cents",
        sql`payouts p WHERE p.status IN ('claimed', 'sent') AND p.provider = ${provider}`,
      ).as("payouts"),
      refundsCents: sum(
        "r.amount_cents",
        sql`refunds r JOIN charges c ON c.id = r.charge_id WHERE r.status = 'requested' AND c.provider = ${provider}`,
      ).as("refunds"),
      transfersCents: sum(
        "x.amount_cents",
        sql`refund_transfers x WHERE x.status IN ('claimed', 'sent') AND x.provider = ${provider}`,
      ).as("transfers"),
      disputesCents: sum(
        "d.amount_cents",
        sql`disputes d WHERE d.status = 'open' AND d.provider = ${provider}`,
      ).as("disputes"),
      lateSalesCents: sum(
        "e.amount_cents",
        sql`${lately} AND t.kind IN ('charge.succeeded', 'debt.paid')`,
      ).as("sales"),
      lateTransfers: sum(
        "1",
        sql`${lately} AND t.kind IN ('payout.paid', 'refund.transferred')`,
      ).as("sent"),
      lateDisputes: sum(
        "1",
        sql`disputes d WHERE d.created_at > ${since} AND d.provider = ${provider}`,
      ).as("fought"),
    })
    .from(sql`(SELECT 1)`);
  return row ? outgoingCents(row) : 0;
}
