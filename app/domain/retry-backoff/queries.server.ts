import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Context } from "#app/domain/context.ts";
import type { Instant } from "#app/domain/time.ts";
import { retryBackoffs } from "#drizzle/schema/retry-backoff.ts";
import { retryKey } from "./rules.ts";
import type { RetryKind } from "./rules.ts";

/**
 * SQL condition for a query of due rows: the row did not fail in a job of `kind`, or its back-off
 * is over.
 */
export const isRetryDue = (ctx: Context, id: SQLiteColumn, kind?: RetryKind): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM setbacks late WHERE late.subject_id = ${kind === undefined ? id : sql`${retryKey("", kind)} || ${id}`} AND late.next_attempt_at > ${ctx.now()})`;

/**
 * SQL of when the row may be tried again; NULL if it may be tried now. For a command that postpones
 * what has to wait.
 */
export const nextAttemptAt = (ctx: Context, id: SQLiteColumn): SQL<Instant | null> =>
  sql`(SELECT late.next_attempt_at FROM setbacks late WHERE late.subject_id = ${id} AND late.next_attempt_at > ${ctx.now()})`;

/** SQL condition: the row failed at least `failures` times, without a day between failures. */
export const hasFailedTimes = (id: SQLiteColumn, failures: number): SQL =>
  sql`EXISTS (SELECT 1 FROM setbacks late WHERE late.subject_id = ${id} AND late.failures >= ${failures})`;

/** Returns which of these failed recently: within the day or so for which a failure is stored. */
export async function recentlyFailed(
  ctx: Context,
  { subjectIds }: { subjectIds: readonly string[] },
): Promise<Set<string>> {
  if (subjectIds.length === 0) return new Set();
  const rows = await ctx.db
    .select({ subjectId: retryBackoffs.subjectId })
    .from(retryBackoffs)
    .where(
      sql`${retryBackoffs.subjectId} IN (SELECT value FROM json_each(${JSON.stringify(subjectIds)}))`,
    );
  return new Set(rows.map(({ subjectId }) => subjectId));
}
