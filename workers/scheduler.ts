import { faultText } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";

/**
 * The limit of D1 calls in one invocation of a Worker on the paid plan; a batch is one call.
 * Source: Cloudflare's docs, "D1: Limits" (queries per Worker invocation).
 */
export const CALLS_PER_INVOCATION = 1_000;
/** The reserve for the row in progress when the budget ends. */
const ONE_ROW = 100;
/** The budget of a run that has its invocation to itself. */
export const CALLS_PER_RUN = CALLS_PER_INVOCATION - ONE_ROW;
/** The minimum reserved for each later step: to read what is due, and do the first of it. */
const LEAST = 15;

/**
 * Runs a cron's steps in order: the one scheduler of all workers. A module declares its steps
 * (`commands/steps.server.ts`); steps of several modules are in `workers/steps/`. A worker's
 * `run.ts` is the table of their order. What is due of all steps is read in one call, and again
 * after a step that changed rows. A failed step is logged and does not stop the others. Together
 * they make at most `calls` calls to D1, plus one row's. Each step takes at most half of what is
 * left after the minimum of the later steps; the last takes all of it. The rest waits for the next
 * run.
 */
export async function runCronSteps(
  ctx: Context,
  steps: readonly Step[],
  { calls = CALLS_PER_RUN }: { calls?: number } = {},
): Promise<void> {
  const end = ctx.db.callsMade() + calls;
  let waiting = await dueOf(ctx, steps);
  for (const [index, step] of steps.entries()) {
    const ids = waiting.get(step);
    if (ids?.length === 0) continue;
    const [made, changed] = [ctx.db.callsMade(), ctx.db.rowsChanged()];
    const until = made + shareOf(end - made, steps.length - index);
    try {
      await step.run(ctx, () => ctx.db.callsMade() < until, ids);
    } catch (error) {
      ctx.log(step.event, { step: step.name, error: faultText(error) });
    }
    if (ctx.db.rowsChanged() > changed) waiting = await dueOf(ctx, steps.slice(index + 1));
  }
}

/**
 * The rows that wait for each of `steps`, read in one call. A step without `due` has none, and
 * neither has one whose read fails: it reads again when it runs, and its failure is logged there.
 */
async function dueOf(
  ctx: Context,
  steps: readonly Step[],
): Promise<ReadonlyMap<Step, readonly string[]>> {
  const gathering = { ...ctx, db: ctx.db.gathering() };
  const found = new Map<Step, readonly string[]>();
  await Promise.allSettled(
    steps.map(async (step) => {
      if (step.due) found.set(step, await step.due(gathering, ctx.now()));
    }),
  );
  return found;
}

/** How many of the `left` calls the first of the remaining `steps` may make. */
function shareOf(left: number, steps: number): number {
  const spare = Math.max(0, left - LEAST * steps);
  return Math.min(left, LEAST + (steps === 1 ? spare : Math.floor(spare / 2)));
}
