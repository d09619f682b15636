import { WorkerEntrypoint } from "cloudflare:workers";
import { z } from "zod";
import { composeContext } from "#app/compose.server.ts";
import type { Env } from "#app/env.ts";
import { consume } from "#workers/consume.ts";
import { pushPayout, runPayouts, watchInvariants } from "./run.ts";

export const messageSchema = z.object({ version: z.literal(1), type: z.enum(["payout.claim", "payout.send"]), id: z.string().max(64) });

async function runCron(env: Env): Promise<void> {
  const { ctx } = await composeContext(env);
  await runPayouts(ctx);
  await watchInvariants(ctx);
}

export default {
  async queue(batch, env) {
    const { ctx } = await composeContext(env);
    const batchId = ctx.newId();
    await consume(batch, { ctx, schema: messageSchema, run: (_, message) => pushPayout(ctx, message, batchId) });
  },
  async scheduled(_, env) {
    await runCron(env);
  },
} satisfies ExportedHandler<Env>;

/** The same cron by service binding, for the local clock, which waits for it. */
export class Jobs extends WorkerEntrypoint<Env> {
  async run(_cron: string): Promise<void> {
    await runCron(this.env);
  }
}
