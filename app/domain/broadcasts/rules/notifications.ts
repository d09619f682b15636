import type { BroadcastMessage } from "#app/domain/broadcasts/schema/outbox.ts";
import type { NotificationRenderers } from "#app/domain/outbox.ts";

/** Notifies each recipient of a page. Never shows the message's text. */
export const broadcastNotifications: NotificationRenderers<BroadcastMessage> = {
  "broadcast.delivered": ({ senderId, senderName, recipients }) =>
    recipients.map(({ personId, conversationId }) => ({
      personId,
      kind: "conversation.unread",
      body: `Mensagem nova de ${senderName}.`,
      path: `/messages/${conversationId}`,
      mail: null,
      ...(senderId === undefined ? {} : { fromId: senderId }),
    })),
};
