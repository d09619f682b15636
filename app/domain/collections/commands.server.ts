import { quoted } from "#app/domain/text.ts";
import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import {
  CollectionNotFound,
  CollectionSold,
  TooLateToRestoreCollection,
  TooManyCollections,
} from "./errors.ts";
import { editableCollection } from "#app/domain/collections/queries/studio.server.ts";
import type { EditableCollection } from "#app/domain/collections/queries/studio.server.ts";
import { COLLECTIONS_MAX } from "./schema.ts";
import type { Context } from "#app/domain/context.ts";
import { rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import type { RateLimit } from "#app/domain/rate-limits/schema.ts";
import { coverStatements, preparedCover } from "#app/domain/media/commands/covers.server.ts";
import type { CoverInput } from "#app/domain/media/commands/covers.server.ts";
import type { Cents } from "#app/domain/money.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import { NotACreator } from "#app/domain/posts/errors.ts";
import { RESTORABLE_MS } from "#app/domain/posts/rules/composing.ts";
import { profileOfPerson } from "#app/domain/profiles/queries.server.ts";
import { buyersSummary } from "#app/domain/purchases/queries.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { collections } from "#drizzle/schema/collections.ts";

export type CollectionInput = {
  title: string;
  description: string;
  /** Null when the collection is not sold as a whole. */
  priceCents: Cents | null;
} & CoverInput;

type CreatorCollectionRef = { collectionId: string; creatorId: string };

/** Twice a page's limit. More creations and deletions within a day come from a machine. */
const CREATIONS: readonly RateLimit[] = [{ windowMs: DAY_MS, limit: 2 * COLLECTIONS_MAX }];

/**
 * Creates an empty collection and returns its id. Refuses creators without a page, more than 100
 * collections of a page, and an invalid cover.
 */
export async function createCollection(
  ctx: Context,
  { creatorId, ...input }: CollectionInput & { creatorId: string },
): Promise<{ collectionId: string }> {
  const creator = await profileOfPerson(ctx, { personId: creatorId });
  if (!creator?.isCreator) throw new NotACreator();
  const collectionId = ctx.newId();
  const prepared = await preparedCover(ctx, coverOf(creatorId, input));
  const { title, description, priceCents } = input;
  const living = sql`(SELECT COUNT(*) FROM collections made WHERE made.creator_id = ${creatorId} AND made.deleted_at IS NULL)`;
  const made = sql`SELECT ${collectionId}, ${creatorId}, ${title}, ${description}, CAST(${priceCents} AS INTEGER), NULL, 0, CAST(${ctx.now()} AS INTEGER), NULL, NULL WHERE ${living} < ${COLLECTIONS_MAX}`;
  try {
    await commit(ctx.db, [
      ...rateLimitStatements(ctx, {
        act: "collection.create",
        personId: creatorId,
        limits: CREATIONS,
      }),
      mustChangeOne(ctx.db.insert(collections).select(made)),
      ...coverStatements(ctx, {
        ...coverOf(creatorId, input),
        removesCover: false,
        prepared,
        currentMediaId: null,
        shown: (mediaId) => wornStatement(ctx, { collectionId, creatorId, mediaId }),
      }),
    ]);
  } catch (error) {
    throw error instanceof StaleWrite ? new TooManyCollections() : error;
  }
  return { collectionId };
}

/**
 * Changes a collection's texts, price and cover. Refuses collections of others, deleted ones, and
 * an invalid cover.
 */
export async function updateCollection(
  ctx: Context,
  { collectionId, creatorId, ...input }: CollectionInput & CreatorCollectionRef,
): Promise<void> {
  const collection = await requireCollection(ctx, { collectionId, creatorId });
  const prepared = await preparedCover(ctx, coverOf(creatorId, input));
  const { title, description, priceCents } = input;
  await commit(ctx.db, [
    mustChangeOne(
      ctx.db
        .update(collections)
        .set({ title, description, priceCents })
        .where(isLiving({ collectionId, creatorId })),
    ),
    ...coverStatements(ctx, {
      ...coverOf(creatorId, input),
      prepared,
      currentMediaId: collection.coverMediaId,
      shown: (mediaId) => wornStatement(ctx, { collectionId, creatorId, mediaId }),
    }),
  ]);
}

/**
 * Deletes a collection for everyone. Its posts stay, and it can be restored for thirty days.
 * Refuses a collection that somebody purchased, checked in the write itself. Safe to repeat.
 */
export async function deleteCollection(
  ctx: Context,
  { collectionId, creatorId }: CreatorCollectionRef,
): Promise<void> {
  await retryOnConflict(async () => {
    const collection = await editableCollection(ctx, { collectionId, creatorId });
    if (!collection) throw new CollectionNotFound();
    if (collection.deletedAt !== null) return;
    const { count } = await buyersSummary(ctx, { kind: "collection", targetId: collectionId });
    if (count > 0) throw new CollectionSold();
    const isSold = sql`EXISTS (SELECT 1 FROM purchases p WHERE p.target_id = ${collectionId} AND p.kind = 'collection' AND p.bought_at IS NOT NULL AND p.ended_at IS NULL)`;
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(collections)
          .set({ deletedAt: ctx.now() })
          .where(and(isLiving({ collectionId, creatorId }), sql`NOT ${isSold}`)),
      ),
    ]);
  });
}

