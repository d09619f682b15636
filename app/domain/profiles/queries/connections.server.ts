import { and, desc, eq, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import { blocks, follows, mutes, profiles } from "#drizzle/schema/profiles.ts";

/** A person whom somebody follows or blocked, and since when. */
export type ConnectionRow = {
  id: string;
  username: string;
  name: string;
  craft: string;
  avatarMediaId: string | null;
  since: number;
};

const connectionColumns = {
  id: profiles.personId,
  username: profiles.username,
  name: profiles.name,
  craft: profiles.craft,
  avatarMediaId: profiles.avatarMediaId,
};

type Connections = { personId: string; cursor: string | null; limit: number };

/** Returns whom a person follows, the latest first. */
export async function followedPeople(
  ctx: Context,
  { personId, cursor, limit }: Connections,
): Promise<Page<ConnectionRow>> {
  const after = decodeCursor(cursor);
  const rows = await ctx.db
    .select({ ...connectionColumns, since: sql<number>`follows.created_at`.as("since") })
    .from(follows)
    .innerJoin(profiles, eq(profiles.personId, follows.creatorId))
    .where(
      and(
        eq(follows.followerId, personId),
        after
          ? sql`(follows.created_at, follows.creator_id) < (${after.at}, ${after.id})`
          : undefined,
      ),
    )
    .orderBy(desc(follows.createdAt), desc(follows.creatorId))
    .limit(limit + 1);
  return pageOf(rows, limit, (row) => ({ at: row.since, id: row.id }));
}

/** Returns whom a person blocked, the latest first. */
export async function blockedPeople(
  ctx: Context,
  { personId, cursor, limit }: Connections,
): Promise<Page<ConnectionRow>> {
  const after = decodeCursor(cursor);
  const rows = await ctx.db
    .select({ ...connectionColumns, since: sql<number>`blocks.created_at`.as("since") })
    .from(blocks)
    .innerJoin(profiles, eq(profiles.personId, blocks.blockedId))
    .where(
      and(
        eq(blocks.blockerId, personId),
        after
          ? sql`(blocks.created_at, blocks.blocked_id) < (${after.at}, ${after.id})`
          : undefined,
      ),
    )
    .orderBy(desc(blocks.createdAt), desc(blocks.blockedId))
    .limit(limit + 1);
  return pageOf(rows, limit, (row) => ({ at: row.since, id: row.id }));
}

/** Returns whom a person muted, the latest first. */
export async function mutedPeople(
  ctx: Context,
  { personId, cursor, limit }: Connections,
): Promise<Page<ConnectionRow>> {
  const after = decodeCursor(cursor);
  const rows = await ctx.db
    .select({ ...connectionColumns, since: sql<number>`mutes.created_at`.as("since") })
    .from(mutes)
    .innerJoin(profiles, eq(profiles.personId, mutes.mutedId))
    .where(
      and(
        eq(mutes.muterId, personId),
        after ? sql`(mutes.created_at, mutes.muted_id) < (${after.at}, ${after.id})` : undefined,
      ),
    )
    .orderBy(desc(mutes.createdAt), desc(mutes.mutedId))
    .limit(limit + 1);
  return pageOf(rows, limit, (row) => ({ at: row.since, id: row.id }));
}
