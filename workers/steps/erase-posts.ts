import { removeFromCollectionsStatement } from "#app/domain/collections/commands/placing.server.ts";
import { eraseCommentsOfPost } from "#app/domain/comments/commands/erasure.server.ts";
import type { Context } from "#app/domain/context.ts";
import { eraseNewsletterOf } from "#app/domain/newsletters/commands/reactions.server.ts";
import {
  eraseCommentNotificationsStatements,
  eraseDeliveriesOfPost,
  eraseNotificationsOf,
} from "#app/domain/notifications/commands/erasure.server.ts";
import { eraseDeletedPost, eraseReactions } from "#app/domain/posts/commands/erasure.server.ts";
import { postsToErase } from "#app/domain/posts/queries/studio.server.ts";
import { stepPerRow } from "#app/domain/retry-backoff/commands/steps.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";

const POSTS_A_RUN = 20;
/** Rounds for one post in one run; the next minute continues. */
const ROUNDS = 10;
const ROWS_AT_ONCE = 500;
/** Each needs two more statements, and a batch has a limit. */
const COMMENTS_AT_ONCE = 40;

export const erasureSteps = {
  /** Erases posts deleted thirty days ago. A killed run is safe: a later run finds whatever is left. */
  eraseDeletedPosts: stepPerRow({
    name: "posts.erase_deleted",
    event: "notifications.erasure_failed",
    due: (ctx) => postsToErase(ctx, { limit: POSTS_A_RUN }),
    each: (ctx, postId) => erasePost(ctx, { postId }),
  }),
} satisfies Record<string, Step>;

/** Erases first the post's comments and notifications, in bounded rounds, then the post. */
async function erasePost(ctx: Context, { postId }: { postId: string }): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const erased = [
      await eraseCommentsOfPost(ctx, {
        postId,
        limit: COMMENTS_AT_ONCE,
        extraWrites: (ids) => eraseCommentNotificationsStatements(ctx, ids),
      }),
      await eraseNotificationsOf(ctx, { prefix: `post:${postId}:`, limit: ROWS_AT_ONCE }),
      await eraseDeliveriesOfPost(ctx, { postId, limit: ROWS_AT_ONCE }),
      await eraseNewsletterOf(ctx, { postId, limit: ROWS_AT_ONCE }),
      await eraseReactions(ctx, { postId, limit: ROWS_AT_ONCE }),
    ];
    if (erased.every((count) => count === 0))
      return await eraseDeletedPost(ctx, {
        postId,
        extraWrites: [removeFromCollectionsStatement(ctx, { postId })],
      });
  }
}
