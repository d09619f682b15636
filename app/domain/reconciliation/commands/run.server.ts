import { and, eq, isNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { allProviders } from "#app/domain/payments/providers/rules/providers.ts";
import type { PaymentProvider } from "#app/domain/payments/schema.ts";
import type { RunSighting } from "#app/domain/reconciliation/queries/unlisted.server.ts";
import {
  lastRunStart,
  oldestOpenRun,
  runRow,
} from "#app/domain/reconciliation/queries/runs.server.ts";
import type { ReconciliationRun } from "#app/domain/reconciliation/queries/runs.server.ts";
import {
  isListAbandoned,
  runDayAt,
  UNAVAILABLE_AFTER,
  stepAfter,
} from "#app/domain/reconciliation/rules/runs.ts";
import type { ReconciliationStep } from "#app/domain/reconciliation/rules/runs.ts";
import type { ReconciledObject } from "#app/domain/reconciliation/schema.ts";
import { recordFailure } from "#app/domain/retry-backoff/commands.server.ts";
import { recentlyFailed } from "#app/domain/retry-backoff/queries.server.ts";
import { reconciliationRuns, reconciliationSightings } from "#drizzle/schema/reconciliation.ts";
import { examineObject } from "./examine.server.ts";
import { EMPTY_STEP_PAGE, readStepPage } from "./pages.server.ts";
import type { StepPage } from "./pages.server.ts";
import { recordExamination } from "./record.server.ts";

/**
 * Pages of one provider that a cron run reads; the next one continues. It is more than there are
 * steps, so that a small run finishes at once.
 */
const PAGES_PER_RUN = 12;
/** Differences that are examined before a run leaves time for the other cron work. */
const LOOKS_PER_RUN = 60;

/**
 * Reconciles, a few pages at a time, everything that each provider did since its last run with our
 * rows.
 *
 * A difference with a certain repair is repaired by applying what the provider says now. The others
 * are saved for people. Safe to kill anywhere and to run twice. A provider that does not answer is
 * retried later and does not block the others. Nor does one question or list without an answer:
 * later runs look back to it. Source: issue 6, "Ledger".
 */
export async function runReconciliation(ctx: Context): Promise<void> {
  for (const provider of allProviders(ctx.payments)) {
    try {
      const run = await runOf(ctx, provider);
      if (run) await goOn(ctx, provider, run);
    } catch (error) {
      ctx.log("reconciliation.failed", {
        provider: provider.name,
        error: error instanceof Error ? `${error.name}: ${error.message}` : "unknown",
      });
    }
  }
}

/** Returns the open run of a provider. Starts the night's run if it is due and none exists. */
async function runOf(
  ctx: Context,
  { name: provider }: PaymentProvider,
): Promise<ReconciliationRun | null> {
  const { run, isWaiting } = await oldestOpenRun(ctx, { provider });
  const runDay = runDayAt(ctx.now());
  if (run || isWaiting || runDay === null) return run;
  const { isDone, since } = await lastRunStart(ctx, { provider, day: runDay });
  if (isDone) return null;
  await ctx.db
    .insert(reconciliationRuns)
    .values({
      id: ctx.newId(),
      provider,
      night: runDay,
      since,
      startedAt: ctx.now(),
      step: "again",
    })
    .onConflictDoNothing();
  return (await oldestOpenRun(ctx, { provider })).run;
}

async function goOn(
  ctx: Context,
  provider: PaymentProvider,
  startedRun: ReconciliationRun,
): Promise<void> {
  let looks = 0;
  let run: ReconciliationRun | null = startedRun;
  try {
    for (
      let pages = 0;
      run && run.step !== "done" && pages < PAGES_PER_RUN && looks < LOOKS_PER_RUN;
      pages += 1
    ) {
      const page = await readPage(ctx, provider, { ...run, step: run.step }, LOOKS_PER_RUN - looks);
      if (page.isUnavailable) {
        await recordFailure(ctx, { subjectId: startedRun.id });
        return;
      }
      looks += page.looks;
      run = await runRow(ctx, { runId: run.id });
    }
  } catch (error) {
    // Another worker reads the same page, and its result counts.
    if (error instanceof StaleWrite) return;
    await recordFailure(ctx, { subjectId: startedRun.id });
    if (!isUnanswered(error)) throw error;
    ctx.log("reconciliation.unclear", {
      provider: provider.name,
      runId: startedRun.id,
      step: run?.step ?? null,
    });
  }
}

const isUnanswered = (error: unknown): boolean =>
  error instanceof ProviderUnclear || error instanceof ProviderRefused;

/**
 * Compares one page, examines its differences, and moves on.
 *
 * After `most` examinations it stays on the page, which then has fewer left. A question without an
 * answer is left for a later run, and the page continues after it. Returns how many objects it
 * examined, and whether the provider is unavailable.
 */
async function readPage(
  ctx: Context,
  provider: PaymentProvider,
  run: ReconciliationRun & { step: ReconciliationStep },
  most: number,
): Promise<{ looks: number; isUnavailable: boolean }> {
  const page = await pageOrNothing(ctx, provider, run);
  for (const book of page.costs ?? []) await booked(ctx, run, book);
  const left = await recentlyFailed(ctx, {
    subjectIds: page.suspects.map((subject) => leftAs(run, subject)),
  });
  const suspects = page.suspects.filter((subject) => !left.has(leftAs(run, subject)));
  let [looks, found, repaired, silences] = [0, 0, 0, 0];
  for (const subject of suspects.slice(0, most)) {
    if (silences === UNAVAILABLE_AFTER) break;
    const outcome = await lookInto(ctx, provider, run, subject);
    looks += 1;
    silences = outcome ? 0 : silences + 1;
    found += outcome?.isFound ? 1 : 0;
    repaired += outcome?.isFound && !outcome.isOpen ? 1 : 0;
  }
  const isWhole = looks === suspects.length;
  const next =
    page.next === null
      ? { step: stepAfter(run.step), cursor: null }
      : { step: run.step, cursor: page.next };
  const seen = isWhole ? seenStatements(ctx, run, page.seen) : [];
  // An object that the provider lists again on another page counts once.
  const listed = seen.length > 0 ? sql`changes()` : sql`0`;
  await commit(ctx.db, [
    ...seen,
    movedStatement(ctx, run, {
      ...(isWhole ? next : { step: run.step, cursor: run.cursor }),
      listed,
      found,
      repaired,
      unclear: page.isUnread ? 1 : 0,
    }),
  ]);
  return { looks, isUnavailable: silences === UNAVAILABLE_AFTER };
}

/** Books a cost. A failure blocks nothing: the next run sees the cost again. */
async function booked(
  ctx: Context,
  run: ReconciliationRun,
  book: () => Promise<unknown>,
): Promise<void> {
  try {
    await book();
  } catch (error) {
    ctx.log("reconciliation.cost_left", {
      runId: run.id,
      step: run.step,
      error: error instanceof Error ? `${error.name}: ${error.message}` : "unknown",
    });
  }
}

/**
 * Reads a page. Returns an empty one if the provider could not give it for hours, so that the run
 * continues.
 */
async function pageOrNothing(
  ctx: Context,
  provider: PaymentProvider,
  run: ReconciliationRun & { step: ReconciliationStep },
): Promise<StepPage & { isUnread: boolean }> {
  try {
    return { ...(await readStepPage(ctx, provider, run)), isUnread: false };
  } catch (error) {
    if (!isUnanswered(error) || !isListAbandoned(run, ctx.now())) throw error;
    ctx.log("reconciliation.list_left", {
      provider: provider.name,
      runId: run.id,
      step: run.step,
      error: String(error),
    });
    return { ...EMPTY_STEP_PAGE, isUnread: true };
  }
}

/** Returns the id under which a run backs off an object that it left. */
const leftAs = (run: ReconciliationRun, { object, objectId }: ReconciledObject): string =>
  `${run.id}/${object}/${objectId}`;

/**
 * Examines one object and saves the result. Null if there is no answer, which the run counts before
 * it leaves the object.
 */
async function lookInto(
  ctx: Context,
  provider: PaymentProvider,
  run: ReconciliationRun,
  subject: ReconciledObject,
): Promise<{ isFound: boolean; isOpen: boolean } | null> {
  try {
    return await recordExamination(ctx, {
      provider: provider.name,
      runId: run.id,
      verdict: await examineObject(ctx, provider, subject),
    });
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    ctx.log("reconciliation.left", {
      provider: provider.name,
      runId: run.id,
      object: subject.object,
      objectId: subject.objectId,
      error: String(error),
    });
    await ctx.db
      .update(reconciliationRuns)
      .set({ unclearCount: sql`${reconciliationRuns.unclearCount} + 1` })
      .where(and(eq(reconciliationRuns.id, run.id), isNull(reconciliationRuns.finishedAt)));
    await recordFailure(ctx, { subjectId: leftAs(run, subject) });
    return null;
  }
}

function seenStatements(
  ctx: Context,
  run: ReconciliationRun,
  seen: { object: RunSighting; ids: readonly string[] } | null,
): BatchWrite[] {
  if (!seen || seen.ids.length === 0) return [];
  // `WHERE 1` separates the list from the conflict clause, which SQLite would otherwise read as a
  // join.
  const listed = sql`SELECT ${run.id} AS run_id, ${seen.object} AS object, value AS object_id FROM json_each(${JSON.stringify(seen.ids)}) WHERE 1`;
  return [ctx.db.insert(reconciliationSightings).select(listed).onConflictDoNothing()];
}

type RunProgress = {
  step: ReconciliationStep | "done";
  cursor: string | null;
  listed: SQL;
  found: number;
  repaired: number;
  unclear: number;
};

function movedStatement(
  ctx: Context,
  run: ReconciliationRun,
  { step, cursor, listed, found, repaired, unclear }: RunProgress,
): BatchWrite {
  return mustChangeOne(
    ctx.db
      .update(reconciliationRuns)
      .set({
        step,
        cursor,
        pagesCount: run.pagesCount + 1,
        listedCount: sql`${reconciliationRuns.listedCount} + ${listed}`,
        foundCount: run.foundCount + found,
        repairedCount: run.repairedCount + repaired,
        unclearCount: sql`${reconciliationRuns.unclearCount} + ${unclear}`,
        finishedAt: step === "done" ? ctx.now() : null,
      })
      .where(
        and(
          eq(reconciliationRuns.id, run.id),
          eq(reconciliationRuns.step, run.step),
          eq(reconciliationRuns.pagesCount, run.pagesCount),
        ),
      ),
  );
}
