import type { ConversationMessage } from "#app/domain/messages/schema/outbox.ts";
import type { NotificationRenderers } from "#app/domain/outbox.ts";
import { counted } from "#app/domain/text.ts";

/** Notifies a person once of all unread messages of one conversation. Never shows their text. */
export const conversationNotifications: NotificationRenderers<ConversationMessage> = {
  "conversation.unread": ({ personId, conversationId, senderId, senderName, unreadCount }) => [
    {
      personId,
      kind: "conversation.unread",
      body: `${counted(unreadCount, "mensagem nova", "mensagens novas")} de ${senderName}.`,
      path: `/messages/${conversationId}`,
      mail: null,
      fromId: senderId,
    },
  ],
};
