import { sql } from "drizzle-orm";
import { isBlockedBetween } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Instant } from "#app/domain/time.ts";

export type MessageSnapshot = {
  id: string;
  otherId: string;
  otherName: string;
  body: string;
  hasFile: boolean;
  createdAt: Instant;
  isOwn: boolean;
  isDeleted: boolean;
};

/**
 * Reads what decides the acts on one message; null for an outsider, across a block, and for a
 * message that the person cleared.
 */
export async function messageSnapshot(
  ctx: Context,
  { conversationId, seq, personId }: { conversationId: string; seq: number; personId: string },
): Promise<MessageSnapshot | null> {
  const row = await ctx.db
    .select({
      id: sql<string>`message.id`.as("message_id"),
      otherId: sql<string>`m.other_id`.as("other_person_id"),
      otherName: sql<string>`p.name`.as("other_name"),
      body: sql<string>`message.body`.as("message_body"),
      hasFile: sql<number>`message.media_id IS NOT NULL`.as("has_file"),
      createdAt: sql<number>`message.created_at`.as("message_at"),
      deletedAt: sql<number | null>`message.deleted_at`.as("removed_at"),
      senderId: sql<string>`message.sender_id`.as("message_sender"),
    })
    .from(
      sql`conversation_members m CROSS JOIN messages message ON message.conversation_id = m.conversation_id AND message.seq = ${seq}
      CROSS JOIN profiles p ON p.person_id = m.other_id`,
    )
    .where(
      sql`m.conversation_id = ${conversationId} AND m.person_id = ${personId} AND message.seq > m.cleared_seq AND NOT ${isBlockedBetween(personId, sql`m.other_id`)}`,
    )
    .get();
  if (!row) return null;
  const { deletedAt, senderId, hasFile, ...message } = row;
  return {
    ...message,
    hasFile: hasFile === 1,
    isOwn: senderId === personId,
    isDeleted: deletedAt !== null,
  };
}
