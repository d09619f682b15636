import type { Context } from "#app/domain/context.ts";
import { deliverOutboxMessage } from "#app/domain/notifications/commands.server.ts";
import { enqueueWaitingMessages, abandonFailedMessages } from "./outbox.server.ts";
import { forgetEndedDeliveries, sendDeliveries } from "./sending.server.ts";
import type { NewsletterPort } from "./sending.server.ts";
import { dueDeliveries } from "#app/domain/notifications/queries/sending.server.ts";
import { forgetStoppedAddresses } from "./addresses.server.ts";
import { sendDigest } from "./digests.server.ts";
import { peopleWithDueDigest } from "#app/domain/notifications/queries/digests.server.ts";
import { waitingOutbox } from "#app/domain/notifications/queries.server.ts";
import { forEachQuietly } from "#app/domain/retry-backoff/commands/for-each.server.ts";
import { stepPerRow } from "#app/domain/retry-backoff/commands/steps.server.ts";
import type { HasBudget, Step } from "#app/domain/retry-backoff/commands/steps.server.ts";

const SWEEP_LIMIT = 200;
/** The queue is still delivering a message younger than this. */
const SWEEP_AGE_MS = 2_000;

/** The rest waits for the next minute: the queue delivers a few hundred a second. */
const ENQUEUED_LIMIT = 10_000;
const FAN_OUT_LIMIT = 1_000;

/** A morning's digests go within minutes. */
const DIGESTS_LIMIT = 200;

/** What one run sends of what waited. An email takes up to three calls of the run's budget. */
const DELIVERIES_LIMIT = 1_000;
/** What one message of the queue sends. */
export const DELIVERIES_AT_ONCE = 50;
/** Messages for what a run leaves: two thousand more deliveries in that minute. */
const FURTHER_PAGES = 40;

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
  forgetDeliveries: {
    name: "notifications.forget_deliveries",
    event: "notifications.forgetting_failed",
    run: forgetEndedDeliveries,
  },
  forgetAddresses: {
    name: "notifications.forget_addresses",
    event: "notifications.forgetting_addresses_failed",
    run: forgetStoppedAddresses,
  },
  sendDigests: stepPerRow({
    name: "notifications.send_digests",
    event: "notifications.digest_failed",
    kind: "digest",
    due: (ctx, now) => peopleWithDueDigest(ctx, { now, limit: DIGESTS_LIMIT }),
    each: (ctx, personId) => sendDigest(ctx, { personId }),
  }),
} satisfies Record<string, Step>;

/**
 * Sends up to `limit` emails and pushes that waited for the end of quiet hours, or for their next
 * attempt. `newsletters` writes and counts those that are newsletters. Two concurrent runs never
 * send the same one.
 */
export async function sendDueDeliveries(
  ctx: Context,
  {
    hasRoom = () => true,
    limit = DELIVERIES_LIMIT,
    newsletters,
  }: { hasRoom?: HasBudget; limit?: number; newsletters?: NewsletterPort } = {},
): Promise<void> {
  for (let sent = 0; sent < limit && hasRoom(); sent += DELIVERIES_AT_ONCE) {
    const keys = await dueDeliveries(ctx, { now: ctx.now(), limit: DELIVERIES_AT_ONCE });
    if (keys.length > 0)
      await sendDeliveries(ctx, { keys, ...(newsletters ? { newsletters } : {}) });
    if (keys.length < DELIVERIES_AT_ONCE) return;
  }
}

/** Sends what waited, as `sendDueDeliveries`, and enqueues what does not fit into this run. */
export async function drainDueDeliveries(
  ctx: Context,
  { hasRoom, newsletters }: { hasRoom: HasBudget; newsletters: NewsletterPort },
): Promise<void> {
  await sendDueDeliveries(ctx, { hasRoom, newsletters });
  const left = await dueDeliveries(ctx, {
    now: ctx.now(),
    limit: FURTHER_PAGES * DELIVERIES_AT_ONCE,
  });
  const pages = Math.ceil(left.length / DELIVERIES_AT_ONCE);
  await ctx.queues.fanOut.sendAll(
    Array.from({ length: pages }, (_, page) => ({
      version: 1,
      type: "deliveries.send",
      id: `page-${page}`,
    })),
  );
}

/**
 * Delivers announced messages that wait. Most messages are never enqueued, and a queue may lose the
 * rest. When more wait than one run delivers, as on a morning of many renewals, it enqueues the
 * rest. What goes to many people is only enqueued, in a queue of its own.
 */
export async function sweepOutbox(ctx: Context, hasRoom?: HasBudget): Promise<void> {
  const before = ctx.realNow() - SWEEP_AGE_MS;
  const ids = await waitingOutbox(ctx, { before, limit: SWEEP_LIMIT, toMany: false });
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
  await enqueueWaitingMessages(ctx, { before, skipped: 0, limit: FAN_OUT_LIMIT, toMany: true });
}
