import { commit } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import { CommentActionRefused, CommentNotFound } from "#app/domain/comments/errors.ts";
import { loadCommentSnapshot, relationToAuthor } from "#app/domain/comments/queries.server.ts";
import { allowedCommentActions } from "#app/domain/comments/rules.ts";
import type { CommentActions } from "#app/domain/comments/rules.ts";
import type { Context } from "#app/domain/context.ts";
import { PostLocked, PostNotFound } from "#app/domain/posts/errors.ts";
import { postFor } from "#app/domain/posts/queries.server.ts";
import type { Post } from "#app/domain/posts/schema.ts";

/** Reads a post that the person can see. Refuses PostNotFound and PostLocked. */
export async function openPost(
  ctx: Context,
  { postId, viewerId }: { postId: string; viewerId: string },
): Promise<Post> {
  const post = await postFor(ctx, { postId, viewerId });
  if (!post) throw new PostNotFound();
  if (!post.access.visible) throw new PostLocked();
  return post;
}

/**
 * Reads the comment with its post and the person's allowed actions. Refuses a comment that they
 * cannot see.
 */
export async function actionableComment(
  ctx: Context,
  { commentId, personId, hostId }: { commentId: string; personId: string; hostId?: string },
) {
  const snapshot = await loadCommentSnapshot(ctx, { commentId });
  if (!snapshot) throw new CommentNotFound();
  const [post, asker] = await Promise.all([
    openPost(ctx, { postId: snapshot.postId, viewerId: personId }),
    relationToAuthor(ctx, { personId, authorId: snapshot.authorId }),
  ]);
  const isAuthor = snapshot.authorId === personId;
  const isHost = snapshot.hostId === hostId || asker.isModerator;
  if (
    asker.isBlocked ||
    (!isAuthor && !isHost && (snapshot.hiddenAt !== null || snapshot.deletedAt !== null))
  )
    throw new CommentNotFound();
  const powers: CommentActions = allowedCommentActions(
    {
      ...snapshot,
      isAuthor,
      isHost,
      isReply: snapshot.parentId !== null,
      areCommentsClosed: snapshot.closedAt !== null,
    },
    ctx.now(),
  );
  return { snapshot, post, powers, isHost };
}

/** Commits the writes. Refuses CommentActionRefused when another request made the action impossible. */
export async function commitAction(ctx: Context, writes: BatchWrite[]): Promise<void> {
  try {
    await commit(ctx.db, writes);
  } catch (error) {
    throw error instanceof StaleWrite || error instanceof UniqueViolation
      ? new CommentActionRefused()
      : error;
  }
}
