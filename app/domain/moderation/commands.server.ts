import { commit } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { holdCollectionStatement } from "#app/domain/collections/commands.server.ts";
import { CollectionNotFound } from "#app/domain/collections/errors.ts";
import { holdPostStatement } from "#app/domain/posts/commands.server.ts";
import { PostNotFound } from "#app/domain/posts/errors.ts";

/**
 * Holds a post: only its author and moderators see it and its counters. Refuses a held or deleted
 * one.
 */
export async function holdPost(ctx: Context, { postId }: { postId: string }): Promise<void> {
  try {
    await commit(ctx.db, [holdPostStatement(ctx, { postId })]);
  } catch (error) {
    throw error instanceof StaleWrite ? new PostNotFound() : error;
  }
}

/**
 * Holds a collection: only its creator's page and moderators see it. Its posts do not change.
 * Refuses a held or deleted one.
 */
export async function holdCollection(
  ctx: Context,
  { collectionId }: { collectionId: string },
): Promise<void> {
  try {
    await commit(ctx.db, [holdCollectionStatement(ctx, { collectionId })]);
  } catch (error) {
    throw error instanceof StaleWrite ? new CollectionNotFound() : error;
  }
}
