import { sql } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { purgeOutboxByPrefixStatement } from "#app/domain/outbox.server.ts";
import { commentLikes, comments } from "#drizzle/schema/comments.ts";

/**
 * Deletes up to `limit` likes of comments by a person. Returns the number. Their comments stay in
 * the conversation without their name.
 */
export async function eraseCommentLikes(
  ctx: Context,
  { personId, limit }: { personId: string; limit: number },
): Promise<number> {
  const taken = ctx.db
    .delete(commentLikes)
    .where(
      sql`rowid IN (SELECT rowid FROM comment_likes WHERE person_id = ${personId} LIMIT ${limit})`,
    );
  return (await taken.returning({ id: commentLikes.commentId })).length;
}

/**
 * Deletes up to `limit` comments of an erased post, replies first, and their notifications.
 * `extraWrites` builds the writes of other modules. Returns the number of rows, with likes.
 */
export async function eraseCommentsOfPost(
  ctx: Context,
  {
    postId,
    limit,
    extraWrites,
  }: {
    postId: string;
    limit: number;
    extraWrites: (commentIds: string[]) => readonly BatchWrite[];
  },
): Promise<number> {
  const liked = sql`SELECT likes.rowid FROM comment_likes likes JOIN comments c ON c.id = likes.comment_id WHERE c.post_id = ${postId} LIMIT ${limit}`;
  const likes = await ctx.db
    .delete(commentLikes)
    .where(sql`rowid IN (${liked})`)
    .returning({ id: commentLikes.commentId });
  if (likes.length > 0) return likes.length;
  const rows = await ctx.db
    .select({ id: comments.id })
    .from(comments)
    .where(sql`${comments.postId} = ${postId}`)
    .orderBy(sql`${comments.parentId} IS NULL`)
    .limit(limit);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await commit(ctx.db, [
    ...extraWrites(ids),
    ...ids.map((id) => purgeOutboxByPrefixStatement(ctx, `comment:${id}:`)),
    ctx.db
      .delete(comments)
      .where(sql`${comments.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`),
  ]);
  return ids.length;
}
