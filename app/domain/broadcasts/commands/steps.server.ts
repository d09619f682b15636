import { dueBroadcasts } from "#app/domain/broadcasts/queries.server.ts";
import { enqueueStep } from "#app/domain/retry-backoff/commands/steps.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";

const AT_ONCE = 100;

export const broadcastSteps = {
  /** The next minute's run queues again what the queue lost. */
  enqueueDue: enqueueStep({
    name: "broadcasts.enqueue_due",
    event: "notifications.broadcasts_failed",
    due: (ctx) => dueBroadcasts(ctx, { limit: AT_ONCE }),
    send: (ctx, ids) =>
      ctx.queues.fanOut.sendAll(ids.map((id) => ({ version: 1, type: "broadcast.send", id }))),
  }),
} satisfies Record<string, Step>;
