import type { Log, MessageQueue } from "#app/domain/context.ts";

/**
 * The limit of messages of one `sendBatch`. Its limit of 256 KB is never reached by a hundred ids.
 * Source: Cloudflare's docs, "Queues: Limits".
 */
const MOST_A_BATCH = 100;

/** The row in D1 is authoritative; the sweeper finds a message that could not be sent. */
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
