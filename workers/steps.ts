import type { Context } from "#app/domain/context.ts";
import type { SetbackKind } from "#app/domain/setbacks/rules.ts";
import type { Instant } from "#app/domain/time.ts";
import { faultText, forEachQuietly } from "./consume.ts";

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

/** Whether the step may begin another row. */
export type HasRoom = () => boolean;
/** A step of a cron's run, named by the event of its failure. */
export type Step = {
  event: `${string}.${string}`;
  run(ctx: Context, hasRoom: HasRoom): Promise<unknown>;
};

type Due = {
  /** What is kept of a row that fails, where several steps look at the same rows. */
  kind?: SetbackKind;
  due(ctx: Context, now: Instant): Promise<readonly string[]>;
  each(ctx: Context, id: string): Promise<unknown>;
};

/** A step that does one thing for each row that is due. */
export function eachDue(event: Step["event"], { kind, due, each }: Due): Step {
  return {
    event,
    run: async (ctx, hasRoom) =>
      await forEachQuietly(ctx, event, await due(ctx, ctx.now()), (id) => each(ctx, id), {
        kind,
        hasRoom,
      }),
  };
}

/**
 * `eachDue` where `size` rows are read in one call, right before each of them has its turn. What
 * moved meanwhile is noticed by what it writes, and read again.
 */
export function eachRead<Row>(
  event: Step["event"],
  {
    kind,
    due,
    size,
    read,
    each,
  }: Omit<Due, "each"> & {
    size: number;
    read(ctx: Context, ids: readonly string[]): Promise<ReadonlyMap<string, Row>>;
    each(ctx: Context, id: string, row: Row | undefined): Promise<unknown>;
  },
): Step {
  return once(event, async (ctx, hasRoom) => {
    const ids = await due(ctx, ctx.now());
    for (let from = 0; from < ids.length && hasRoom(); from += size) {
      const some = ids.slice(from, from + size);
      const rows = await read(ctx, some);
      await forEachQuietly(ctx, event, some, (id) => each(ctx, id, rows.get(id)), {
        kind,
        hasRoom,
      });
    }
  });
}

/**
 * A step that does one thing for several rows at once, `size` of them; where that fails, row by
 * row, so that one that cannot be done is found and waits its turn, and holds up none of those
 * beside it.
 */
export function eachTogether(
  event: Step["event"],
  {
    due,
    size,
    together,
  }: Pick<Due, "due"> & {
    size: number;
    together(ctx: Context, ids: readonly string[]): Promise<unknown>;
  },
): Step {
  return once(event, async (ctx, hasRoom) => {
    const ids = await due(ctx, ctx.now());
    for (let from = 0; from < ids.length && hasRoom(); from += size) {
      const some = ids.slice(from, from + size);
      try {
        await together(ctx, some);
      } catch (error) {
        ctx.log(event, { rows: some.length, error: faultText(error) });
        await forEachQuietly(ctx, event, some, (id) => together(ctx, [id]), { hasRoom });
      }
    }
  });
}

/** A step that hands over to a queue what is due, together. */
export function enqueuesDue(
  event: Step["event"],
  { due, send }: Pick<Due, "due"> & { send(ctx: Context, ids: readonly string[]): Promise<void> },
): Step {
  return once(event, async (ctx) => await send(ctx, await due(ctx, ctx.now())));
}

/** A step that is one thing. */
export const once = (event: Step["event"], run: Step["run"]): Step => ({ event, run });

/**
 * Runs a cron's steps in their order. No step's failure is another's: it is logged, and the next
 * has its turn. Together they make at most `calls` calls to D1, and one row's more: of what is left
 * each takes at most half, beyond what those behind need to begin, and the last all of it. What has
 * no room waits for the next run.
 */
export async function runSteps(
  ctx: Context,
  steps: readonly Step[],
  { calls = CALLS_PER_RUN }: { calls?: number } = {},
): Promise<void> {
  const end = ctx.db.callsMade() + calls;
  for (const [index, { event, run }] of steps.entries()) {
    const until = ctx.db.callsMade() + shareOf(end - ctx.db.callsMade(), steps.length - index);
    try {
      await run(ctx, () => ctx.db.callsMade() < until);
    } catch (error) {
      ctx.log(event, { error: faultText(error) });
    }
  }
}

/** How many of the `left` calls the first of `steps` steps may make. */
function shareOf(left: number, steps: number): number {
  const spare = Math.max(0, left - LEAST * steps);
  return Math.min(left, LEAST + (steps === 1 ? spare : Math.floor(spare / 2)));
}
