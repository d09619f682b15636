import { sql } from "drizzle-orm";
import { isBlockedBetween } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Instant } from "#app/domain/time.ts";

export type DueNotification = {
  conversationId: string;
  personId: string;
  senderId: string;
  senderName: string;
  lastSeq: number;
  notifyAt: Instant;
  /** 0 across a block: then nobody is notified. */
  unreadCount: number;
};

/** Reads up to `limit` conversations whose unread messages are due to be notified of. */
export async function dueNotifications(
  ctx: Context,
  { limit }: { limit: number },
): Promise<DueNotification[]> {
  const blocked = isBlockedBetween(sql`m.person_id`, sql`m.other_id`);
  return await ctx.db.all<DueNotification>(sql`
    SELECT m.conversation_id AS conversationId, m.person_id AS personId, m.other_id AS senderId, p.name AS senderName,
      c.last_seq AS lastSeq, m.notify_at AS notifyAt, CASE WHEN ${blocked} THEN 0 ELSE m.unread_count END AS unreadCount
    FROM conversation_members m CROSS JOIN conversations c ON c.id = m.conversation_id CROSS JOIN profiles p ON p.person_id = m.other_id
    WHERE m.notify_at IS NOT NULL AND m.notify_at <= ${ctx.now()} ORDER BY m.notify_at LIMIT ${limit}`);
}
