import { preparePageReads } from "#app/db/page-reads.ts";
import { placesStatement } from "#app/domain/collections/queries/place.server.ts";
import type { Context } from "#app/domain/context.ts";
import { adjacentPostsStatement, postStatement } from "#app/domain/posts/queries.server.ts";
import { pollStatement } from "#app/domain/posts/queries/polls.server.ts";
import { tipsOfAuthorStatement } from "#app/domain/purchases/tips/queries.server.ts";

type Asked = { postId: string; collectionId: string | null };

const statements = (ctx: Context, { postId, collectionId }: Asked) =>
  [
    postStatement(ctx, { postId, viewerId: null }),
    adjacentPostsStatement(ctx, { postId, viewerId: null }),
    placesStatement(ctx, { postId, viewerId: null, collectionId }),
    pollStatement(ctx, { postId, viewerId: null }),
    tipsOfAuthorStatement(ctx, { postId }),
  ] as const;

const reads = preparePageReads((ctx: Context, value) =>
  statements(ctx, { postId: value("postId"), collectionId: null }),
);

/**
 * Returns the statements of what the page of a post shows to every visitor. Without a collection
 * their SQL is built once.
 */
export function publicPostStatements(ctx: Context, asked: Asked) {
  return asked.collectionId === null
    ? reads(ctx, { postId: asked.postId })
    : statements(ctx, asked);
}
