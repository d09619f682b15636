import type { z } from "zod";
import { faultText } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { setBackQuietly } from "#app/domain/retry-backoff/commands/for-each.server.ts";

type QueueConsumer<Message> = {
  ctx: Context;
  schema: z.ZodType<Message>;
  run: (ctx: Context, message: Message) => Promise<void>;
  /**
   * How many messages of a batch are processed in parallel. Their provider requests overlap, and
   * the database combines reads made at the same time.
   */
  atOnce?: number;
};

/**
 * Consumes a queue batch. Each message is parsed, run, and acked or retried separately. A malformed
 * message is logged and acked, because a retry cannot fix it. A failure is recorded
 * (`recordFailure`), so that later runs enqueue other due jobs first and retry this one after a
 * back-off. `run` must be idempotent, since a queue may deliver twice.
 */
export async function consume<Message extends { id: string; type: string }>(
  batch: MessageBatch,
  consumer: QueueConsumer<Message>,
): Promise<void> {
  const { atOnce = 1 } = consumer;
  for (let from = 0; from < batch.messages.length; from += atOnce) {
    await Promise.all(
      batch.messages
        .slice(from, from + atOnce)
        .map((delivery) => consumeOne(batch.queue, delivery, consumer)),
    );
  }
}

async function consumeOne<Message extends { id: string; type: string }>(
  queue: string,
  delivery: MessageBatch["messages"][number],
  { ctx, schema, run }: QueueConsumer<Message>,
): Promise<void> {
  const parsed = schema.safeParse(delivery.body);
  if (!parsed.success) {
    ctx.log("queue.message_malformed", { queue, messageId: delivery.id });
    delivery.ack();
    return;
  }
  try {
    await run(ctx, parsed.data);
    delivery.ack();
  } catch (error) {
    ctx.log("queue.message_failed", {
      queue,
      type: parsed.data.type,
      id: parsed.data.id,
      attempts: delivery.attempts,
      error: faultText(error),
    });
    await setBackQuietly(ctx, parsed.data.id);
    delivery.retry(waitOf(error));
  }
}

/** Respects the provider's retry delay, if it gave one. */
function waitOf(error: unknown): { delaySeconds: number } | undefined {
  return error instanceof ProviderUnclear && error.retryAfterMs !== null
    ? { delaySeconds: Math.ceil(error.retryAfterMs / 1_000) }
    : undefined;
}
