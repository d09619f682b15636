import { faultText } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";

/**
 * What D1 answers one invocation of a Worker on the paid plan; a batch is one call. Source:
 * Cloudflare's docs, "D1: Limits" (queries per Worker invocation).
 */
export const CALLS_PER_INVOCATION = 1_000;
/** What a run leaves of it for the one row that is at work as its room ends. */
const ONE_ROW = 100;
/** What those of a run share when nothing else shares its invocation. */
export const CALLS_PER_RUN = CALLS_PER_INVOCATION - ONE_ROW;
/** What no step in front takes from a step behind it: to look what is due, and do the first of it. */
const LEAST = 15;

/**
 * Runs a cron's steps in their order: the one scheduler of all workers. A module declares its steps
 * (`commands/steps.server.ts`), and those that need several modules are in `workers/steps/`; a
 * worker's `run.ts` is the table of their order. No step's failure is another's: it is logged, and
 * the next has its turn. Together they make at most `calls` calls to D1, and one row's more: of
 * what is left each takes at most half, beyond what those behind need to begin, and the last all of
 * it. What has no room waits for the next run.
 */
export async function runCronSteps(
  ctx: Context,
  steps: readonly Step[],
  { calls = CALLS_PER_RUN }: { calls?: number } = {},
): Promise<void> {
  const end = ctx.db.callsMade() + calls;
  for (const [index, { name, event, run }] of steps.entries()) {
    const until = ctx.db.callsMade() + shareOf(end - ctx.db.callsMade(), steps.length - index);
    try {
      await run(ctx, () => ctx.db.callsMade() < until);
    } catch (error) {
      ctx.log(event, { step: name, error: faultText(error) });
    }
  }
}

/** How many of the `left` calls the first of `reconciliationSteps` steps may make. */
function shareOf(left: number, steps: number): number {
  const spare = Math.max(0, left - LEAST * steps);
  return Math.min(left, LEAST + (steps === 1 ? spare : Math.floor(spare / 2)));
}
