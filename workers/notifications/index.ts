import { WorkerEntrypoint } from "cloudflare:workers";
import { z } from "zod";
import { composeContext } from "#app/compose.server.ts";
import type { Env } from "#app/env.ts";
import { consume } from "#workers/consume.ts";
import { deliverMessage } from "#app/domain/notifications/commands.server.ts";
import { sweepOutbox } from "./sweep.ts";

export const messageSchema = z.object({ version: z.literal(1), type: z.literal("outbox.deliver"), id: z.string().max(200) });

async function runCron(env: Env): Promise<void> {
  const { ctx } = await composeContext(env);
  await sweepOutbox(ctx);
}

export default {
  async queue(batch, env) {
    const { ctx } = await composeContext(env);
    await consume(batch, { ctx, schema: messageSchema, run: (_, { id }) => deliverMessage(ctx, { outboxId: id }) });
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
