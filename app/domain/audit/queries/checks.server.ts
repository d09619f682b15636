import { and, eq, gt, inArray, lt, min, or, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { staleBefore, dayCheckedInvariantNames } from "#app/domain/audit/rules.ts";
import type { Instant } from "#app/domain/time.ts";
import { ledgerChecks } from "#drizzle/schema/ledger.ts";

export type InvariantCheck = typeof ledgerChecks.$inferSelect;

/** More than there are invariants. */
const MOST_CHECKS = 100;

/** Loads the last finding of each invariant, by name; empty before the first check. */
export async function latestChecks(ctx: Context): Promise<Map<string, InvariantCheck>> {
  const rows = await ctx.db.select().from(ledgerChecks).limit(MOST_CHECKS);
  return new Map(rows.map((row) => [row.name, row]));
}

/** SQL condition: a money invariant that was not checked for too long (`staleBefore`). */
const isStale = (ctx: Context) =>
  and(
    eq(ledgerChecks.holdsPayouts, true),
    inArray(ledgerChecks.name, [...dayCheckedInvariantNames]),
    lt(ledgerChecks.checkedAt, staleBefore(ctx.realNow())),
  );

/**
 * Statement for a batch: the money invariants that block payouts, broken or not checked for too
 * long (`blocksPayouts`).
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

/** Builds the statement that counts broken invariants, for the staff's home. */
export function brokenChecksCountStatement(ctx: Context) {
  return ctx.db
    .select({
      count: sql<number>`COUNT(*)`.as("broken_count"),
      oldestAt: sql<Instant | null>`MIN(${ledgerChecks.brokenSince})`.as("broken_oldest_at"),
    })
    .from(ledgerChecks)
    .where(gt(ledgerChecks.brokenCount, 0));
}

/**
 * Returns since when some money invariant was not checked, by the wall clock; null while all were
 * checked recently.
 */
export async function checksStaleSince(ctx: Context): Promise<Instant | null> {
  const [row] = await ctx.db
    .select({ at: min(ledgerChecks.checkedAt) })
    .from(ledgerChecks)
    .where(isStale(ctx));
  return row?.at ?? null;
}
