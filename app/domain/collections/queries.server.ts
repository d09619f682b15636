import { and, desc, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import {
  isCollectionPurchased,
  collectionListableTo,
  coverVisibleTo,
  personIdByKey,
} from "#app/domain/access/sql.server.ts";
import { readingProgress } from "./rules.ts";
import type {
  CollectionCreator,
  CollectionEntry,
  CollectionSummary,
  OutlineEntry,
  CollectionProgress,
} from "./schema.ts";
import type { Context } from "#app/domain/context.ts";
import { canSellSql } from "#app/domain/documents/queries.server.ts";
import { cardsFromRows, collectionPostsStatement } from "#app/domain/posts/queries.server.ts";
import { collectionPosts, collections, postReads } from "#drizzle/schema/collections.ts";
import { posts } from "#drizzle/schema/posts.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

/**
 * The posts that every viewer of the collection can know of. Posts that only the creator sees are
 * in no count and no order.
 */
export const isPublishedPost: SQL = sql`posts.state = 'published' AND posts.deleted_at IS NULL AND posts.held_at IS NULL`;

const postsCount = sql<number>`(SELECT COUNT(*) FROM collection_posts c JOIN posts ON posts.id = c.post_id WHERE c.collection_id = collections.id AND ${isPublishedPost})`;

function summaryColumns(ctx: Context, viewerId: string | null) {
  return {
    id: sql<string>`collections.id`.as("collection_id"),
    title: sql<string>`collections.title`.as("collection_title"),
    description: collections.description,
    priceCents: collections.priceCents,
    creatorSells: sql<number>`${canSellSql(sql`collections.creator_id`, ctx.now())}`.as(
      "creator_sells",
    ),
    postsCount: postsCount.as("collection_posts_count"),
    coverMediaId: collections.coverMediaId,
    coverAlt: sql<
      string | null
    >`(SELECT cover.alt FROM media cover WHERE cover.id = collections.cover_media_id)`.as(
      "cover_alt",
    ),
    isCoverOpen:
      sql<number>`(collections.cover_media_id IS NOT NULL AND ${coverVisibleTo(viewerId, ctx.now(), ctx.settings.adultSpaces)})`.as(
        "is_cover_open",
      ),
  };
}

type SummaryRow = Omit<CollectionSummary, "cover"> & {
  coverMediaId: string | null;
  coverAlt: string | null;
  isCoverOpen: number;
  creatorSells: number;
};

/**
 * Maps a row to the collection that its viewer sees. A closed cover has no description. A price
 * that nobody can pay is null.
 */
export function toCollectionSummary({
  coverMediaId,
  coverAlt,
  isCoverOpen,
  creatorSells,
  ...row
}: SummaryRow): CollectionSummary {
  const isOpen = isCoverOpen === 1;
  const { id, title, description, postsCount: count } = row;
  const priceCents = creatorSells === 1 && count > 0 ? row.priceCents : null;
  return {
    id,
    title,
    description,
    postsCount: count,
    priceCents,
    cover:
      coverMediaId === null
        ? null
        : { mediaId: coverMediaId, isOpen, alt: isOpen ? (coverAlt ?? "") : "" },
  };
}

type CreatorCollectionsRequest = { creatorKey: string; viewerId: string | null; limit: number };

/**
 * Builds the statement that reads the collections of a creator (id or username) that `viewerId` can
 * know of, newest first. `toCollectionSummary` maps its rows.
 */
export function collectionsStatement(
  ctx: Context,
  { creatorKey, viewerId, limit }: CreatorCollectionsRequest,
) {
  return ctx.db
    .select(summaryColumns(ctx, viewerId))
    .from(collections)
    .where(
      and(
        sql`${collections.creatorId} = ${personIdByKey(creatorKey)}`,
        collectionListableTo(viewerId, ctx.now(), ctx.settings.adultSpaces),
      ),
    )
    .orderBy(desc(collections.createdAt), desc(collections.id))
    .limit(limit);
}

type CollectionRequest = { collectionId: string; viewerId: string | null };

/**
 * Builds the statement that reads one collection that `viewerId` can know of, its owner, and
 * whether they bought it.
 */
export function collectionStatement(ctx: Context, { collectionId, viewerId }: CollectionRequest) {
  return ctx.db
    .select({
      ...summaryColumns(ctx, viewerId),
      creatorId: collections.creatorId,
      creatorName: profiles.name,
      creatorUsername: profiles.username,
      creatorAvatarMediaId: profiles.avatarMediaId,
      isBought: sql<number>`${isCollectionPurchased(viewerId)}`.as("is_bought"),
    })
    .from(collections)
    .innerJoin(profiles, eq(profiles.personId, collections.creatorId))
    .where(
      and(
        eq(collections.id, collectionId),
        collectionListableTo(viewerId, ctx.now(), ctx.settings.adultSpaces),
      ),
    )
    .limit(1);
}

/**
 * Builds the statement that reads every published post of a collection, in order, and when
 * `viewerId` read it. Never more than a collection holds.
 */
export function outlineStatement(ctx: Context, { collectionId, viewerId }: CollectionRequest) {
  return ctx.db
    .select({
      postId: collectionPosts.postId,
      title: sql<string>`posts.title`.as("outline_title"),
      readAt: postReads.readAt,
    })
    .from(collectionPosts)
    .innerJoin(posts, eq(posts.id, collectionPosts.postId))
    .leftJoin(
      postReads,
      and(eq(postReads.postId, collectionPosts.postId), sql`${postReads.personId} = ${viewerId}`),
    )
    .where(and(eq(collectionPosts.collectionId, collectionId), isPublishedPost))
    .orderBy(collectionPosts.position, collectionPosts.postId);
}

export type CollectionPage = {
  collection: CollectionSummary;
  creator: CollectionCreator;
  isBought: boolean;
  progress: CollectionProgress;
  entries: CollectionEntry[];
  /** The last post of this page, after which the next one starts. */
  next: string | null;
};

/**
 * Reads a collection with the posts after `cursor` as `viewerId` sees them, in order, in one round
 * trip. Null when they cannot know of it.
 */
export async function collectionFor(
  ctx: Context,
  {
    collectionId,
    viewerId,
    cursor,
    limit,
  }: CollectionRequest & { cursor: string | null; limit: number },
): Promise<CollectionPage | null> {
  const [[row], outline, rows] = await ctx.db.batch([
    collectionStatement(ctx, { collectionId, viewerId }),
    outlineStatement(ctx, { collectionId, viewerId }),
    collectionPostsStatement(ctx, { collectionId, viewerId, cursor, limit }),
  ]);
  if (!row) return null;
  const shown = rows.slice(0, limit);
  return {
    collection: toCollectionSummary(row),
    creator: {
      id: row.creatorId,
      name: row.creatorName,
      username: row.creatorUsername,
      avatarMediaId: row.creatorAvatarMediaId,
    },
    isBought: row.isBought === 1,
    progress: readingProgress(outline),
    entries: entriesOf(outline, cardsFromRows(ctx, shown, viewerId, limit).items),
    next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
  };
}

function entriesOf(
  outline: readonly OutlineEntry[],
  cards: CollectionEntry["post"][],
): CollectionEntry[] {
  const places = new Map(
    outline.map(({ postId, readAt }, index) => [
      postId,
      { number: index + 1, isRead: readAt !== null },
    ]),
  );
  return cards.flatMap((post) => {
    const place = places.get(post.id);
    return place ? [{ ...place, post }] : [];
  });
}
