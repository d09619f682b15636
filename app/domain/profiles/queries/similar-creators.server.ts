import { and, ne, sql } from "drizzle-orm";
import { isBlockedBetween, personIdByKey, subscribesTo } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { isListableProfile, isMutedBy } from "#app/domain/profiles/queries.server.ts";
import { creatorListColumns } from "./creators.server.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

/** The latest followers whose other follows count, and how many follows of theirs at most. */
const FOLLOWERS_READ = 100;
const FOLLOWS_READ = 2_000;
/** The most followed creators of the same category. */
const OF_CATEGORY_READ = 40;

/**
 * Builds the statement that reads creators similar to `creatorKey` (a username or an id) whom
 * `viewerId` neither follows, subscribes to nor muted. First those whom the same people follow, by
 * how many of them, then the most followed of the same category. Reads a bounded number of index
 * rows.
 */
export function similarCreatorsStatement(
  ctx: Context,
  { creatorKey, viewerId, limit }: { creatorKey: string; viewerId: string; limit: number },
) {
  const creatorId = personIdByKey(creatorKey);
  const followers = sql`SELECT fan.follower_id AS fan_id FROM follows fan WHERE fan.creator_id = ${creatorId} ORDER BY fan.created_at DESC LIMIT ${FOLLOWERS_READ}`;
  const shared = sql`SELECT other.creator_id AS found_id, 1 AS shared FROM (${followers}) CROSS JOIN follows other ON other.follower_id = fan_id LIMIT ${FOLLOWS_READ}`;
  const category = sql`(SELECT own.category FROM profiles own WHERE own.person_id = ${creatorId} AND own.category <> '')`;
  const similar = sql`SELECT similar.person_id AS found_id, 0 AS shared FROM profiles similar WHERE similar.is_creator = 1 AND similar.category = ${category} ORDER BY similar.followers_count DESC, similar.person_id DESC LIMIT ${OF_CATEGORY_READ}`;
  const found = sql`SELECT found_id, SUM(shared) AS shared FROM (SELECT * FROM (${shared}) UNION ALL SELECT * FROM (${similar})) GROUP BY found_id`;
  return (
    ctx.db
      .select(creatorListColumns(viewerId))
      .from(sql`(${found}) found`)
      // Keeps this order: each found creator is looked up, instead of all being read.
      .crossJoin(profiles)
      .where(
        and(
          sql`profiles.person_id = found.found_id`,
          sql`profiles.is_creator = 1`,
          ne(profiles.personId, viewerId),
          sql`profiles.person_id <> ${creatorId}`,
          isListableProfile(ctx, viewerId),
          sql`NOT ${isBlockedBetween(viewerId, sql`profiles.person_id`)}`,
          sql`NOT ${isMutedBy(viewerId)}`,
          sql`NOT EXISTS (SELECT 1 FROM follows f WHERE f.follower_id = ${viewerId} AND f.creator_id = profiles.person_id)`,
          sql`NOT ${subscribesTo(viewerId, sql`profiles.person_id`, ctx.now())}`,
        ),
      )
      .orderBy(
        sql`found.shared DESC`,
        sql`profiles.followers_count DESC`,
        sql`profiles.person_id DESC`,
      )
      .limit(limit)
  );
}
