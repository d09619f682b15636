import { z } from "zod";
import { CHAT_TEXT_MAX } from "./rules.ts";
import { cleanMessageText } from "#app/domain/messages/rules.ts";
import { clientMessageIdSchema, seqSchema } from "#app/domain/messages/schema.ts";
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
  replyTo: seqSchema.optional(),
});

/** The form "Editar mensagem" of a chat. */
export const chatEditSchema = chatMessageSchema.pick({ text: true });

/** A message that an open page sends in place. `account` is who wrote it. */
export const sentChatMessageSchema = chatMessageSchema.extend({
  account: z.string().max(64),
  replyTo: z.int().positive().max(999_999_999).optional(),
});

/** Who wrote a message: `host` is the event's page, `team` somebody who runs the event with it. */
export type ChatRole = "host" | "team" | "guest";

/** A message of a chat, as one person sees it. */
export type ChatMessage = Pick<
  Message,
  | "id"
  | "seq"
  | "revision"
  | "text"
  | "isOwn"
  | "clientMessageId"
  | "createdAt"
  | "isEdited"
  | "isDeleted"
  | "reactions"
> & {
  /** Null without an answered message, and where it is hidden from the person. */
  replyTo: (NonNullable<Message["replyTo"]> & { name: string }) | null;
  sender: { name: string; username: string; role: ChatRole };
};
