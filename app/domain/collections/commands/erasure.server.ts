import { eq, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { collectionPosts, collections, postReads } from "#drizzle/schema/collections.ts";

const ofCreator = (creatorId: string) =>
  sql`(SELECT id FROM collections WHERE creator_id = ${creatorId})`;

/**
 * Forgets up to `limit` of what a person read and of the places in their collections; gives how
 * many there were.
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

/** The statements after which a person has no collections, with what was put in them meanwhile. */
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
