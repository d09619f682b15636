import { desc, eq, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { cardsFromRows, collectionPostsStatement } from "#app/domain/posts/queries.server.ts";
import type { PostCard } from "#app/domain/posts/schema.ts";
import { collections } from "#drizzle/schema/collections.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

export type CollectionSummary = { id: string; title: string; description: string; postsCount: number };
export type CollectionPage = { collection: CollectionSummary & { creatorName: string; creatorUsername: string }; posts: PostCard[] };

/** More than a person reads of a collection at once. */
const COLLECTION_POSTS = 100;

const postsCount = sql<number>`(
  SELECT COUNT(*) FROM collection_posts c JOIN posts ON posts.id = c.post_id
  WHERE c.collection_id = collections.id AND posts.state = 'published' AND posts.deleted_at IS NULL AND posts.held_at IS NULL)`;

const summaryColumns = {
  id: sql<string>`collections.id`.as("collection_id"),
  title: collections.title,
  description: collections.description,
  postsCount: postsCount.as("collection_posts_count"),
};

/** The collections of a creator (id or username), newest first. */
export function collectionsStatement(ctx: Context, { creatorKey, limit }: { creatorKey: string; limit: number }) {
  return ctx.db
    .select(summaryColumns)
    .from(collections)
    .innerJoin(profiles, eq(profiles.personId, collections.creatorId))
    .where(sql`(collections.creator_id = ${creatorKey} OR profiles.username = ${creatorKey.toLowerCase()})`)
    .orderBy(desc(collections.createdAt), desc(collections.id))
    .limit(limit);
}

/** A collection with its posts as `viewerId` may know them, in their order; null when there is none. */
export async function collectionFor(
  ctx: Context,
  { collectionId, viewerId }: { collectionId: string; viewerId: string | null },
): Promise<CollectionPage | null> {
  const [[row], rows] = await ctx.db.batch([
    ctx.db
      .select({ ...summaryColumns, creatorName: profiles.name, creatorUsername: profiles.username })
      .from(collections)
      .innerJoin(profiles, eq(profiles.personId, collections.creatorId))
      .where(eq(collections.id, collectionId))
      .limit(1),
    collectionPostsStatement(ctx, { collectionId, viewerId, limit: COLLECTION_POSTS }),
  ]);
  if (!row) return null;
  return { collection: row, posts: cardsFromRows(ctx, rows, viewerId, COLLECTION_POSTS).items };
}
