import { eq, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import {
  conversationMembers,
  messageReactions,
  messageSettings,
} from "#drizzle/schema/messages.ts";

/**
 * Deletes up to `limit` reactions of a person. Returns the number. Their messages stay in the
 * conversation without their name.
 */
export async function eraseMessageReactions(
  ctx: Context,
  { personId, limit }: { personId: string; limit: number },
): Promise<number> {
  const taken = ctx.db
    .delete(messageReactions)
    .where(
      sql`rowid IN (SELECT rowid FROM message_reactions WHERE person_id = ${personId} LIMIT ${limit})`,
    );
  return (await taken.returning({ id: messageReactions.messageId })).length;
}

/**
 * Takes up to `limit` conversations of a person from the other side of each of their blocks, in
 * either direction, before the blocks are deleted: only the block hid them. Returns the number. The
 * messages stay for what was reported of them.
 */
export async function removeBlockedConversations(
  ctx: Context,
  { personId, limit }: { personId: string; limit: number },
): Promise<number> {
  const removed = ctx.db.delete(conversationMembers).where(
    sql`(${conversationMembers.conversationId}, ${conversationMembers.personId}) IN (
        SELECT m.conversation_id, m.person_id FROM blocks b
        CROSS JOIN conversations c ON c.low_id = MIN(b.blocker_id, b.blocked_id) AND c.high_id = MAX(b.blocker_id, b.blocked_id)
        CROSS JOIN conversation_members m ON m.conversation_id = c.id AND m.other_id = ${personId}
        WHERE (b.blocked_id = ${personId} OR b.blocker_id = ${personId}) LIMIT ${limit})`,
  );
  return (await removed.returning({ id: conversationMembers.conversationId })).length;
}

/** Builds the statement that erases a person's choice of who may write to them. */
export function eraseMessageSettingsStatement(ctx: Context, { personId }: { personId: string }) {
  return ctx.db.delete(messageSettings).where(eq(messageSettings.personId, personId));
}
