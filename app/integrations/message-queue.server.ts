import type { Log, MessageQueue } from "#app/domain/context.ts";

/**
 * How many messages one `sendBatch` takes; it takes 256 KB too, which a hundred ids never are.
 * Source: Cloudflare's docs, "Queues: Limits".
 */
const MOST_A_BATCH = 100;

/** The row in D1 is what counts; a message that cannot be sent is found by the sweeper. */
export function messageQueue<Message extends object>(
  binding: Pick<Queue, "send" | "sendBatch"> | undefined,
  log: Log,
): MessageQueue<Message> {
  async function quietly(sending: () => Promise<unknown> | undefined): Promise<void> {
    try {
      await sending();
    } catch (error) {
      log("queue.send_failed", { error: error instanceof Error ? error.message : "unknown" });
    }
  }
  return {
    send: (message) => quietly(() => binding?.send(message)),
    async sendAll(messages) {
      for (let from = 0; from < messages.length; from += MOST_A_BATCH) {
        await quietly(() =>
          binding?.sendBatch(messages.slice(from, from + MOST_A_BATCH).map((body) => ({ body }))),
        );
      }
    },
  };
}
