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

/** Reads what the page of a post shows to every visitor, in one round trip. */
export async function publicPostRows(ctx: Context, asked: Asked) {
  if (asked.collectionId !== null) return await ctx.db.batch(statements(ctx, asked));
  return await ctx.db.batch(reads(ctx, { postId: asked.postId }));
}
