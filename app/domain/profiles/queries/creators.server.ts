import { and, desc, eq, ne, sql } from "drizzle-orm";
import { isBlockedBetween } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import type { CreatorCategory } from "#app/domain/profiles/rules/categories.ts";
import type { PublicProfile } from "#app/domain/profiles/schema.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import {
  isListableProfile,
  isMutedBy,
  publicColumns,
} from "#app/domain/profiles/queries.server.ts";

export type CreatorListItem = PublicProfile & { isFollowing: boolean };

type CreatorsRequest = {
  viewerId: string | null;
  cursor: string | null;
  limit: number;
  category?: CreatorCategory | null;
};

/** Builds the statement behind `creators`. */
export function creatorsStatement(
  ctx: Context,
  { viewerId, cursor, limit, category = null }: CreatorsRequest,
) {
  const after = decodeCursor(cursor);
  return ctx.db
    .select(creatorListColumns(viewerId))
    .from(profiles)
    .where(
      and(
        // Must match the text of the partial index.
        sql`profiles.is_creator = 1`,
        category === null ? undefined : eq(profiles.category, category),
        isListableProfile(ctx, viewerId),
        viewerId === null ? undefined : ne(profiles.personId, viewerId),
        sql`NOT ${isBlockedBetween(viewerId, sql`profiles.person_id`)}`,
        sql`NOT ${isMutedBy(viewerId)}`,
        after
          ? sql`(profiles.followers_count, profiles.person_id) < (${after.at}, ${after.id})`
          : undefined,
      ),
    )
    .orderBy(desc(profiles.followersCount), desc(profiles.personId))
    .limit(limit + 1);
}

/** The public columns of a profile, and whether `viewerId` follows them. */
export function creatorListColumns(viewerId: string | null) {
  const follows = sql<boolean>`EXISTS (SELECT 1 FROM follows f WHERE f.follower_id = ${viewerId} AND f.creator_id = profiles.person_id)`;
  return {
    ...publicColumns,
    isFollowing: follows.mapWith((value: number) => value === 1).as("is_following"),
  };
}

/**
 * Returns the creators, all or of `category`, most followed first, without those that `viewerId`
 * muted. Keyset by (followers, id).
 */
export async function creators(
  ctx: Context,
  input: CreatorsRequest,
): Promise<Page<CreatorListItem>> {
  return creatorsPage(await creatorsStatement(ctx, input), input.limit);
}

/** Makes a page of the rows of `creatorsStatement`. */
export function creatorsPage(rows: CreatorListItem[], limit: number): Page<CreatorListItem> {
  return pageOf(rows, limit, (row) => ({ at: row.followersCount, id: row.id }));
}
