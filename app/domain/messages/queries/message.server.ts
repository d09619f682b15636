import { sql } from "drizzle-orm";
import { isBlockedBetween, isMessageBought } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { filesFrom, filesJson } from "./files.server.ts";
import { CONVERSATION_PAGE } from "#app/domain/messages/rules.ts";
import type { MessageFile } from "#app/domain/messages/schema.ts";
import type { Instant } from "#app/domain/time.ts";

export type MessageSnapshot = {
  id: string;
  otherId: string;
  otherName: string;
  body: string;
  hasFile: boolean;
  createdAt: Instant;
  /** It announces a tip: nobody wrote it, so nobody edits or deletes it. */
  isTip: boolean;
  /** Its file was bought, and is not refunded. */
  isBought: boolean;
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
      hasFile: sql<number>`message.files_id IS NOT NULL`.as("has_file"),
      isTip: sql<number>`message.tip_cents IS NOT NULL`.as("is_tip"),
      isBought:
        sql<number>`CASE WHEN message.price_cents IS NULL THEN 0 ELSE EXISTS (SELECT 1 FROM purchases bought WHERE bought.target_id = message.id AND bought.kind = 'message' AND bought.bought_at IS NOT NULL AND bought.ended_at IS NULL) END`.as(
          "is_bought",
        ),
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
  const { deletedAt, senderId, hasFile, isTip, isBought, ...message } = row;
  return {
    ...message,
    hasFile: hasFile === 1,
    isTip: isTip === 1,
    isBought: isBought === 1,
    isOwn: senderId === personId,
    isDeleted: deletedAt !== null,
  };
}

/**
 * Finds where a message is, by its id, for one of the two people; null for everybody else.
 * `isRecent` is true where the first page of the conversation shows it.
 */
export async function messagePlace(
  ctx: Context,
  { messageId, personId }: { messageId: string; personId: string },
): Promise<{ conversationId: string; seq: number; isRecent: boolean } | null> {
  const row = await ctx.db
    .select({
      conversationId: sql<string>`m.conversation_id`.as("place_conversation"),
      seq: sql<number>`message.seq`.as("place_seq"),
      after: sql<number>`c.last_seq - message.seq`.as("place_after"),
    })
    .from(
      sql`messages message CROSS JOIN conversation_members m ON m.conversation_id = message.conversation_id CROSS JOIN conversations c ON c.id = m.conversation_id`,
    )
    .where(
      sql`message.id = ${messageId} AND m.person_id = ${personId} AND message.seq > m.cleared_seq AND NOT ${isBlockedBetween(personId, sql`m.other_id`)}`,
    )
    .get();
  return row
    ? { conversationId: row.conversationId, seq: row.seq, isRecent: row.after < CONVERSATION_PAGE }
    : null;
}

export type BoughtMessage = { senderName: string; text: string; files: MessageFile[] };

type BoughtRow = Omit<BoughtMessage, "files"> & Parameters<typeof filesFrom>[0];

/**
 * Reads a message whose files a person bought and holds, also across a block; null for everybody
 * else, and once it was deleted or refunded.
 */
export async function boughtMessage(
  ctx: Context,
  { messageId, personId }: { messageId: string; personId: string },
): Promise<BoughtMessage | null> {
  const found = await ctx.db
    .select({
      row: sql<BoughtRow>`json_object('senderName', p.name, 'text', message.body, 'files', json(${filesJson(sql`message.files_id`)}),
        'isSensitive', message.is_sensitive, 'recording', json(message.recording))`
        .mapWith((text: string): BoughtRow => JSON.parse(text))
        .as("bought_message"),
    })
    .from(sql`messages message CROSS JOIN profiles p ON p.person_id = message.sender_id`)
    .where(
      sql`message.id = ${messageId} AND message.deleted_at IS NULL AND message.files_id IS NOT NULL AND ${isMessageBought(sql`message.id`, sql`${personId}`)}`,
    )
    .get();
  if (!found) return null;
  const { senderName, text } = found.row;
  return { senderName, text, files: filesFrom(found.row) };
}
