import type { Context } from "#app/domain/context.ts";
import { deliverOutboxMessage } from "#app/domain/notifications/commands.server.ts";
import {
  enqueueWaitingMessages,
  abandonFailedMessages,
} from "#app/domain/notifications/commands/outbox.server.ts";
import { waitingOutbox } from "#app/domain/notifications/queries.server.ts";
import { forEachQuietly } from "#app/domain/retry-backoff/commands/for-each.server.ts";
import type { HasBudget, Step } from "#app/domain/retry-backoff/commands/steps.server.ts";

const SWEEP_LIMIT = 200;
/** A message younger than this is being told by its queue. */
const SWEEP_AGE_MS = 2_000;

/** More than this a minute waits for the next: the queue tells a few hundred a second. */
const ENQUEUED_LIMIT = 10_000;

export const notificationSteps = {
  sweepOutbox: {
    name: "notifications.sweep_outbox",
    event: "notifications.outbox_failed",
    run: sweepOutbox,
  },
  giveUpOnOldest: {
    name: "notifications.give_up_on_oldest",
    event: "notifications.giving_up_failed",
    run: abandonFailedMessages,
  },
} satisfies Record<string, Step>;

/**
 * Tells what was announced and not told yet: most messages are never enqueued, and a queue may lose
 * the rest. Where more waits than a run tells by itself, as on a morning of many renewals, the
 * queue tells what is behind.
 */
export async function sweepOutbox(ctx: Context, hasRoom?: HasBudget): Promise<void> {
  const before = ctx.realNow() - SWEEP_AGE_MS;
  const ids = await waitingOutbox(ctx, { before, limit: SWEEP_LIMIT });
  if (ids.length === SWEEP_LIMIT)
    await enqueueWaitingMessages(ctx, {
      before,
      skipped: SWEEP_LIMIT,
      limit: ENQUEUED_LIMIT,
      hasRoom,
    });
  await forEachQuietly(
    ctx,
    "notifications.delivery_failed",
    ids,
    (outboxId) => deliverOutboxMessage(ctx, { outboxId }),
    { hasRoom },
  );
}
