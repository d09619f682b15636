import { and, eq, sql } from "drizzle-orm";
import { commit, exactlyOne } from "#app/db/client.server.ts";
import type { Write } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { everyProvider } from "#app/domain/payments/rules/providers.ts";
import type { PaymentProvider } from "#app/domain/payments/schema.ts";
import { lastLook, openRun, runRow } from "#app/domain/reconciliation/queries/runs.server.ts";
import type { Run } from "#app/domain/reconciliation/queries/runs.server.ts";
import { nightAt, stepAfter } from "#app/domain/reconciliation/rules/nights.ts";
import type { Step } from "#app/domain/reconciliation/rules/nights.ts";
import { setBack } from "#app/domain/setbacks/commands.server.ts";
import { reconciliationRuns, reconciliationSightings } from "#drizzle/schema/reconciliation.ts";
import { examine } from "./examine.server.ts";
import { pageOfStep } from "./pages.server.ts";
import { record } from "./record.server.ts";

/** Pages of one provider that a cron run reads; what is left the next one goes on with. */
const PAGES_PER_RUN = 6;
/** Differences that are looked into before a run makes way for what else the cron does. */
const LOOKS_PER_RUN = 60;

/**
 * Reconciles, a few pages at a time, everything that each provider did since the last night with what we hold: a difference whose repair is certain is
 * repaired by applying what the provider says now, and the others are kept for people. Safe to be killed anywhere and to run twice. A provider that does not
 * answer is looked at later, and is in nobody's way. Source: issue 6, "Ledger".
 */
export async function reconcile(ctx: Context): Promise<void> {
  for (const provider of everyProvider(ctx.payments)) {
    const run = await runOf(ctx, provider);
    if (run) await goOn(ctx, provider, run);
  }
}

/** The run that a provider is in; one begins when the night has and none was yet. */
async function runOf(ctx: Context, { name: provider }: PaymentProvider): Promise<Run | null> {
  const { run, isWaiting } = await openRun(ctx, { provider });
  const night = nightAt(ctx.now());
  if (run || isWaiting || night === null) return run;
  const { isDone, since } = await lastLook(ctx, { provider, night });
  if (isDone) return null;
  await ctx.db.insert(reconciliationRuns).values({ id: ctx.newId(), provider, night, since, startedAt: ctx.now(), step: "again" }).onConflictDoNothing();
  return (await openRun(ctx, { provider })).run;
}

async function goOn(ctx: Context, provider: PaymentProvider, begun: Run): Promise<void> {
  let looks = 0;
  let run: Run | null = begun;
  try {
    for (let pages = 0; run && run.step !== "done" && pages < PAGES_PER_RUN && looks < LOOKS_PER_RUN; pages += 1) {
      looks += await readPage(ctx, provider, { ...run, step: run.step }, LOOKS_PER_RUN - looks);
      run = await runRow(ctx, { runId: run.id });
    }
  } catch (error) {
    // Somebody else reads the same page: theirs counts.
    if (error instanceof StaleWrite) return;
    if (!(error instanceof ProviderUnclear || error instanceof ProviderRefused)) throw error;
    ctx.log("reconciliation.unclear", { provider: provider.name, runId: begun.id, step: run?.step ?? null });
    await setBack(ctx, { subjectId: begun.id });
  }
}

/** Compares one page, looks into what differs, and moves on; past `most` looks it stays on the page, which then has fewer to look into. Gives how many it looked into. */
async function readPage(ctx: Context, provider: PaymentProvider, run: Run & { step: Step }, most: number): Promise<number> {
  const page = await pageOfStep(ctx, provider, run);
  let [looks, found, repaired] = [0, 0, 0];
  for (const subject of page.suspects.slice(0, most)) {
    const outcome = await record(ctx, { provider: provider.name, runId: run.id, verdict: await examine(ctx, provider, subject) });
    looks += 1;
    found += outcome.isFound ? 1 : 0;
    repaired += outcome.isFound && !outcome.isOpen ? 1 : 0;
  }
  const isWhole = page.suspects.length <= most;
  const next = page.next === null ? { step: stepAfter(run.step), cursor: null } : { step: run.step, cursor: page.next };
  await commit(ctx.db, [...(isWhole ? seenStatements(ctx, run, page.seen) : []), movedStatement(ctx, run, { ...(isWhole ? next : { step: run.step, cursor: run.cursor }), listed: isWhole ? page.listed : 0, found, repaired })]);
  return looks;
}

function seenStatements(ctx: Context, run: Run, seen: { object: "charge" | "refund" | "transfer"; ids: readonly string[] } | null): Write[] {
  if (!seen || seen.ids.length === 0) return [];
  // `WHERE 1` parts the list from the conflict clause, which SQLite would else read as a join.
  const listed = sql`SELECT ${run.id} AS run_id, ${seen.object} AS object, value AS object_id FROM json_each(${JSON.stringify(seen.ids)}) WHERE 1`;
  return [ctx.db.insert(reconciliationSightings).select(listed).onConflictDoNothing()];
}

type Moved = { step: Step | "done"; cursor: string | null; listed: number; found: number; repaired: number };

function movedStatement(ctx: Context, run: Run, { step, cursor, listed, found, repaired }: Moved): Write {
  return exactlyOne(
    ctx.db
      .update(reconciliationRuns)
      .set({
        step,
        cursor,
        pagesCount: run.pagesCount + 1,
        listedCount: run.listedCount + listed,
        foundCount: run.foundCount + found,
        repairedCount: run.repairedCount + repaired,
        finishedAt: step === "done" ? ctx.now() : null,
      })
      .where(and(eq(reconciliationRuns.id, run.id), eq(reconciliationRuns.step, run.step), eq(reconciliationRuns.pagesCount, run.pagesCount))),
  );
}
