import {
  collectionStatement,
  outlineStatement,
  toCollectionSummary,
} from "#app/domain/collections/queries.server.ts";
import type { CollectionCreator, CollectionSummary } from "#app/domain/collections/schema.ts";
import type { Context } from "#app/domain/context.ts";
import { collectionPostsStatement, postFromRow } from "#app/domain/posts/queries.server.ts";
import type { Post } from "#app/domain/posts/schema.ts";

export type CollectionListing = {
  collection: CollectionSummary;
  creator: CollectionCreator;
  posts: Post[];
  totalItems: number;
};

type Listing = { collectionId: string; viewerId: string | null; page: number; limit: number };

/**
 * Reads page `page` (from 1) of a collection's posts as `viewerId` sees them, for `GET
 * /collections/:id`. Null when they cannot know of the collection.
 */
export async function collectionListing(
  ctx: Context,
  { collectionId, viewerId, page, limit }: Listing,
): Promise<CollectionListing | null> {
  const [[row], outline] = await ctx.db.batch([
    collectionStatement(ctx, { collectionId, viewerId }),
    outlineStatement(ctx, { collectionId, viewerId }),
  ]);
  if (!row) return null;
  const cursor = outline[(page - 1) * limit - 1]?.postId ?? null;
  const isPastTheEnd = page > 1 && cursor === null;
  const rows = isPastTheEnd
    ? []
    : await collectionPostsStatement(ctx, { collectionId, viewerId, cursor, limit });
  return {
    collection: toCollectionSummary(row),
    creator: {
      id: row.creatorId,
      name: row.creatorName,
      username: row.creatorUsername,
      avatarMediaId: row.creatorAvatarMediaId,
    },
    posts: rows.slice(0, limit).flatMap((one) => postFromRow(one, viewerId, ctx.now()) ?? []),
    totalItems: outline.length,
  };
}
