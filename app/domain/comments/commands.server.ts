import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { PostLocked, PostNotFound } from "#app/domain/posts/errors.ts";
import { postFor } from "#app/domain/posts/queries.server.ts";
import { comments } from "#drizzle/schema/comments.ts";

export type NewComment = { postId: string; authorId: string; authorName: string; body: string };

/** Comments on a post that the person may see, and tells its author when that is someone else. Refuses a post that is closed or unknown to them. */
export async function addComment(ctx: Context, { postId, authorId, authorName, body }: NewComment): Promise<{ commentId: string }> {
  const post = await postFor(ctx, { postId, viewerId: authorId });
  if (!post) throw new PostNotFound();
  if (!post.access.visible) throw new PostLocked();
  const commentId = ctx.newId();
  await commit(ctx.db, [
    ctx.db.insert(comments).values({ id: commentId, postId, authorId, body, createdAt: ctx.now() }),
    ...(post.isOwn
      ? []
      : [
          announce(ctx, `comment:${commentId}:posted`, {
            type: "post.commented",
            commentId,
            postId,
            postTitle: post.title,
            authorId: post.author.id,
            commenterName: authorName,
          }),
        ]),
  ]);
  return { commentId };
}
