import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";

export const broadcastMessages = {
  /** One page of a broadcast was delivered to these people. */
  "broadcast.delivered": z.object({
    /** Missing in older messages. */
    senderId: z.string().optional(),
    senderName: z.string(),
    recipients: z.array(z.object({ personId: z.string(), conversationId: z.string() })),
  }),
};

export type BroadcastMessage = MessageOf<typeof broadcastMessages>;
