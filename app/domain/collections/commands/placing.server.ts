import { and, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { RuleViolation } from "#app/db/errors.ts";
import { requireCollection } from "#app/domain/collections/commands.server.ts";
import { CollectionFull, NotYourPosts, OrderChanged } from "#app/domain/collections/errors.ts";
import type { PostMove } from "#app/domain/collections/schema.ts";
import type { Context } from "#app/domain/context.ts";
import { RESTORABLE_MS } from "#app/domain/posts/rules/composing.ts";
import { collectionPosts } from "#drizzle/schema/collections.ts";

type PlacingCollectionRef = { collectionId: string; creatorId: string };

/**
 * Builds the statements that put a post into exactly `collectionIds`, for the batch that saves the
 * post. A new post goes last, and an existing one keeps its position. Ignores collections that are
 * deleted or of other authors.
 */
export function placementStatements(
  ctx: Context,
  {
    postId,
    collectionIds,
    creatorId,
  }: { postId: string; collectionIds: readonly string[]; creatorId: string },
): BatchWrite[] {
  const chosen = sql`(SELECT value FROM json_each(${JSON.stringify(collectionIds)}))`;
  const living = sql`own.creator_id = ${creatorId} AND own.deleted_at IS NULL`;
  return [
    ctx.db
      .delete(collectionPosts)
      .where(
        and(
          eq(collectionPosts.postId, postId),
          sql`${collectionPosts.collectionId} IN (SELECT own.id FROM collections own WHERE ${living}) AND ${collectionPosts.collectionId} NOT IN ${chosen}`,
        ),
      ),
    ctx.db
      .insert(collectionPosts)
      .select(
        sql`SELECT own.id, ${postId}, ${lastOf(sql`own.id`)} FROM collections own WHERE ${living} AND own.id IN ${chosen}`,
      )
      .onConflictDoNothing(),
  ];
}

/**
 * Translates the database's limit into a refusal for `placementStatements`; null for any other
 * error.
 */
export function placementRefusal(error: unknown): CollectionFull | null {
  return error instanceof RuleViolation && error.rule === "collection_full"
    ? new CollectionFull("collectionIds")
    : null;
}

/**
 * Appends posts to a collection, in the order of `postIds`. Posts already in it keep their
 * position. All or none: refuses more than 500 in all, and posts that are deleted or not of the
 * page.
 */
export async function addPosts(
  ctx: Context,
  { collectionId, creatorId, postIds }: PlacingCollectionRef & { postIds: readonly string[] },
): Promise<void> {
  await requireCollection(ctx, { collectionId, creatorId });
  await refuseOthers(ctx, { creatorId, postIds });
  await placed(ctx, [
    forgottenStatement(ctx, { collectionId }),
    addedStatement(ctx, { collectionId, creatorId, postIds }),
  ]);
}

/** Removes a post from a collection. The post itself stays. Safe to repeat. */
export async function removePost(
  ctx: Context,
  { collectionId, creatorId, postId }: PlacingCollectionRef & { postId: string },
): Promise<void> {
  await requireCollection(ctx, { collectionId, creatorId });
  await ctx.db
    .delete(collectionPosts)
    .where(and(eq(collectionPosts.collectionId, collectionId), eq(collectionPosts.postId, postId)));
}

/**
 * Puts a removed post back before `beforeId`. Puts it last when that is null or was removed
 * meanwhile. Safe to repeat. Refuses what `addPosts` refuses.
 */
export async function restorePostPlace(
  ctx: Context,
  {
    collectionId,
    creatorId,
    postId,
    beforeId,
  }: PlacingCollectionRef & { postId: string; beforeId: string | null },
): Promise<void> {
  await requireCollection(ctx, { collectionId, creatorId });
  await refuseOthers(ctx, { creatorId, postIds: [postId] });
  const moved =
    beforeId === null
      ? []
      : [
          movedStatement(ctx, {
            collectionId,
            creatorId,
            postId,
            side: "before",
            anchorId: beforeId,
          }),
        ];
  await placed(ctx, [
    addedStatement(ctx, { collectionId, creatorId, postIds: [postId] }),
    ...moved,
  ]);
}

/**
 * Moves a post just before or just after another. The request is a move and not a whole order, so
 * that two tabs never undo each other's moves. The write itself derives the new order from the
 * stored one. Refuses when either post left the collection.
 */
export async function movePost(
  ctx: Context,
  { collectionId, creatorId, ...move }: PlacingCollectionRef & PostMove,
): Promise<void> {
  await requireCollection(ctx, { collectionId, creatorId });
  const both = await ctx.db
    .select({ postId: collectionPosts.postId })
    .from(collectionPosts)
    .where(
      and(
        eq(collectionPosts.collectionId, collectionId),
        sql`${collectionPosts.postId} IN (${move.postId}, ${move.anchorId})`,
      ),
    );
  if (both.length < (move.postId === move.anchorId ? 1 : 2)) throw new OrderChanged();
  await commit(ctx.db, [movedStatement(ctx, { collectionId, creatorId, ...move })]);
}

const isOwn = ({ collectionId, creatorId }: PlacingCollectionRef): SQL =>
  sql`EXISTS (SELECT 1 FROM collections own WHERE own.id = ${collectionId} AND own.creator_id = ${creatorId} AND own.deleted_at IS NULL)`;

const lastOf = (collectionId: SQL): SQL =>
  sql`COALESCE((SELECT MAX(placed.position) + 1 FROM collection_posts placed WHERE placed.collection_id = ${collectionId}), 0)`;

function addedStatement(
  ctx: Context,
  { collectionId, creatorId, postIds }: PlacingCollectionRef & { postIds: readonly string[] },
): BatchWrite {
  const added = sql`SELECT ${collectionId}, wanted.value, ${lastOf(sql`${collectionId}`)} + wanted.key FROM json_each(${JSON.stringify(postIds)}) wanted
    WHERE ${isOwn({ collectionId, creatorId })} AND EXISTS (SELECT 1 FROM posts p WHERE p.id = wanted.value AND p.author_id = ${creatorId} AND p.deleted_at IS NULL)`;
  return ctx.db.insert(collectionPosts).select(added).onConflictDoNothing();
}

function movedStatement(
  ctx: Context,
  { collectionId, creatorId, postId, side, anchorId }: PlacingCollectionRef & PostMove,
): BatchWrite {
  const ranked = sql`SELECT c.post_id, c.position, ROW_NUMBER() OVER (ORDER BY c.position, c.post_id) * 2 AS rank FROM collection_posts c WHERE c.collection_id = ${collectionId}`;
  const wished = sql`(SELECT r.rank ${sql.raw(side === "before" ? "- 1" : "+ 1")} FROM (${ranked}) r WHERE r.post_id = ${anchorId})`;
  const moved = sql`SELECT r.post_id, ROW_NUMBER() OVER (ORDER BY CASE WHEN r.post_id = ${postId} AND r.post_id <> ${anchorId} THEN COALESCE(${wished}, r.rank) ELSE r.rank END) - 1 AS position FROM (${ranked}) r`;
  return ctx.db
    .update(collectionPosts)
    .set({ position: sql`moved.position` })
    .from(sql`(${moved}) AS moved`)
    .where(
      sql`collection_posts.collection_id = ${collectionId} AND collection_posts.post_id = moved.post_id AND collection_posts.position <> moved.position AND ${isOwn({ collectionId, creatorId })}`,
    );
}

/**
 * Deletes the positions of deleted posts that can no longer be restored, because nobody sees them
 * to remove them.
 */
function forgottenStatement(ctx: Context, { collectionId }: { collectionId: string }): BatchWrite {
  const isOver = sql`EXISTS (SELECT 1 FROM posts p WHERE p.id = ${collectionPosts.postId} AND p.deleted_at <= ${ctx.now() - RESTORABLE_MS})`;
  return ctx.db
    .delete(collectionPosts)
    .where(and(eq(collectionPosts.collectionId, collectionId), isOver));
}

async function refuseOthers(
  ctx: Context,
  { creatorId, postIds }: { creatorId: string; postIds: readonly string[] },
): Promise<void> {
  const [row] = await ctx.db
    .select({
      count:
        sql<number>`(SELECT COUNT(*) FROM json_each(${JSON.stringify(postIds)}) wanted JOIN posts p ON p.id = wanted.value AND p.author_id = ${creatorId} AND p.deleted_at IS NULL)`.as(
          "own_count",
        ),
    })
    .from(sql`(SELECT 1)`);
  if (row?.count !== postIds.length) throw new NotYourPosts();
}

async function placed(ctx: Context, writes: readonly BatchWrite[]): Promise<void> {
  try {
    await commit(ctx.db, writes);
  } catch (error) {
    throw error instanceof RuleViolation && error.rule === "collection_full"
      ? new CollectionFull()
      : error;
  }
}

/** Builds the statement that removes a post from every collection, for the batch that erases it. */
export function removeFromCollectionsStatement(ctx: Context, { postId }: { postId: string }) {
  return ctx.db.delete(collectionPosts).where(eq(collectionPosts.postId, postId));
}
