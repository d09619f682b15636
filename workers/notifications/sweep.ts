import type { Context } from "#app/domain/context.ts";
import { deliverMessage } from "#app/domain/notifications/commands.server.ts";
import { waitingOutbox } from "#app/domain/notifications/queries.server.ts";
import { forEachQuietly } from "#workers/consume.ts";

const SWEEP_LIMIT = 200;
/** A message younger than this is being told by its queue. */
const SWEEP_AGE_MS = 2_000;

/** Tells what was announced and not told yet: most messages are never enqueued, and a queue may lose the rest. */
export async function sweepOutbox(ctx: Context): Promise<void> {
  const ids = await waitingOutbox(ctx, { before: ctx.realNow() - SWEEP_AGE_MS, limit: SWEEP_LIMIT });
  await forEachQuietly(ctx, "notifications.delivery_failed", ids, (outboxId) => deliverMessage(ctx, { outboxId }));
}
