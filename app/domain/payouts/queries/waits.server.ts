import { and, eq, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { payouts } from "#drizzle/schema/payouts.ts";

/** What was claimed for transfers of a provider that it did not hear of yet, in centavos. */
export async function claimedAtProvider(ctx: Context, { provider }: { provider: string }): Promise<Cents> {
  const [row] = await ctx.db
    .select({ cents: sql<Cents>`COALESCE(SUM(${payouts.amountCents}), 0)` })
    .from(payouts)
    .where(and(eq(payouts.status, "claimed"), eq(payouts.provider, provider)));
  return row?.cents ?? 0;
}
