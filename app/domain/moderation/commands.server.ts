import { and, eq, isNull } from "drizzle-orm";
import { commit, exactlyOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { PostNotFound } from "#app/domain/posts/errors.ts";
import { posts } from "#drizzle/schema/posts.ts";

/** Hides a post from everyone but its author and the moderation, its counters with it. Refuses one that is held or gone. */
export async function holdPost(ctx: Context, { postId }: { postId: string }): Promise<void> {
  const hold = ctx.db.update(posts).set({ heldAt: ctx.now() }).where(and(eq(posts.id, postId), isNull(posts.heldAt), isNull(posts.deletedAt)));
  try {
    await commit(ctx.db, [exactlyOne(hold)]);
  } catch (error) {
    throw error instanceof StaleWrite ? new PostNotFound() : error;
  }
}
