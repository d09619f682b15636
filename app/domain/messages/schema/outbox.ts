import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";

export const conversationMessages = {
  /** Messages of one conversation were not read for a while. */
  "conversation.unread": z.object({
    conversationId: z.string(),
    personId: z.string(),
    senderId: z.string(),
    senderName: z.string(),
    unreadCount: z.number(),
  }),
};

export type ConversationMessage = MessageOf<typeof conversationMessages>;
