import { and, eq, isNotNull, isNull, ne } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { CommentActionRefused } from "#app/domain/comments/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { comments } from "#drizzle/schema/comments.ts";
import { actionableComment, commitAction } from "./actions.server.ts";

/**
 * The moderator of a conversation. `hostId` is the owner of the posts that they moderate:
 * themselves, or the owner of the team's page they act for.
 */
export type HostAction = { commentId: string; personId: string; hostId: string };

/**
 * Hides a comment from everyone but its author, the post's owner and moderators, or shows it again.
 * Refuses CommentNotFound and CommentActionRefused.
 */
export async function hideComment(
  ctx: Context,
  { hidden, ...hosting }: HostAction & { hidden: boolean },
): Promise<{ postId: string }> {
  const { commentId } = hosting;
  const { snapshot, powers, isHost } = await actionableComment(ctx, hosting);
  if (!isHost) throw new CommentActionRefused();
  if ((snapshot.hiddenAt !== null) === hidden) return { postId: snapshot.postId };
  if (!(hidden ? powers.hide : powers.show)) throw new CommentActionRefused();
  await commit(ctx.db, [
    ctx.db
      .update(comments)
      .set(hidden ? { hiddenAt: ctx.now(), pinnedAt: null } : { hiddenAt: null })
      .where(
        and(
          eq(comments.id, commentId),
          hidden ? isNull(comments.hiddenAt) : isNotNull(comments.hiddenAt),
          isNull(comments.heldAt),
        ),
      ),
  ]);
  return { postId: snapshot.postId };
}

/**
 * Pins a comment on its post, in place of any other, or unpins it. Refuses CommentNotFound and
 * CommentActionRefused.
 */
export async function pinComment(
  ctx: Context,
  { pinned, ...hosting }: HostAction & { pinned: boolean },
): Promise<{ postId: string }> {
  const { commentId } = hosting;
  const { snapshot, powers, isHost } = await actionableComment(ctx, hosting);
  if (!isHost || (pinned && !powers.pin)) throw new CommentActionRefused();
  const there = and(
    eq(comments.id, commentId),
    isNull(comments.deletedAt),
    isNull(comments.hiddenAt),
  );
  const others = and(
    eq(comments.postId, snapshot.postId),
    isNotNull(comments.pinnedAt),
    ne(comments.id, commentId),
  );
  await commitAction(
    ctx,
    pinned
      ? [
          ctx.db.update(comments).set({ pinnedAt: null }).where(others),
          mustChangeOne(ctx.db.update(comments).set({ pinnedAt: ctx.now() }).where(there)),
        ]
      : [ctx.db.update(comments).set({ pinnedAt: null }).where(eq(comments.id, commentId))],
  );
  return { postId: snapshot.postId };
}
