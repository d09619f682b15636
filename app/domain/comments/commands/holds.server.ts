import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { comments } from "#drizzle/schema/comments.ts";

/**
 * Builds the statement that hides a comment by a moderation decision. The post's owner cannot show
 * it again. Stale when it is held already, or removed.
 */
export function holdCommentStatement(ctx: Context, { commentId }: { commentId: string }) {
  const now = ctx.now();
  return mustChangeOne(
    ctx.db
      .update(comments)
      .set({ heldAt: now, hiddenAt: sql`coalesce(${comments.hiddenAt}, ${now})`, pinnedAt: null })
      .where(and(eq(comments.id, commentId), isNull(comments.heldAt), isNull(comments.deletedAt))),
  );
}

/**
 * Builds the statement that ends the hold of a comment, for a reversed decision. One that the
 * post's owner had hidden before stays hidden. Matches nothing when there is no hold.
 */
export function releaseCommentStatement(ctx: Context, { commentId }: { commentId: string }) {
  return ctx.db
    .update(comments)
    .set({
      heldAt: null,
      hiddenAt: sql`CASE WHEN ${comments.hiddenAt} = ${comments.heldAt} THEN NULL ELSE ${comments.hiddenAt} END`,
    })
    .where(and(eq(comments.id, commentId), isNotNull(comments.heldAt)));
}
