import type { Context } from "#app/domain/context.ts";
import { eraseRemovedComments } from "#app/domain/comments/commands.server.ts";
import { refreshDiscovery } from "#app/domain/discovery/commands.server.ts";
import { tellOfUnwatchedBooks } from "#app/domain/ledger/commands/checks.server.ts";
import { moderatorIds } from "#app/domain/moderation/queries.server.ts";
import { deliverMessage } from "#app/domain/notifications/commands.server.ts";
import { waitingOutbox } from "#app/domain/notifications/queries.server.ts";
import { announceOpenings } from "#app/domain/posts/commands/openings.server.ts";
import { postsDue } from "#app/domain/posts/queries/studio.server.ts";
import { forEachQuietly } from "#workers/consume.ts";
import { once, runSteps } from "#workers/steps.ts";
import type { HasRoom, Step } from "#workers/steps.ts";
import { eraseDeletedPosts } from "./erase-posts.ts";

const SWEEP_LIMIT = 200;
/** A message younger than this is being told by its queue. */
const SWEEP_AGE_MS = 2_000;

/** Tells what was announced and not told yet: most messages are never enqueued, and a queue may lose the rest. */
export async function sweepOutbox(ctx: Context, hasRoom?: HasRoom): Promise<void> {
  const ids = await waitingOutbox(ctx, { before: ctx.realNow() - SWEEP_AGE_MS, limit: SWEEP_LIMIT });
  await forEachQuietly(ctx, "notifications.delivery_failed", ids, (outboxId) => deliverMessage(ctx, { outboxId }), { hasRoom });
}

/** Enqueues the scheduled posts whose minute has come; one that its queue lost is found by the next minute. */
export async function enqueueDuePosts(ctx: Context): Promise<void> {
  const ids = await postsDue(ctx, { limit: SWEEP_LIMIT });
  await ctx.queues.notifications.sendAll(ids.map((id) => ({ version: 1, type: "post.publish", id })));
}

const STEPS: readonly Step[] = [
  once("notifications.posts_failed", enqueueDuePosts),
  once("notifications.openings_failed", (ctx) => announceOpenings(ctx, { limit: SWEEP_LIMIT })),
  once("notifications.books_failed", (ctx) => tellOfUnwatchedBooks(ctx, { moderatorIds: () => moderatorIds(ctx) })),
  once("notifications.outbox_failed", sweepOutbox),
  once("notifications.comments_failed", eraseRemovedComments),
  once("notifications.erasure_failed", eraseDeletedPosts),
  once("notifications.discovery_failed", refreshDiscovery),
  once("notifications.registrations_failed", async (ctx) => await ctx.accounts.abandonedStatement(ctx.realNow())),
];

/** What the cron does: one failing half does not keep the other from its turn. */
export async function everyMinute(ctx: Context): Promise<void> {
  await runSteps(ctx, STEPS);
}
