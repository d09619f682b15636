import type { Context } from "#app/domain/context.ts";
import { eraseRemovedComments } from "#app/domain/comments/commands.server.ts";
import { refreshDiscovery } from "#app/domain/discovery/commands.server.ts";
import { tellOfLateMonths } from "#app/domain/fiscal/commands.server.ts";
import { tellOfUnwatchedBooks } from "#app/domain/ledger/commands/checks.server.ts";
import {
  enqueueWaiting,
  giveUpOnOldest,
} from "#app/domain/notifications/commands/outbox.server.ts";
import { moderatorIds } from "#app/domain/moderation/queries.server.ts";
import { deliverMessage } from "#app/domain/notifications/commands.server.ts";
import { waitingOutbox } from "#app/domain/notifications/queries.server.ts";
import { giveKeyTurns } from "#app/domain/payouts/commands/keys-ahead.server.ts";
import { announceOpenings } from "#app/domain/posts/commands/openings.server.ts";
import { postsDue } from "#app/domain/posts/queries/studio.server.ts";
import { forEachQuietly } from "#workers/consume.ts";
import { once, runSteps } from "#workers/steps.ts";
import type { HasRoom, Step } from "#workers/steps.ts";
import { eraseDeletedPosts } from "./erase-posts.ts";

const SWEEP_LIMIT = 200;
/** A message younger than this is being told by its queue. */
const SWEEP_AGE_MS = 2_000;

/** More than this a minute waits for the next: the queue tells a few hundred a second. */
const ENQUEUED_LIMIT = 10_000;

/**
 * Tells what was announced and not told yet: most messages are never enqueued, and a queue may lose
 * the rest. Where more waits than a run tells by itself, as on a morning of many renewals, the
 * queue tells what is behind.
 */
export async function sweepOutbox(ctx: Context, hasRoom?: HasRoom): Promise<void> {
  const before = ctx.realNow() - SWEEP_AGE_MS;
  const ids = await waitingOutbox(ctx, { before, limit: SWEEP_LIMIT });
  if (ids.length === SWEEP_LIMIT)
    await enqueueWaiting(ctx, { before, skipped: SWEEP_LIMIT, limit: ENQUEUED_LIMIT, hasRoom });
  await forEachQuietly(
    ctx,
    "notifications.delivery_failed",
    ids,
    (outboxId) => deliverMessage(ctx, { outboxId }),
    { hasRoom },
  );
}

/**
 * Enqueues the scheduled posts whose minute has come; one that its queue lost is found by the next
 * minute.
 */
async function enqueueDuePosts(ctx: Context): Promise<void> {
  const ids = await postsDue(ctx, { limit: SWEEP_LIMIT });
  await ctx.queues.notifications.sendAll(
    ids.map((id) => ({ version: 1, type: "post.publish", id })),
  );
}

const STEPS: readonly Step[] = [
  once("notifications.posts_failed", enqueueDuePosts),
  // Here because the directory of Pix counts by the minute.
  once("payouts.key_owner_failed", giveKeyTurns),
  once("notifications.openings_failed", (ctx) => announceOpenings(ctx, { limit: SWEEP_LIMIT })),
  once("notifications.books_failed", (ctx) =>
    tellOfUnwatchedBooks(ctx, { moderatorIds: () => moderatorIds(ctx) }),
  ),
  once("notifications.fiscal_failed", (ctx) =>
    tellOfLateMonths(ctx, { moderatorIds: () => moderatorIds(ctx) }),
  ),
  once("notifications.outbox_failed", sweepOutbox),
  once("notifications.giving_up_failed", giveUpOnOldest),
  once("notifications.comments_failed", eraseRemovedComments),
  once("notifications.erasure_failed", eraseDeletedPosts),
  once("notifications.discovery_failed", refreshDiscovery),
  once(
    "notifications.registrations_failed",
    async (ctx) => await ctx.accounts.abandonedStatement(ctx.realNow()),
  ),
];

/** What the cron does: one failing half does not keep the other from its turn. */
export async function everyMinute(ctx: Context): Promise<void> {
  await runSteps(ctx, STEPS);
}
