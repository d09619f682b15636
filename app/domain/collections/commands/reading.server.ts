import { and, eq } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { PostLocked, PostNotFound } from "#app/domain/posts/errors.ts";
import { postFor } from "#app/domain/posts/queries.server.ts";
import { postReads } from "#drizzle/schema/collections.ts";

type ReadMark = { postId: string; personId: string };

/** Marks a post as read by a member now. Safe to repeat. Refuses a post that they cannot see. */
export async function markRead(ctx: Context, { postId, personId }: ReadMark): Promise<void> {
  const post = await postFor(ctx, { postId, viewerId: personId });
  if (!post) throw new PostNotFound();
  if (!post.access.visible) throw new PostLocked();
  const readAt = ctx.now();
  await commit(ctx.db, [
    ctx.db
      .insert(postReads)
      .values({ postId, personId, readAt })
      .onConflictDoUpdate({ target: [postReads.personId, postReads.postId], set: { readAt } }),
  ]);
}

/** Deletes the mark, also of a post that has closed since. Safe to repeat. */
export async function markUnread(ctx: Context, { postId, personId }: ReadMark): Promise<void> {
  await commit(ctx.db, [
    ctx.db
      .delete(postReads)
      .where(and(eq(postReads.postId, postId), eq(postReads.personId, personId))),
  ]);
}
