import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { PostMessage } from "#app/domain/posts/schema/outbox.ts";
import { duePostOpenings } from "#app/domain/posts/queries/studio.server.ts";
import { postAccessRules } from "#drizzle/schema/posts.ts";

/**
 * Announces published posts that an access rule opened at its time, once per post and time, and
 * enqueues the notifications. A person already notified of the post is not notified again, by the
 * key of post and person. Safe to run twice, in parallel, and to be killed anywhere.
 */
export async function announceOpenedPosts(
  ctx: Context,
  { limit }: { limit: number },
): Promise<void> {
  for (const { postId, opensAt, announces, title, authorId, authorName } of await duePostOpenings(
    ctx,
    {
      limit,
    },
  )) {
    const key = `post:${postId}:opened:${opensAt}`;
    const opened = and(
      eq(postAccessRules.postId, postId),
      eq(postAccessRules.opensAt, opensAt),
      isNotNull(postAccessRules.opensAt),
      isNull(postAccessRules.announcedAt),
    );
    await commit(ctx.db, [
      ctx.db.update(postAccessRules).set({ announcedAt: ctx.now() }).where(opened),
      ...(announces
        ? [
            announce<PostMessage>(ctx, key, {
              type: "post.opened",
              postId,
              postTitle: title,
              authorId,
              authorName,
            }),
          ]
        : []),
    ]);
    if (announces) await ctx.queues.fanOut.send({ version: 1, type: "outbox.deliver", id: key });
  }
}
