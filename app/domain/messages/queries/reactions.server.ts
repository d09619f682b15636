import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { MessageReaction } from "#app/domain/messages/schema.ts";

/** A reaction as the database counts it. */
export type ReactionRow = Omit<MessageReaction, "isOwn"> & { isOwn: 0 | 1 };

/**
 * SQL: the reactions to a message as JSON, which `reactionsFrom` reads: how many people gave each,
 * and whether `viewerId` did. The one that was given first is first.
 */
export const reactionsJson = (messageId: SQL, viewerId: string): SQL =>
  sql`CASE WHEN NOT EXISTS (SELECT 1 FROM message_reactions r WHERE r.message_id = ${messageId}) THEN '[]'
    ELSE (SELECT json_group_array(json_object('emoji', given.emoji, 'count', given.people, 'isOwn', given.is_own)) FROM (
    SELECT r.emoji, COUNT(*) AS people, MAX(r.person_id = ${viewerId}) AS is_own FROM message_reactions r WHERE r.message_id = ${messageId}
    GROUP BY r.emoji ORDER BY MIN(r.created_at), r.emoji) given) END`;

/** Reads the JSON of `reactionsJson`. */
export const reactionsFrom = (rows: readonly ReactionRow[]): MessageReaction[] =>
  rows.map(({ isOwn, ...reaction }) => ({ ...reaction, isOwn: isOwn === 1 }));
