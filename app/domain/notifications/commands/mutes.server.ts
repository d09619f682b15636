import { and, eq } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { postMutes } from "#drizzle/schema/notifications.ts";

/**
 * Stops the notifications of a post's comments, replies and likes to a person, and its newsletter
 * if it was not sent yet; or sends them again. Mentions still come. Safe to repeat.
 */
export async function setPostMuted(
  ctx: Context,
  { personId, postId, muted }: { personId: string; postId: string; muted: boolean },
): Promise<void> {
  await commit(ctx.db, [
    muted
      ? ctx.db
          .insert(postMutes)
          .values({ personId, postId, createdAt: ctx.now() })
          .onConflictDoNothing()
      : ctx.db
          .delete(postMutes)
          .where(and(eq(postMutes.personId, personId), eq(postMutes.postId, postId))),
  ]);
}
