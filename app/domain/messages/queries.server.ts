import { sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Instant } from "#app/domain/time.ts";

/** Another person, and the last message between the two. */
export type Conversation = {
  otherId: string;
  otherName: string;
  otherUsername: string;
  otherAvatarMediaId: string | null;
  lastBody: string;
  lastAt: Instant;
  isLastMine: boolean;
};

type ConversationRow = Omit<Conversation, "isLastMine"> & { isLastMine: number };

/** Reads a person's conversations, latest first. Leaves out blocks in either direction. */
export async function conversationsOf(
  ctx: Context,
  { personId, limit }: { personId: string; limit: number },
): Promise<Conversation[]> {
  const rows = await ctx.db.all<ConversationRow>(sql`
    WITH said AS (
      SELECT id, body, created_at, sender_id, CASE WHEN sender_id = ${personId} THEN recipient_id ELSE sender_id END AS other_id
      FROM messages WHERE sender_id = ${personId} OR recipient_id = ${personId}
    ), ranked AS (
      SELECT said.*, ROW_NUMBER() OVER (PARTITION BY other_id ORDER BY created_at DESC, id DESC) AS place FROM said
    )
    SELECT ranked.other_id AS otherId, profiles.name AS otherName, profiles.username AS otherUsername, profiles.avatar_media_id AS otherAvatarMediaId,
      ranked.body AS lastBody, ranked.created_at AS lastAt, ranked.sender_id = ${personId} AS isLastMine
    FROM ranked JOIN profiles ON profiles.person_id = ranked.other_id
    WHERE ranked.place = 1 AND NOT EXISTS (
      SELECT 1 FROM blocks b WHERE (b.blocker_id = ${personId} AND b.blocked_id = ranked.other_id) OR (b.blocker_id = ranked.other_id AND b.blocked_id = ${personId}))
    ORDER BY ranked.created_at DESC LIMIT ${limit}`);
  return rows.map((row) => ({ ...row, isLastMine: row.isLastMine === 1 }));
}
