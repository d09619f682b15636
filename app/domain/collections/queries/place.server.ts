import { and, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { collectionListableTo } from "#app/domain/access/sql.server.ts";
import type { HoldingCollection, PlaceInCollection } from "#app/domain/collections/schema.ts";
import type { Context } from "#app/domain/context.ts";
import { isPublishedPost } from "#app/domain/collections/queries.server.ts";
import { canSellSql } from "#app/domain/documents/queries.server.ts";
import type { Cents } from "#app/domain/money.ts";
import { collectionPosts, collections } from "#drizzle/schema/collections.ts";

const PLACES_SHOWN = 3;

type Place = { postId: string; viewerId: string | null; collectionId: string | null };

/**
 * Builds the statement that reads a post's position in the collections that `viewerId` can know of,
 * for the page's batch. `collectionId`, in which it is read, comes first. Only published posts
 * count.
 */
export function placesStatement(ctx: Context, { postId, viewerId, collectionId }: Place) {
  // Counting costs as many rows as the collection has, so only the collection that is read is
  // counted.
  const whereRead = (value: SQL) =>
    sql`CASE WHEN collections.id = ${collectionId} THEN ${value} END`;
  const inside = sql`FROM collection_posts c JOIN posts ON posts.id = c.post_id WHERE c.collection_id = collections.id AND ${isPublishedPost}`;
  const here = sql`(collection_posts.position, collection_posts.post_id)`;
  const neighbour = (comparison: SQL, order: SQL) =>
    sql`(SELECT json_object('id', posts.id, 'title', posts.title) ${inside} AND (c.position, c.post_id) ${comparison} ${here} ORDER BY c.position ${order}, c.post_id ${order} LIMIT 1)`;
  return ctx.db
    .select({
      collectionId: sql<string>`collections.id`.as("place_collection_id"),
      title: sql<string>`collections.title`.as("place_title"),
      priceCents:
        sql<Cents | null>`CASE WHEN ${canSellSql(sql`collections.creator_id`, ctx.now())} THEN collections.price_cents END`.as(
          "sale_cents",
        ),
      number: sql<
        number | null
      >`${whereRead(sql`(SELECT COUNT(*) ${inside} AND (c.position, c.post_id) <= ${here})`)}`.as(
        "place_number",
      ),
      total: sql<number | null>`${whereRead(sql`(SELECT COUNT(*) ${inside})`)}`.as("place_total"),
      isRead:
        sql<number>`EXISTS (SELECT 1 FROM post_reads r WHERE r.person_id = ${viewerId} AND r.post_id = ${postId})`.as(
          "place_is_read",
        ),
      previous: sql<string | null>`${whereRead(neighbour(sql`<`, sql`DESC`))}`.as("place_previous"),
      next: sql<string | null>`${whereRead(neighbour(sql`>`, sql`ASC`))}`.as("place_next"),
    })
    .from(collectionPosts)
    .innerJoin(collections, eq(collections.id, collectionPosts.collectionId))
    .where(
      and(
        eq(collectionPosts.postId, postId),
        collectionListableTo(viewerId, ctx.now(), ctx.settings.adultSpaces),
        sql`EXISTS (SELECT 1 FROM posts WHERE posts.id = ${postId} AND ${isPublishedPost})`,
      ),
    )
    .orderBy(sql`collections.id = ${collectionId} DESC`, collections.createdAt, collections.id)
    .limit(PLACES_SHOWN);
}

export type PlaceRow = Awaited<ReturnType<typeof placesStatement>>[number];

/**
 * Maps the rows of `placesStatement` to the collections, and the position in the one that is read;
 * null outside of any.
 */
export function placesFromRows(
  rows: PlaceRow[],
  collectionId: string | null,
): { places: HoldingCollection[]; readIn: PlaceInCollection | null } {
  const neighbour = (text: string | null): PlaceInCollection["next"] =>
    text === null ? null : JSON.parse(text);
  const places = rows.map((row) => ({
    collectionId: row.collectionId,
    title: row.title,
    priceCents: row.priceCents,
  }));
  const [here] = rows.filter((row) => row.collectionId === collectionId);
  if (!here || here.number === null || here.total === null) return { places, readIn: null };
  const { title, priceCents, number, total, isRead, previous, next } = here;
  return {
    places,
    readIn: {
      collectionId: here.collectionId,
      title,
      priceCents,
      number,
      total,
      isRead: isRead === 1,
      previous: neighbour(previous),
      next: neighbour(next),
    },
  };
}
