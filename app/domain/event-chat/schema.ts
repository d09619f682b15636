import { z } from "zod";
import { CHAT_TEXT_MAX } from "#app/domain/event-chat/rules.ts";
import { cleanMessageText } from "#app/domain/messages/rules.ts";
import { clientMessageIdSchema } from "#app/domain/messages/schema.ts";
import type { Message } from "#app/domain/messages/schema.ts";

/** The form "Mensagem" of a chat. */
export const chatMessageSchema = z.object({
  text: z
    .string({ error: "Escreva a sua mensagem." })
    .transform(cleanMessageText)
    .pipe(
      z
        .string()
        .min(1, "Escreva a sua mensagem.")
        .max(CHAT_TEXT_MAX, `Use até ${CHAT_TEXT_MAX} caracteres.`),
    ),
  clientMessageId: clientMessageIdSchema,
});

/** A message that an open page sends in place. `account` is who wrote it. */
export const sentChatMessageSchema = chatMessageSchema.extend({ account: z.string().max(64) });

/** Who wrote a message: `host` is the event's page, `team` somebody who runs the event with it. */
export type ChatRole = "host" | "team" | "guest";

/** A message of a chat, as one person sees it. */
export type ChatMessage = Pick<
  Message,
  "id" | "seq" | "revision" | "text" | "isOwn" | "clientMessageId" | "createdAt" | "isDeleted"
> & {
  sender: { name: string; username: string; role: ChatRole };
};
