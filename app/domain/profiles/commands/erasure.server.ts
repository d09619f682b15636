import { eq, or, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { DELETED_NAME } from "#app/domain/profiles/rules.ts";
import { blocks, follows, mutes, profiles } from "#drizzle/schema/profiles.ts";

/** Erases the name of a profile. The username stays taken, so that nobody can impersonate its owner. */
export function eraseProfileStatement(
  ctx: Context,
  { personId }: { personId: string },
): BatchWrite {
  return ctx.db
    .update(profiles)
    .set({
      name: DELETED_NAME,
      bio: "",
      city: "",
      craft: "",
      category: "",
      avatarMediaId: null,
      bannerMediaId: null,
      links: "[]",
      isAdult: false,
      isCreator: false,
    })
    .where(eq(profiles.personId, personId));
}

/**
 * Deletes up to `limit` follows, blocks and mutes from and to a person each. Returns the number.
 * Triggers move the counters.
 */
export async function eraseConnections(
  ctx: Context,
  { personId, limit }: { personId: string; limit: number },
): Promise<number> {
  const followed = ctx.db
    .delete(follows)
    .where(
      sql`rowid IN (SELECT rowid FROM follows WHERE ${or(eq(follows.followerId, personId), eq(follows.creatorId, personId))} LIMIT ${limit})`,
    );
  const blocked = ctx.db
    .delete(blocks)
    .where(
      sql`rowid IN (SELECT rowid FROM blocks WHERE ${or(eq(blocks.blockerId, personId), eq(blocks.blockedId, personId))} LIMIT ${limit})`,
    );
  const muted = ctx.db
    .delete(mutes)
    .where(
      sql`rowid IN (SELECT rowid FROM mutes WHERE ${or(eq(mutes.muterId, personId), eq(mutes.mutedId, personId))} LIMIT ${limit})`,
    );
  const ended = await ctx.db.batch([
    followed.returning({ id: follows.creatorId }),
    blocked.returning({ id: blocks.blockedId }),
    muted.returning({ id: mutes.mutedId }),
  ]);
  return ended.flat().length;
}