/**
 * Restores a deleted collection. Refuses one deleted more than thirty days ago, and the 101st. Safe
 * to repeat.
 */
export async function restoreCollection(
  ctx: Context,
  { collectionId, creatorId }: CreatorCollectionRef,
): Promise<void> {
  const collection = await editableCollection(ctx, { collectionId, creatorId });
  if (!collection) throw new CollectionNotFound();
  if (collection.deletedAt === null) return;
  const earliest = ctx.now() - RESTORABLE_MS;
  if (collection.deletedAt <= earliest) throw new TooLateToRestoreCollection();
  const living = sql`(SELECT COUNT(*) FROM collections made WHERE made.creator_id = ${creatorId} AND made.deleted_at IS NULL)`;
  const mayReturn = and(
    eq(collections.id, collectionId),
    eq(collections.creatorId, creatorId),
    gt(collections.deletedAt, earliest),
    sql`${living} < ${COLLECTIONS_MAX}`,
  );
  try {
    await commit(ctx.db, [
      mustChangeOne(ctx.db.update(collections).set({ deletedAt: null }).where(mayReturn)),
    ]);
  } catch (error) {
    throw error instanceof StaleWrite ? new TooManyCollections() : error;
  }
}

/**
 * Builds the statement that holds a collection, for the batch of the moderation decision. Only its
 * creator's page and moderators see a held collection.
 */
export function holdCollectionStatement(
  ctx: Context,
  { collectionId }: { collectionId: string },
): BatchWrite {
  return mustChangeOne(
    ctx.db
      .update(collections)
      .set({ heldAt: ctx.now() })
      .where(
        and(
          eq(collections.id, collectionId),
          isNull(collections.heldAt),
          isNull(collections.deletedAt),
        ),
      ),
  );
}

/** Reads a collection of `creatorId` that is not deleted, or throws. */
export async function requireCollection(
  ctx: Context,
  own: CreatorCollectionRef,
): Promise<EditableCollection> {
  const collection = await editableCollection(ctx, own);
  if (!collection || collection.deletedAt !== null) throw new CollectionNotFound();
  return collection;
}

const isLiving = ({ collectionId, creatorId }: CreatorCollectionRef) =>
  and(
    eq(collections.id, collectionId),
    eq(collections.creatorId, creatorId),
    isNull(collections.deletedAt),
  );

/** The cover of a collection's form. Its default description names the collection. */
const coverOf = (ownerId: string, { cover, coverAlt, removesCover, title }: CollectionInput) => ({
  ownerId,
  cover,
  coverAlt,
  removesCover,
  defaultAlt: `Capa da coleção ${quoted(title)}`,
});

/** Sets the cover after the image's row exists, so that the trigger clears its unused mark. */
function wornStatement(
  ctx: Context,
  { collectionId, creatorId, mediaId }: CreatorCollectionRef & { mediaId: string | null },
): BatchWrite {
  return mustChangeOne(
    ctx.db
      .update(collections)
      .set({ coverMediaId: mediaId })
      .where(isLiving({ collectionId, creatorId })),
  );
}
