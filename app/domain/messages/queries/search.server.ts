import { sql } from "drizzle-orm";
import { isBlockedBetween } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Instant } from "#app/domain/time.ts";
import { fullTextQuery, searchTerms } from "#app/lib/full-text.ts";

/** A message that a search found. */
export type FoundMessage = {
  conversationId: string;
  seq: number;
  text: string;
  createdAt: Instant;
  isOwn: boolean;
  otherName: string;
  otherAvatarMediaId: string | null;
};

type FoundRow = Omit<FoundMessage, "isOwn"> & { senderId: string };

/**
 * Builds the statement that finds messages of a person's own conversations, newest first. Accents
 * and capitals do not count, and the last word may be incomplete. The index holds the two people of
 * each message, so that only rows of this person are read. Leaves out blocks in either direction,
 * refused requests, and what the person cleared. The index gives its rows in the order of the
 * answer, so that reading ends with the limit. No rows without a word. With `conversationId`, of
 * that conversation only.
 */
export function searchStatement(
  ctx: Context,
  {
    personId,
    query,
    limit,
    conversationId,
  }: { personId: string; query: string; limit: number; conversationId?: string },
) {
  const terms = fullTextQuery(searchTerms(query));
  const match = terms === null ? '""' : `members : "${personId}" AND body : (${terms})`;
  return ctx.db
    .select({
      row: sql<FoundRow>`json_object('conversationId', message.conversation_id, 'seq', message.seq, 'text', message.body, 'createdAt', message.created_at,
        'senderId', message.sender_id, 'otherName', p.name, 'otherAvatarMediaId', p.avatar_media_id)`
        .mapWith((text: string): FoundRow => JSON.parse(text))
        .as("found_row"),
    })
    .from(
      sql`message_search found
      CROSS JOIN searchable_messages s ON s.seq = found.rowid
      CROSS JOIN messages message ON message.id = s.message_id
      CROSS JOIN conversation_members m ON m.conversation_id = message.conversation_id AND m.person_id = ${personId}
      CROSS JOIN profiles p ON p.person_id = m.other_id`,
    )
    .where(
      sql`message_search MATCH ${match} AND message.deleted_at IS NULL AND message.seq > m.cleared_seq AND m.box <> 'refused' AND ${conversationId === undefined ? sql`1` : sql`message.conversation_id = ${conversationId}`} AND NOT ${isBlockedBetween(personId, sql`m.other_id`)}`,
    )
    .orderBy(sql`found.rowid DESC`)
    .limit(limit);
}

/** Maps rows of `searchStatement` to messages as `personId` sees them. */
export function foundMessages(
  rows: Awaited<ReturnType<typeof searchStatement>>,
  personId: string,
): FoundMessage[] {
  return rows.map(({ row: { senderId, ...message } }) => ({
    ...message,
    isOwn: senderId === personId,
  }));
}
