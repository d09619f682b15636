import { sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { broadcastRecipients, broadcasts } from "#drizzle/schema/broadcasts.ts";

/**
 * Deletes up to `limit` rows of a person: what they received, who received theirs, and then their
 * broadcasts. Returns the number. The messages stay in their conversations.
 */
export async function eraseBroadcasts(
  ctx: Context,
  { personId, limit }: { personId: string; limit: number },
): Promise<number> {
  const own = sql`(SELECT b.id FROM broadcasts b WHERE b.creator_id = ${personId})`;
  const recipients = await ctx.db
    .delete(broadcastRecipients)
    .where(
      sql`rowid IN (SELECT r.rowid FROM broadcast_recipients r WHERE r.person_id = ${personId} OR r.broadcast_id IN ${own} LIMIT ${limit})`,
    )
    .returning({ id: broadcastRecipients.broadcastId });
  if (recipients.length > 0) return recipients.length;
  const deleted = await ctx.db
    .delete(broadcasts)
    .where(
      sql`rowid IN (SELECT b.rowid FROM broadcasts b WHERE b.creator_id = ${personId} LIMIT ${limit})`,
    )
    .returning({ id: broadcasts.id });
  return deleted.length;
}
