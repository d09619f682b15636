import { and, eq, gt, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Invariant } from "#app/domain/ledger/queries.server.ts";
import { HOUR_MS } from "#app/domain/time.ts";
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

/** A day, and the hours that a night may come later. */
const WHOLE_LIMIT_MS = 26 * HOUR_MS;

/** Where looks go on and one at everything does not succeed, people are told: by day only what moved is looked at. */
export const looksInvariants: readonly Invariant[] = [
  {
    name: "looked_at_whole",
    title: "Cada regra foi conferida inteira desde ontem",
    sql: (ctx) => sql`
      SELECT name, whole_at FROM ledger_checks WHERE whole_at > 0 AND whole_at < ${ctx.realNow() - WHOLE_LIMIT_MS} AND EXISTS (SELECT 1 FROM ledger_checks other WHERE other.checked_at > ${ctx.realNow() - HOUR_MS})`,
  },
];
