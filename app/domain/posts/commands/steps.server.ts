import type { Context } from "#app/domain/context.ts";
import { announceOpenedPosts } from "./scheduled-access.server.ts";
import { dueScheduledPosts } from "#app/domain/posts/queries/studio.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";

const POSTS_LIMIT = 200;

export const postSteps = {
  enqueueDue: {
    name: "posts.enqueue_due",
    event: "notifications.posts_failed",
    run: enqueueDuePosts,
  },
  announceOpenings: {
    name: "posts.announce_openings",
    event: "notifications.openings_failed",
    run: (ctx) => announceOpenedPosts(ctx, { limit: POSTS_LIMIT }),
  },
} satisfies Record<string, Step>;

/** Enqueues the due scheduled posts. The next minute's run enqueues again what the queue lost. */
async function enqueueDuePosts(ctx: Context): Promise<void> {
  const ids = await dueScheduledPosts(ctx, { limit: POSTS_LIMIT });
  await ctx.queues.notifications.sendAll(
    ids.map((id) => ({ version: 1, type: "post.publish", id })),
  );
}
