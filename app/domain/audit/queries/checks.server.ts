import { and, eq, gt, inArray, lt, min, or } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { staleBefore, dayCheckedInvariantNames } from "#app/domain/audit/rules.ts";
import type { Instant } from "#app/domain/time.ts";
import { ledgerChecks } from "#drizzle/schema/ledger.ts";

export type InvariantCheck = typeof ledgerChecks.$inferSelect;

/** More than there are invariants. */
const MOST_CHECKS = 100;

/** How each invariant was found the last time, by name; empty before the first. */
export async function latestChecks(ctx: Context): Promise<Map<string, InvariantCheck>> {
  const rows = await ctx.db.select().from(ledgerChecks).limit(MOST_CHECKS);
  return new Map(rows.map((row) => [row.name, row]));
}

/** What was not looked at for too long (`staleBefore`). */
const isStale = (ctx: Context) =>
  and(
    eq(ledgerChecks.holdsPayouts, true),
    inArray(ledgerChecks.name, [...dayCheckedInvariantNames]),
    lt(ledgerChecks.checkedAt, staleBefore(ctx.realNow())),
  );

/**
 * For a batch: the invariants of money that hold payouts back, broken or not looked at for too long
 * (`blocksPayouts`).
 */
export function payoutBlockingChecksStatement(ctx: Context) {
  return ctx.db
    .select({ name: ledgerChecks.name })
    .from(ledgerChecks)
    .where(
      or(and(eq(ledgerChecks.holdsPayouts, true), gt(ledgerChecks.brokenCount, 0)), isStale(ctx)),
    )
    .limit(MOST_CHECKS);
}

/**
 * Since when some invariant of money was not looked at, by the wall clock; null while all of them
 * were lately.
 */
export async function checksStaleSince(ctx: Context): Promise<Instant | null> {
  const [row] = await ctx.db
    .select({ at: min(ledgerChecks.checkedAt) })
    .from(ledgerChecks)
    .where(isStale(ctx));
  return row?.at ?? null;
}
