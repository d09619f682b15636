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
   * How many messages of a batch go side by side, from the first step to the last: what they ask of
   * the provider waits beside each other, and what they read crosses together where the database
   * holds reads of one turn.
   */
  atOnce?: number;
};

/**
 * The one queue loop: each message is parsed, run and acked or retried by itself. A malformed
 * message is logged and acked: it will never be well formed. What fails is set back
 * (`recordFailure`), so that whoever enqueues what is due lets it wait and the others go before it.
 * `run` must be safe to run twice, since a queue may repeat anything.
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

/** A provider that says when to ask again is not asked before. */
function waitOf(error: unknown): { delaySeconds: number } | undefined {
  return error instanceof ProviderUnclear && error.retryAfterMs !== null
    ? { delaySeconds: Math.ceil(error.retryAfterMs / 1_000) }
    : undefined;
}
