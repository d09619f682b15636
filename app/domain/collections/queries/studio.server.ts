import { and, desc, eq, gt, isNotNull, isNull, ne, sql } from "drizzle-orm";
import { matchesSearch } from "#app/domain/collections/rules.ts";
import type { ImportFilter } from "#app/domain/collections/rules.ts";
import { COLLECTIONS_MAX } from "#app/domain/collections/schema.ts";
import type { ImportKind } from "#app/domain/collections/schema.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { decodeCursor, encodeCursor } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import { RESTORABLE_MS } from "#app/domain/posts/rules/composing.ts";
import type { PostState } from "#app/domain/posts/rules/composing.ts";
import type { Instant } from "#app/domain/time.ts";
import { collectionPosts, collections } from "#drizzle/schema/collections.ts";
import { posts } from "#drizzle/schema/posts.ts";

/** A collection for its page's editors, also a deleted one. */
export type EditableCollection = {
  id: string;
  creatorId: string;
  title: string;
  description: string;
  priceCents: Cents | null;
  coverMediaId: string | null;
  coverAlt: string;
  placedCount: number;
  heldAt: Instant | null;
  deletedAt: Instant | null;
};

const ownColumns = {
  id: collections.id,
  creatorId: collections.creatorId,
  title: collections.title,
  description: collections.description,
  priceCents: collections.priceCents,
  coverMediaId: collections.coverMediaId,
  coverAlt:
    sql<string>`COALESCE((SELECT cover.alt FROM media cover WHERE cover.id = collections.cover_media_id), '')`.as(
      "cover_alt",
    ),
  placedCount: collections.placedCount,
  heldAt: collections.heldAt,
  deletedAt: collections.deletedAt,
};

/** Reads one collection of `creatorId` in any state, or null. */
export async function editableCollection(
  ctx: Context,
  { collectionId, creatorId }: { collectionId: string; creatorId: string },
): Promise<EditableCollection | null> {
  const [row] = await ctx.db
    .select(ownColumns)
    .from(collections)
    .where(and(eq(collections.id, collectionId), eq(collections.creatorId, creatorId)))
    .limit(1);
  return row ?? null;
}

/** Reads the collections of a page, newest first, and deleted ones that can be restored. */
export async function editableCollections(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<{
  living: EditableCollection[];
  deleted: (EditableCollection & { deletedAt: Instant })[];
}> {
  const [living, gone] = await ctx.db.batch([
    activeCollectionsStatement(ctx, { creatorId }),
    ctx.db
      .select(ownColumns)
      .from(collections)
      .where(
        and(
          eq(collections.creatorId, creatorId),
          isNotNull(collections.deletedAt),
          gt(collections.deletedAt, ctx.now() - RESTORABLE_MS),
        ),
      )
      .orderBy(desc(collections.deletedAt))
      .limit(COLLECTIONS_MAX),
  ]);
  return {
    living,
    deleted: gone.flatMap((row) =>
      row.deletedAt === null ? [] : [{ ...row, deletedAt: row.deletedAt }],
    ),
  };
}

/** Builds the statement that reads the collections of a page that are not deleted, for a batch. */
export function activeCollectionsStatement(ctx: Context, { creatorId }: { creatorId: string }) {
  return ctx.db
    .select(ownColumns)
    .from(collections)
    .where(and(eq(collections.creatorId, creatorId), isNull(collections.deletedAt)))
    .orderBy(desc(collections.createdAt), desc(collections.id))
    .limit(COLLECTIONS_MAX);
}

/** A post in its position for its page's editors, also a draft or a held one. */
export type PlacedPost = {
  id: string;
  title: string;
  state: PostState;
  scheduledAt: Instant | null;
  isHeld: boolean;
};

/** Reads every post of a collection in order, without deleted ones. */
export async function placedPosts(
  ctx: Context,
  { collectionId }: { collectionId: string },
): Promise<PlacedPost[]> {
  const rows = await ctx.db
    .select({
      id: posts.id,
      title: posts.title,
      state: posts.state,
      scheduledAt: posts.scheduledAt,
      heldAt: posts.heldAt,
    })
    .from(collectionPosts)
    .innerJoin(posts, eq(posts.id, collectionPosts.postId))
    .where(and(eq(collectionPosts.collectionId, collectionId), isNull(posts.deletedAt)))
    .orderBy(collectionPosts.position, collectionPosts.postId);
  return rows.map(({ heldAt, ...row }) => ({ ...row, isHeld: heldAt !== null }));
}

export type ImportCandidate = {
  id: string;
  title: string;
  state: PostState;
  at: Instant;
  kind: ImportKind;
};

const kindOf = sql<ImportKind>`COALESCE((SELECT m.kind FROM post_media pm JOIN media m ON m.id = pm.media_id WHERE pm.post_id = posts.id ORDER BY pm.position LIMIT 1), 'text')`;

type ImportRequest = {
  collectionId: string;
  creatorId: string;
  filter: ImportFilter;
  cursor: string | null;
  limit: number;
};

/** How many posts one search examines. */
const LOOKED_THROUGH = 500;

/**
 * Reads posts of a page that are not in the collection and match `filter`, newest first. Searches
 * titles and teasers of at most 500 posts a page, so a page may be short. `next` continues from
 * there.
 */
export async function importCandidates(
  ctx: Context,
  { collectionId, creatorId, filter, cursor, limit }: ImportRequest,
): Promise<Page<ImportCandidate>> {
  const isPublished = filter.state === "published";
  const at = isPublished ? posts.publishedAt : posts.updatedAt;
  const last = decodeCursor(cursor);
  const reach = filter.search === "" ? limit + 1 : LOOKED_THROUGH;
  const rows = await ctx.db
    .select({
      id: posts.id,
      title: posts.title,
      teaser: posts.teaser,
      state: posts.state,
      at: sql<number>`COALESCE(${at}, 0)`.as("candidate_at"),
      kind: kindOf.as("candidate_kind"),
    })
    .from(posts)
    .where(
      and(
        eq(posts.authorId, creatorId),
        isPublished ? eq(posts.state, "published") : ne(posts.state, "published"),
        isNull(posts.deletedAt),
        last ? sql`(${at}, ${posts.id}) < (${last.at}, ${last.id})` : undefined,
        filter.from === null ? undefined : sql`${at} >= ${filter.from}`,
        filter.until === null ? undefined : sql`${at} < ${filter.until}`,
        filter.kind === null ? undefined : hasKind(filter.kind),
        sql`NOT EXISTS (SELECT 1 FROM collection_posts placed WHERE placed.collection_id = ${collectionId} AND placed.post_id = posts.id)`,
      ),
    )
    .orderBy(desc(at), desc(posts.id))
    .limit(reach);
  const found =
    filter.search === ""
      ? rows
      : rows.filter(({ title, teaser }) => matchesSearch(`${title} ${teaser}`, filter.search));
  const items = found
    .slice(0, limit)
    .map(({ id, title, state, at: when, kind }) => ({ id, title, state, at: when, kind }));
  const end = found.length > limit ? items.at(-1) : rows.length === reach ? rows.at(-1) : undefined;
  return { items, next: end ? encodeCursor(end) : null };
}

function hasKind(kind: ImportKind) {
  const has = sql`SELECT 1 FROM post_media pm JOIN media m ON m.id = pm.media_id WHERE pm.post_id = posts.id`;
  return kind === "text" ? sql`NOT EXISTS (${has})` : sql`EXISTS (${has} AND m.kind = ${kind})`;
}
