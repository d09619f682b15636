import { faultText } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { purgeOldFailures } from "#app/domain/retry-backoff/commands.server.ts";
import type { RetryKind } from "#app/domain/retry-backoff/rules.ts";
import type { Instant } from "#app/domain/time.ts";
import { forEachQuietly } from "./for-each.server.ts";

/** Whether the step may start another row. */
export type HasBudget = () => boolean;

/**
 * A scheduled step of a module, run by a cron. `name` is its own. `event` is the log event of its
 * failure, which steps of one kind share.
 *
 * `due` reads which rows wait for the step. `run` processes them: those that `due` returned just
 * before, or else those that it reads itself. A step without `due` runs each time.
 *
 * A module exports its steps from `commands/steps.server.ts`. The worker that runs them declares
 * their order (`workers/scheduler.ts`).
 */
export type Step = Named & {
  due?: FindDue;
  run(ctx: Context, hasRoom: HasBudget, ids?: readonly string[]): Promise<unknown>;
};

type Named = { name: string; event: `${string}.${string}` };
type FindDue = (ctx: Context, now: Instant) => Promise<readonly string[]>;

type Due = Named & {
  /** The kind of the retry back-off, where several steps process the same rows. */
  kind?: RetryKind;
  due: FindDue;
  each(ctx: Context, id: string): Promise<unknown>;
};

/** Builds a step that does one thing for each due row. */
export function stepPerRow({ name, event, kind, due, each }: Due): Step {
  return {
    name,
    event,
    due,
    run: async (ctx, hasRoom, ids) =>
      await forEachQuietly(ctx, event, ids ?? (await due(ctx, ctx.now())), (id) => each(ctx, id), {
        kind,
        hasRoom,
        step: name,
      }),
  };
}

/**
 * Builds a `stepPerRow` that reads `size` rows in one call, right before it processes them. Its
 * writes detect a row that changed meanwhile, which is read again.
 */
export function stepPerLoadedRow<Row>({
  name,
  event,
  kind,
  due,
  size,
  read,
  each,
}: Omit<Due, "each"> & {
  size: number;
  read(ctx: Context, ids: readonly string[]): Promise<ReadonlyMap<string, Row>>;
  each(ctx: Context, id: string, row: Row | undefined): Promise<unknown>;
}): Step {
  const run: Step["run"] = async (ctx, hasRoom, found) => {
    const ids = found ?? (await due(ctx, ctx.now()));
    for (let from = 0; from < ids.length && hasRoom(); from += size) {
      const some = ids.slice(from, from + size);
      const rows = await read(ctx, some);
      await forEachQuietly(ctx, event, some, (id) => each(ctx, id, rows.get(id)), {
        kind,
        hasRoom,
        step: name,
      });
    }
  };
  return { name, event, due, run };
}

/**
 * Builds a step that processes `size` rows at once. If that fails it goes row by row, so that a
 * failing row is found and backed off without stopping the others.
 */
export function stepPerBatch({
  name,
  event,
  due,
  size,
  together,
}: Omit<Due, "each" | "kind"> & {
  size: number;
  together(ctx: Context, ids: readonly string[]): Promise<unknown>;
}): Step {
  const run: Step["run"] = async (ctx, hasRoom, found) => {
    const ids = found ?? (await due(ctx, ctx.now()));
    for (let from = 0; from < ids.length && hasRoom(); from += size) {
      const some = ids.slice(from, from + size);
      try {
        await together(ctx, some);
      } catch (error) {
        ctx.log(event, { step: name, rows: some.length, error: faultText(error) });
        await forEachQuietly(ctx, event, some, (id) => together(ctx, [id]), {
          hasRoom,
          step: name,
        });
      }
    }
  };
  return { name, event, due, run };
}

/** Builds a step that sends all due rows to a queue together. */
export function enqueueStep({
  name,
  event,
  due,
  send,
}: Pick<Due, "name" | "event" | "due"> & {
  send(ctx: Context, ids: readonly string[]): Promise<void>;
}): Step {
  return {
    name,
    event,
    due,
    run: async (ctx, _hasRoom, ids) => await send(ctx, ids ?? (await due(ctx, ctx.now()))),
  };
}

export const retryBackoffSteps = {
  forget: { name: "setbacks.forget", event: "renewals.forgetting_failed", run: purgeOldFailures },
} satisfies Record<string, Step>;
