import { and, eq } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import {
  CommentActionRefused,
  CommentNotFound,
  TooManyCommentLikes,
} from "#app/domain/comments/errors.ts";
import { loadCommentSnapshot } from "#app/domain/comments/queries.server.ts";
import { COMMENT_LIKE_LIMITS } from "#app/domain/comments/rules.ts";
import type { Context } from "#app/domain/context.ts";
import { rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import { commentLikes } from "#drizzle/schema/comments.ts";
import { actionableComment } from "./actions.server.ts";

/**
 * Likes a comment. Safe to repeat: a trigger moves the counter only for a new like. Refuses
 * CommentNotFound, CommentActionRefused and TooManyCommentLikes.
 */
export async function likeComment(
  ctx: Context,
  { commentId, personId }: { commentId: string; personId: string },
): Promise<{ postId: string }> {
  const { snapshot, powers } = await actionableComment(ctx, { commentId, personId });
  if (!powers.like) throw new CommentActionRefused();
  try {
    await commit(ctx.db, [
      ...rateLimitStatements(ctx, { act: "comment-like", personId, limits: COMMENT_LIKE_LIMITS }),
      ctx.db
        .insert(commentLikes)
        .values({ commentId, personId, createdAt: ctx.now() })
        .onConflictDoNothing(),
    ]);
  } catch (error) {
    throw error instanceof StaleWrite ? new TooManyCommentLikes() : error;
  }
  return { postId: snapshot.postId };
}

/** Removes a like, also from a comment that has closed since. Safe to repeat. */
export async function unlikeComment(
  ctx: Context,
  { commentId, personId }: { commentId: string; personId: string },
): Promise<{ postId: string }> {
  const snapshot = await loadCommentSnapshot(ctx, { commentId });
  if (!snapshot) throw new CommentNotFound();
  await commit(ctx.db, [
    ctx.db
      .delete(commentLikes)
      .where(and(eq(commentLikes.commentId, commentId), eq(commentLikes.personId, personId))),
  ]);
  return { postId: snapshot.postId };
}
