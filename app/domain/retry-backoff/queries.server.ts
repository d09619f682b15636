import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Context } from "#app/domain/context.ts";
import type { Instant } from "#app/domain/time.ts";
import { retryBackoffs } from "#drizzle/schema/retry-backoff.ts";
import { retryKey } from "./rules.ts";
import type { RetryKind } from "./rules.ts";

/**
 * For the query of something due: the row with this id did not fail in a job of `kind`, or waited
 * long enough since.
 */
export const isRetryDue = (ctx: Context, id: SQLiteColumn, kind?: RetryKind): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM setbacks late WHERE late.subject_id = ${kind === undefined ? id : sql`${retryKey("", kind)} || ${id}`} AND late.next_attempt_at > ${ctx.now()})`;

/**
 * For the command that puts off what has to wait: when the row with this id has its next turn; NULL
 * when it has one now.
 */
export const nextAttemptAt = (ctx: Context, id: SQLiteColumn): SQL<Instant | null> =>
  sql`(SELECT late.next_attempt_at FROM setbacks late WHERE late.subject_id = ${id} AND late.next_attempt_at > ${ctx.now()})`;

/** The row with this id failed `failures` times or more, and never rested for a day. */
export const hasFailedTimes = (id: SQLiteColumn, failures: number): SQL =>
  sql`EXISTS (SELECT 1 FROM setbacks late WHERE late.subject_id = ${id} AND late.failures >= ${failures})`;

/** Which of these failed lately: within the day or so in which a setback is kept. */
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
