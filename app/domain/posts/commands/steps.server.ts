import { announceOpenedPosts } from "./scheduled-access.server.ts";
import { dueScheduledPosts } from "#app/domain/posts/queries/studio.server.ts";
import { enqueueStep } from "#app/domain/retry-backoff/commands/steps.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";

const POSTS_LIMIT = 200;

export const postSteps = {
  /** The next minute's run enqueues again what the queue lost. */
  enqueueDue: enqueueStep({
    name: "posts.enqueue_due",
    event: "notifications.posts_failed",
    due: (ctx) => dueScheduledPosts(ctx, { limit: POSTS_LIMIT }),
    send: (ctx, ids) =>
      ctx.queues.notifications.sendAll(ids.map((id) => ({ version: 1, type: "post.publish", id }))),
  }),
  announceOpenings: {
    name: "posts.announce_openings",
    event: "notifications.openings_failed",
    run: (ctx) => announceOpenedPosts(ctx, { limit: POSTS_LIMIT }),
  },
} satisfies Record<string, Step>;
