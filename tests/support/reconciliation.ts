import { eq } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { runReconciliation } from "#app/domain/reconciliation/commands/run.server.ts";
import { addDays, civilDate, HOUR_MS, instantOf } from "#app/domain/time.ts";
import { reconciliationDifferences, reconciliationRuns } from "#drizzle/schema/reconciliation.ts";
import { testEnv } from "./worker-env.ts";

const MOST_RUNS = 60;

/** Deletes all reconciliation runs, so that each test has its first. Keeps the staff's notes. */
export async function deleteRuns(): Promise<void> {
  await testEnv.DB.batch(
    ["reconciliation_sightings", "reconciliation_differences", "reconciliation_runs"].map((table) =>
      testEnv.DB.prepare(`DELETE FROM ${table}`),
    ),
  );
}

/** Time until 04:00 of the next day. */
export const msUntilNextRun = (now: number): number =>
  instantOf(civilDate(addDays(now, 1)), 4 * HOUR_MS) - now;

/** Runs the reconciliation cron until its run is finished. Returns the number of cron calls. */
export async function finishRun(ctx: Context): Promise<number> {
  for (let runs = 1; runs <= MOST_RUNS; runs += 1) {
    await runReconciliation(ctx);
    const rows = await ctx.db
      .select({ finishedAt: reconciliationRuns.finishedAt })
      .from(reconciliationRuns);
    if (rows.every(({ finishedAt }) => finishedAt !== null)) return runs;
  }
  throw new Error("the night never ended");
}

/** The differences about objects with these provider ids. */
export async function differencesAbout(ctx: Context, objectIds: readonly (string | null)[]) {
  const rows = await ctx.db.select().from(reconciliationDifferences);
  return rows.filter(({ objectId }) => objectIds.includes(objectId));
}

export const stateOf = async (ctx: Context, differenceId: string) =>
  (
    await ctx.db
      .select()
      .from(reconciliationDifferences)
      .where(eq(reconciliationDifferences.id, differenceId))
  )[0];
