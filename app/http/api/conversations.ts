import { z } from "zod";
import { mediaUrl } from "#app/domain/media/rules.ts";
import type { ConversationItem, Message } from "#app/domain/messages/schema.ts";
import { LIST_FILTERS } from "#app/domain/messages/schema.ts";

/** The schemas of `/api/v1/conversations`. */

const apiConversationSchema = z.object({
  id: z.string(),
  user: z.object({ id: z.string(), name: z.string(), username: z.string() }),
  lastText: z.string().nullable().describe("The last message; null when it was deleted."),
  lastAt: z.iso.datetime(),
  unreadCount: z.int().min(0),
});

export const conversationListSchema = z.object({
  items: z.array(apiConversationSchema),
  next: z.string().nullable().describe("The `cursor` of the next page; null at the end."),
});
export type ConversationListAnswer = z.infer<typeof conversationListSchema>;

const apiStoredMessageSchema = z.object({
  seq: z.int().min(1).describe("1 to n in the conversation, without gaps."),
  text: z.string().describe("Empty when it was deleted."),
  fileKind: z
    .enum(["image", "video", "audio", "document"])
    .nullable()
    .describe("What kind of file the message has, the first of several; null without one."),
  fileKinds: z
    .array(z.enum(["image", "video", "audio", "document"]))
    .describe("The kinds of all its files, in their order."),
  files: z
    .array(
      z.object({
        id: z.string(),
        kind: z.enum(["image", "video", "audio", "document"]),
        alt: z.string(),
        filename: z.string().describe("Empty for images."),
        sizeBytes: z.int(),
        url: z.string().describe("Readable with a session of the same person."),
      }),
    )
    .describe("Its files in their order; empty while they are for sale and not bought."),
  priceCents: z
    .int()
    .nullable()
    .describe("What its files cost the recipient; null for files that are not sold."),
  isLocked: z
    .boolean()
    .describe("Its files are for sale, and the token's person does not have them yet."),
  isBought: z
    .boolean()
    .nullable()
    .describe("Whether the recipient bought its files; null for files that are not sold."),
  tipCents: z
    .int()
    .nullable()
    .describe("The tip that this line announces; null for a written message."),
  isOwn: z.boolean(),
  isEdited: z.boolean(),
  isDeleted: z.boolean(),
  replyTo: z.int().nullable().describe("The seq of the message that it answers."),
  createdAt: z.iso.datetime(),
});

export const messageListSchema = z.object({
  items: z.array(apiStoredMessageSchema).describe("Oldest first."),
});
export type MessageListAnswer = z.infer<typeof messageListSchema>;

export const sentMessageAnswerSchema = z.object({ conversationId: z.string(), seq: z.int() });
export type SentMessageAnswer = z.infer<typeof sentMessageAnswerSchema>;

export const storedFileSchema = z.object({
  id: z.string().describe("For `files` of a message. Without one, it is deleted after a week."),
});
export type StoredFileAnswer = z.infer<typeof storedFileSchema>;

const CONVERSATIONS_PAGE_MAX = 50;
const MESSAGES_PAGE_MAX = 100;

const whole = (message: string) =>
  z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number);
const limitUpTo = (max: number) => {
  const message = `use um número inteiro de 1 a ${max}`;
  return whole(message)
    .default(max)
    .refine((limit) => limit >= 1 && limit <= max, message);
};

/** `?filter&cursor&limit` of the list. */
export const conversationsQuerySchema = z.object({
  filter: z.enum(LIST_FILTERS, `use ${LIST_FILTERS.join(", ")}`).default("inbox"),
  cursor: z.string().max(100).optional(),
  limit: limitUpTo(CONVERSATIONS_PAGE_MAX),
});

/** `?after&before&limit` of one conversation: by default the latest messages. */
export const messagesQuerySchema = z.object({
  after: whole("use um número inteiro").optional(),
  before: whole("use um número inteiro").optional(),
  limit: limitUpTo(MESSAGES_PAGE_MAX),
});

export function apiConversation(item: ConversationItem): ConversationListAnswer["items"][number] {
  const { id, name, username } = item.other;
  return {
    id: item.id,
    user: { id, name, username },
    lastText: item.lastText,
    lastAt: new Date(item.lastAt).toISOString(),
    unreadCount: item.unreadCount,
  };
}

export function apiStoredMessage(message: Message): MessageListAnswer["items"][number] {
  const kinds = message.sale?.fileKinds ?? message.files.map(({ kind }) => kind);
  return {
    seq: message.seq,
    text: message.text,
    fileKind: kinds[0] ?? null,
    fileKinds: kinds,
    files: message.files.map(({ id, kind, alt, filename, sizeBytes }) => ({
      id,
      kind,
      alt,
      filename,
      sizeBytes,
      url: mediaUrl(id, kind === "image" ? "1280" : "original"),
    })),
    priceCents: message.sale?.priceCents ?? null,
    isLocked: message.sale !== null && !message.sale.isOpen,
    isBought: message.sale?.isBought ?? null,
    tipCents: message.tipCents,
    isOwn: message.isOwn,
    isEdited: message.isEdited,
    isDeleted: message.isDeleted,
    replyTo: message.replyTo?.seq ?? null,
    createdAt: new Date(message.createdAt).toISOString(),
  };
}
