import { and, eq, gt } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { ledgerChecks } from "#drizzle/schema/ledger.ts";

export type Check = typeof ledgerChecks.$inferSelect;

/** More than there are invariants. */
const MOST_CHECKS = 100;

/** How each invariant was found the last time, by name; empty before the first. */
export async function lastChecks(ctx: Context): Promise<Map<string, Check>> {
  const rows = await ctx.db.select().from(ledgerChecks).limit(MOST_CHECKS);
  return new Map(rows.map((row) => [row.name, row]));
}

/** For a batch: a row while a broken invariant of money holds payouts back. */
export function brokenBooksStatement(ctx: Context) {
  return ctx.db
    .select({ name: ledgerChecks.name })
    .from(ledgerChecks)
    .where(and(eq(ledgerChecks.holdsPayouts, true), gt(ledgerChecks.brokenCount, 0)))
    .limit(1);
}
