import { WorkerEntrypoint } from "cloudflare:workers";
import type { z } from "zod";
import { composeContext } from "#app/compose.server.ts";
import { faultText } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import type { Env } from "#app/configuration/env.ts";
import { purgeChangedPages } from "#app/domain/profiles/commands/page-changes.server.ts";
import { consume } from "./consume.ts";

type QueueJob<Message> = {
  schema: z.ZodType<Message>;
  /** Handles one message; idempotent. */
  run: (ctx: Context, message: Message) => Promise<unknown>;
  /** How many messages of a batch are processed in parallel. */
  atOnce?: number;
  /** Runs the worker's cron. */
  cron: (ctx: Context) => Promise<unknown>;
};

/**
 * Creates a queue worker. After each batch and cron it purges the public pages that changed.
 * `worker` is its default export. `Jobs` is the same cron by service binding, for the local clock,
 * which waits for it.
 */
export function createQueueWorker<Message extends { id: string; type: string }>({
  schema,
  run,
  atOnce = 1,
  cron,
}: QueueJob<Message>) {
  async function runCron(env: Env): Promise<void> {
    const { ctx } = await composeContext(env);
    await cron(ctx);
    await purgeQuietly(ctx);
  }
  const worker: ExportedHandler<Env> = {
    async queue(batch, env) {
      const { ctx } = await composeContext(env, { readsTogether: atOnce > 1 });
      await consume(batch, {
        ctx,
        schema,
        atOnce,
        run: async (_, message) => {
          await run(ctx, message);
        },
      });
      await purgeQuietly(ctx);
    },
    scheduled: (_, env) => runCron(env),
  };
  class Jobs extends WorkerEntrypoint<Env> {
    run(_cron: string): Promise<void> {
      return runCron(this.env);
    }
  }
  return { worker, Jobs };
}

/** Purges the public pages that the jobs changed. The next run repeats what fails. */
async function purgeQuietly(ctx: Context): Promise<void> {
  try {
    await purgeChangedPages(ctx);
  } catch (error) {
    ctx.log("pages.not_purged", { error: faultText(error) });
  }
}
