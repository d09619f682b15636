import { and, eq } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { dueNotifications } from "#app/domain/messages/queries/notify.server.ts";
import type { ConversationMessage } from "#app/domain/messages/schema/outbox.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { conversationMembers } from "#drizzle/schema/messages.ts";

const AT_ONCE = 100;

/**
 * Announces unread messages that nobody read for 30 s, once a conversation until it is read. A
 * read, a mute and an answer in between cancel it. The notifications worker's cron runs it.
 */
export async function notifyUnread(ctx: Context): Promise<void> {
  for (const due of await dueNotifications(ctx, { limit: AT_ONCE })) {
    const { conversationId, personId, lastSeq, notifyAt, unreadCount } = due;
    const own = and(
      eq(conversationMembers.conversationId, conversationId),
      eq(conversationMembers.personId, personId),
      eq(conversationMembers.notifyAt, notifyAt),
    );
    const id = `conversation:${conversationId}:${personId}:${lastSeq}`;
    const announced = announce<ConversationMessage>(ctx, id, {
      type: "conversation.unread",
      conversationId,
      personId,
      senderId: due.senderId,
      senderName: due.senderName,
      unreadCount,
    });
    try {
      await commit(ctx.db, [
        mustChangeOne(ctx.db.update(conversationMembers).set({ notifyAt: null }).where(own)),
        ...(unreadCount > 0 ? [announced] : []),
      ]);
      if (unreadCount > 0)
        await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id });
    } catch (error) {
      // The person read it meanwhile.
      if (!(error instanceof StaleWrite)) throw error;
    }
  }
}
