import { commit } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { holdPostStatement } from "#app/domain/posts/commands.server.ts";
import { PostNotFound } from "#app/domain/posts/errors.ts";

/** Hides a post from everyone but its author and the moderation, its counters with it. Refuses one that is held or gone. */
export async function holdPost(ctx: Context, { postId }: { postId: string }): Promise<void> {
  try {
    await commit(ctx.db, [holdPostStatement(ctx, { postId })]);
  } catch (error) {
    throw error instanceof StaleWrite ? new PostNotFound() : error;
  }
}
