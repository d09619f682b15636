import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, ne, or, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { RUNS_RETAINED } from "#app/domain/reconciliation/rules/runs.ts";
import type { ReconciliationStep } from "#app/domain/reconciliation/rules/runs.ts";
import type { ComparedObject } from "#app/domain/reconciliation/schema.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { reconciliationDifferences, reconciliationRuns } from "#drizzle/schema/reconciliation.ts";

export type ReconciliationRun = Omit<typeof reconciliationRuns.$inferSelect, "step"> & {
  step: ReconciliationStep | "done";
};
export type DifferenceRow = typeof reconciliationDifferences.$inferSelect;

/** Types a row. The trigger `reconciliation_runs_update` allows no other values of `step`. */
const asRun = (row: typeof reconciliationRuns.$inferSelect): ReconciliationRun => ({
  ...row,
  step: row.step as ReconciliationRun["step"],
});

/** Loads the whole row of a run, for commands. */
export async function runRow(
  ctx: Context,
  { runId }: { runId: string },
): Promise<ReconciliationRun | null> {
  const [row] = await ctx.db
    .select()
    .from(reconciliationRuns)
    .where(eq(reconciliationRuns.id, runId))
    .limit(1);
  return row ? asRun(row) : null;
}

/**
 * Finds the oldest unfinished run of a provider. Null also while it waits after the provider did
 * not answer; `isWaiting` says so.
 */
export async function oldestOpenRun(
  ctx: Context,
  { provider }: { provider: string },
): Promise<{ run: ReconciliationRun | null; isWaiting: boolean }> {
  const [row] = await ctx.db
    .select({
      run: reconciliationRuns,
      hasTurn: sql<number>`${isRetryDue(ctx, reconciliationRuns.id)}`.as("has_turn"),
    })
    .from(reconciliationRuns)
    .where(and(eq(reconciliationRuns.provider, provider), isNull(reconciliationRuns.finishedAt)))
    .orderBy(asc(reconciliationRuns.startedAt))
    .limit(1);
  return row && row.hasTurn
    ? { run: asRun(row.run), isWaiting: false }
    : { run: null, isWaiting: row !== undefined };
}

/**
 * Returns whether a provider already has its run of `night`, and when its last complete run
 * started: one that left nothing unanswered.
 */
export async function lastRunStart(
  ctx: Context,
  { provider, day }: { provider: string; day: string },
): Promise<{ isDone: boolean; since: Instant | null }> {
  const [same, last] = await ctx.db.batch([
    ctx.db
      .select({ id: reconciliationRuns.id })
      .from(reconciliationRuns)
      .where(and(eq(reconciliationRuns.provider, provider), eq(reconciliationRuns.night, day)))
      .limit(1),
    ctx.db
      .select({ startedAt: reconciliationRuns.startedAt })
      .from(reconciliationRuns)
      .where(
        and(
          eq(reconciliationRuns.provider, provider),
          isNotNull(reconciliationRuns.finishedAt),
          eq(reconciliationRuns.unclearCount, 0),
        ),
      )
      .orderBy(desc(reconciliationRuns.night))
      .limit(1),
  ]);
  return { isDone: same.length > 0, since: last[0]?.startedAt ?? null };
}

/** Statement of the ids of at most `most` finished runs that are no longer shown, newest first. */
export function expiredRuns(ctx: Context, most: number) {
  const behind = ctx.db
    .select({ id: reconciliationRuns.id, finishedAt: reconciliationRuns.finishedAt })
    .from(reconciliationRuns)
    .orderBy(desc(reconciliationRuns.startedAt), desc(reconciliationRuns.id))
    .limit(most)
    .offset(RUNS_RETAINED)
    .as("behind");
  return ctx.db.select({ id: behind.id }).from(behind).where(isNotNull(behind.finishedAt));
}

/** Lists open differences of a provider that this run did not examine yet, after an id. */
export async function openDifferences(
  ctx: Context,
  {
    provider,
    runId,
    after,
    limit,
  }: { provider: string; runId: string; after: string; limit: number },
): Promise<DifferenceRow[]> {
  return await ctx.db
    .select()
    .from(reconciliationDifferences)
    .where(
      and(
        eq(reconciliationDifferences.provider, provider),
        eq(reconciliationDifferences.state, "open"),
        gt(reconciliationDifferences.id, after),
        or(isNull(reconciliationDifferences.runId), ne(reconciliationDifferences.runId, runId)),
      ),
    )
    .orderBy(asc(reconciliationDifferences.id))
    .limit(limit);
}

/**
 * Returns which of these ids a run already examined, so that reading a page again asks nothing
 * twice.
 */
export async function examinedIds(
  ctx: Context,
  {
    provider,
    runId,
    object,
    objectIds,
  }: { provider: string; runId: string; object: ComparedObject; objectIds: readonly string[] },
): Promise<Set<string>> {
  const rows = await ctx.db
    .select({ objectId: reconciliationDifferences.objectId })
    .from(reconciliationDifferences)
    .where(
      and(
        eq(reconciliationDifferences.provider, provider),
        eq(reconciliationDifferences.object, object),
        sql`${reconciliationDifferences.objectId} IN (SELECT value FROM json_each(${JSON.stringify(objectIds)}))`,
        eq(reconciliationDifferences.runId, runId),
      ),
    );
  return new Set(rows.map(({ objectId }) => objectId));
}

/** Lists the saved differences of one object, of every kind. */
export async function differencesOfObject(
  ctx: Context,
  { provider, object, objectId }: { provider: string; object: ComparedObject; objectId: string },
): Promise<DifferenceRow[]> {
  const isIt = and(
    eq(reconciliationDifferences.provider, provider),
    eq(reconciliationDifferences.object, object),
    eq(reconciliationDifferences.objectId, objectId),
  );
  return await ctx.db.select().from(reconciliationDifferences).where(isIt).limit(4);
}

/** Loads the whole row of a difference, for commands. */
export async function differenceRow(
  ctx: Context,
  { differenceId }: { differenceId: string },
): Promise<DifferenceRow | null> {
  const [row] = await ctx.db
    .select()
    .from(reconciliationDifferences)
    .where(inArray(reconciliationDifferences.id, [differenceId]))
    .limit(1);
  return row ?? null;
}
