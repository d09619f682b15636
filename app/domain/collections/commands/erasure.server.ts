import { eq, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { collectionPosts, collections, postReads } from "#drizzle/schema/collections.ts";

const ofCreator = (creatorId: string) =>
  sql`(SELECT id FROM collections WHERE creator_id = ${creatorId})`;

/**
 * Deletes up to `limit` of a person's read marks and collection positions. Returns the number of
 * rows.
 */
export async function eraseReadingData(
  ctx: Context,
  { personId, limit }: { personId: string; limit: number },
): Promise<number> {
  const [reads, places] = await ctx.db.batch([
    ctx.db
      .delete(postReads)
      .where(
        sql`rowid IN (SELECT rowid FROM post_reads WHERE person_id = ${personId} LIMIT ${limit})`,
      )
      .returning({ postId: postReads.postId }),
    ctx.db
      .delete(collectionPosts)
      .where(
        sql`rowid IN (SELECT rowid FROM collection_posts WHERE collection_id IN ${ofCreator(personId)} LIMIT ${limit})`,
      )
      .returning({ postId: collectionPosts.postId }),
  ]);
  return reads.length + places.length;
}

/** Builds the statements that delete a person's collections, with posts added meanwhile. */
export function eraseCollectionsStatements(
  ctx: Context,
  { creatorId }: { creatorId: string },
): BatchWrite[] {
  return [
    ctx.db
      .delete(collectionPosts)
      .where(sql`${collectionPosts.collectionId} IN ${ofCreator(creatorId)}`),
    ctx.db.delete(collections).where(eq(collections.creatorId, creatorId)),
  ];
}
