import { lt, sql } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { DbStatement } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { retryBackoffs } from "#drizzle/schema/retry-backoff.ts";
import { MAX_BACKOFF_MS, retryKey, retryBackoffMs } from "./rules.ts";
import type { RetryKind } from "./rules.ts";

/**
 * Records that a job of `kind` failed for `subjectId` (the id of any row).
 *
 * The row waits longer after each failure, so that rows that never succeed do not fill the pages of
 * due rows. A day without a failure resets it. Source:
 * docs/decisions/platform/back-off-failed-rows-in-one-table.md.
 */
export async function recordFailure(ctx: Context, failedJob: FailedJob): Promise<void> {
  await commit(ctx.db, [recordFailureStatement(ctx, failedJob)]);
}

type FailedJob = { subjectId: string; kind?: RetryKind | undefined };

/** Returns the statement of `recordFailure`. */
export function recordFailureStatement(ctx: Context, { subjectId, kind }: FailedJob): DbStatement {
  const now = ctx.now();
  const waits = sql.join(
    WAITS.map((waitMs, before) => sql`WHEN ${before} THEN CAST(${now + waitMs} AS INTEGER)`),
    sql` `,
  );
  return ctx.db
    .insert(retryBackoffs)
    .values({
      subjectId: retryKey(subjectId, kind),
      failures: 1,
      nextAttemptAt: now + retryBackoffMs(1),
    })
    .onConflictDoUpdate({
      target: retryBackoffs.subjectId,
      set: {
        failures: sql`${retryBackoffs.failures} + 1`,
        nextAttemptAt: sql`CASE ${retryBackoffs.failures} ${waits} ELSE CAST(${now + MAX_BACKOFF_MS} AS INTEGER) END`,
      },
    });
}

/** The back-off by the number of earlier failures, up to the longest. */
const WAITS = Array.from({ length: 12 }, (_, before) => retryBackoffMs(before + 1));

/** Deletes the failures of rows that did not fail for a day. */
export async function purgeOldFailures(ctx: Context): Promise<void> {
  await ctx.db.delete(retryBackoffs).where(lt(retryBackoffs.nextAttemptAt, ctx.now() - DAY_MS));
}
