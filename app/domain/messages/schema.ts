import { z } from "zod";
import {
  cleanMessageText,
  MESSAGE_FILES_MAX,
  MESSAGE_MAX,
  REACTIONS,
  WRITER_CHOICES,
} from "./rules.ts";
import { ALT_MAX } from "#app/domain/media/rules/limits.ts";
import type { MediaItem, MediaKind } from "#app/domain/media/schema.ts";
import type { Box, WriterChoice } from "./rules.ts";
import type { Recording } from "#app/domain/messages/rules/recording.ts";
import type { WritingProblem } from "#app/domain/messages/rules/writing.ts";
import type { Cents } from "#app/domain/money.ts";
import { priceSchema } from "#app/domain/plans/schema.ts";
import type { Instant } from "#app/domain/time.ts";

export const LIST_FILTERS = ["inbox", "unread", "requests", "archived"] as const;
export type ListFilter = (typeof LIST_FILTERS)[number];

const textSchema = z
  .string({ error: "Escreva a sua mensagem." })
  .transform(cleanMessageText)
  .pipe(z.string().min(1, "Escreva a sua mensagem.").max(MESSAGE_MAX, "Use até 4.000 caracteres."));

/** Made by the page or the caller: the same message sent again is stored once. */
export const clientMessageIdSchema = z
  .string({ error: "Recarregue a página e envie de novo." })
  .regex(/^[\w-]{8,64}$/, "Recarregue a página e envie de novo.");

export const seqSchema = z
  .string()
  .regex(/^\d{1,9}$/, "Esta mensagem não existe.")
  .transform(Number);

/** The form "Mensagem"; with `replyTo`, an answer to that message. */
export const messageSchema = z.object({
  text: textSchema,
  clientMessageId: clientMessageIdSchema,
  replyTo: seqSchema.optional(),
});

const textOrNothing = z
  .string()
  .default("")
  .transform(cleanMessageText)
  .pipe(z.string().max(MESSAGE_MAX, "Use até 4.000 caracteres."));

/** What the files cost, with the limits of a post's price; empty for files that are not sold. */
const filePriceSchema = z
  .string()
  .default("")
  .transform((text, check): Cents | null => {
    if (text.trim() === "") return null;
    const price = priceSchema.safeParse(text);
    if (price.success) return price.data;
    for (const { message } of price.error.issues) check.addIssue({ code: "custom", message });
    return z.NEVER;
  });

const altSchema = z
  .string()
  .transform((text) => text.trim())
  .pipe(z.string().max(ALT_MAX, `Use até ${ALT_MAX} caracteres.`));

const oneOrMany = z.union([z.string().transform((one) => [one]), z.array(z.string())]).default([]);

/**
 * The fields of a message's files: those that were uploaded before, by their ids with descriptions
 * in the same order, and those of the form itself (`file`), which share one description.
 */
export const messageFilesFields = {
  file: z
    .union([
      z.literal("").transform((): File[] => []),
      z.file().transform((one) => [one]),
      z.array(z.file()),
    ])
    .default([]),
  fileIds: oneOrMany.pipe(z.array(z.string().max(64))),
  fileAlts: oneOrMany.pipe(z.array(altSchema)),
  alt: altSchema.default(""),
  isSensitive: z.literal("true").optional(),
  price: filePriceSchema,
};

type FilesOfForm = { file: File[]; fileIds: string[]; fileAlts: string[]; alt: string };

export type UploadedFile = { mediaId: string; alt: string };

/** The files of a form, in their order: those that were uploaded before come first. */
export const filesOfForm = ({ file, fileIds, fileAlts, alt }: FilesOfForm) => ({
  uploaded: fileIds.map((mediaId, at): UploadedFile => ({ mediaId, alt: fileAlts[at] ?? "" })),
  files: file.map((one) => ({ file: one, alt })),
});

/** Says what is missing or too much in a form with files. */
export function checkFilesForm(
  form: FilesOfForm & { text: string; price: Cents | null },
  check: z.RefinementCtx,
): void {
  const count = form.file.length + form.fileIds.length;
  const says = (path: string, message: string) =>
    check.addIssue({ code: "custom", path: [path], message });
  if (form.text === "" && count === 0) says("text", "Escreva a sua mensagem.");
  if (count > MESSAGE_FILES_MAX || new Set(form.fileIds).size < form.fileIds.length)
    says("file", `Envie até ${MESSAGE_FILES_MAX} arquivos por mensagem.`);
  if (form.price !== null && count === 0)
    says("price", "O preço é de um arquivo. Anexe o arquivo, ou deixe o preço em branco.");
}

/** The same form in a conversation: with files, the text may be empty. */
export const conversationMessageSchema = messageSchema
  .extend({
    text: textOrNothing,
    ...messageFilesFields,
    recordingMs: z.string().default(""),
    recordingPeaks: z.string().default(""),
  })
  .superRefine(checkFilesForm);

export const messageEditSchema = z.object({ text: textSchema });
/** An empty emoji removes the reaction. */
export const messageReactionSchema = z.object({
  emoji: z
    .union(
      [z.enum(REACTIONS), z.literal("").transform(() => undefined)],
      "Escolha uma das reações.",
    )
    .optional(),
});

const CONVERSATION_ACTS = [
  "read",
  "unread",
  "archive",
  "unarchive",
  "mute",
  "unmute",
  "pin",
  "unpin",
  "accept",
  "refuse",
  "clear",
] as const;
export type ConversationAct = (typeof CONVERSATION_ACTS)[number];

/** A button of a conversation. The form names the wanted state, so that two clicks do no harm. */
export const conversationActSchema = z.object({
  act: z.enum(CONVERSATION_ACTS, "Escolha uma das opções."),
});

const planIdsSchema = z
  .union([z.string().transform((one) => [one]), z.array(z.string())])
  .default([])
  .pipe(z.array(z.string().max(64)).max(100, "Escolha até 100 planos."));

/** The form of a person's choices. Only a creator's has the first two fields. */
export const messageSettingsSchema = z
  .object({
    writers: z.enum(WRITER_CHOICES, "Escolha uma das opções.").default("everyone"),
    writerPlanIds: planIdsSchema,
    showsReads: z.literal("true").optional(),
    showsPresence: z.literal("true").optional(),
  })
  .refine(({ writers, writerPlanIds }) => writers !== "plans" || writerPlanIds.length > 0, {
    path: ["writerPlanIds"],
    message: "Escolha pelo menos um plano.",
  });

export type MessageSettings = {
  writers: WriterChoice;
  writerPlanIds: string[];
  showsReads: boolean;
  showsPresence: boolean;
};

const apiSeq = z.int().min(0).max(999_999_999);

/**
 * A message that an open page sends in place. `account` is who wrote it, and `space` whose page it
 * was shown for.
 */
export const sentMessageSchema = z.object({
  account: z.string().max(64),
  text: textSchema,
  clientMessageId: clientMessageIdSchema,
  space: z.string().max(64),
  replyTo: apiSeq.optional(),
});

const apiFileSchema = z.object({ id: z.string().max(64), alt: altSchema.optional() });

const apiTextSchema = z.object({
  text: textSchema,
  clientMessageId: clientMessageIdSchema,
  replyTo: apiSeq.optional(),
});
/**
 * The body of a message sent by `/api/v1/conversations`. With uploaded files, the text may be
 * empty.
 */
export const apiMessageSchema = apiTextSchema
  .extend({
    text: textOrNothing,
    files: z
      .array(apiFileSchema)
      .max(MESSAGE_FILES_MAX, `Envie até ${MESSAGE_FILES_MAX} arquivos por mensagem.`)
      .refine(
        (files) => new Set(files.map(({ id }) => id)).size === files.length,
        "Envie cada arquivo uma vez.",
      )
      .default([]),
  })
  .refine(({ text, files }) => text !== "" || files.length > 0, {
    path: ["text"],
    message: "Escreva a sua mensagem.",
  });
/** The same, to start or find a conversation by a username. */
export const apiNewConversationSchema = apiTextSchema
  .omit({ replyTo: true })
  .extend({ to: z.string({ error: "Escolha para quem." }).min(1).max(64) });

type OtherPerson = {
  id: string;
  name: string;
  username: string;
  avatarMediaId: string | null;
};

/** A conversation in its list, as one of its people sees it. */
export type ConversationItem = {
  id: string;
  other: OtherPerson;
  /** The last message, or what its file or its tip is; null when it was deleted. */
  lastText: string | null;
  isLastOwn: boolean;
  lastAt: Instant;
  unreadCount: number;
  isUnread: boolean;
  isPinned: boolean;
  isMuted: boolean;
};

/** What stands above and below the messages of one conversation. */
export type ConversationHead = {
  id: string;
  other: OtherPerson & { isCreator: boolean };
  box: Box;
  isPinned: boolean;
  isMuted: boolean;
  isUnread: boolean;
  readSeq: number;
  lastSeq: number;
  revision: number;
  /** How far the other person read; null while they have not accepted, or one of the two hides it. */
  otherReadSeq: number | null;
  writingProblem: WritingProblem | null;
  /** Neither of the two hides when they read. */
  showsReads: boolean;
  /** The conversation is accepted, and neither of the two hides whether they are here. */
  showsPresence: boolean;
  /** A file can be sent: nobody has to accept first. */
  canSendFile: boolean;
  /** The person is a creator who can sell now, so that a file can have a price. */
  canSellFile: boolean;
  /** The other person is a creator who can be tipped now. */
  acceptsTips: boolean;
};

/** One file of a message. */
export type MessageFile = Pick<
  MediaItem,
  "id" | "kind" | "alt" | "width" | "height" | "filename" | "sizeBytes"
> & {
  /** Covered until a click. */
  isSensitive: boolean;
  /** Of an audio that was recorded in the browser. */
  recording: Recording | null;
};

/** The sale of a message's files, together. */
export type MessageSale = {
  priceCents: Cents;
  fileKinds: MediaKind[];
  isBought: boolean;
  /** The person sees the files: they sent them, or hold them. */
  isOpen: boolean;
};

export type MessageReaction = { emoji: string; count: number; isOwn: boolean };

export type Message = {
  id: string;
  seq: number;
  revision: number;
  /** Empty when it was deleted. */
  text: string;
  isOwn: boolean;
  /** Who of the team wrote it; null for the page's owner, and for the other side. */
  writtenBy: string | null;
  /** The sender's idempotency key; empty for the other side. */
  clientMessageId: string;
  createdAt: Instant;
  isEdited: boolean;
  isDeleted: boolean;
  replyTo: { seq: number; text: string; isOwn: boolean } | null;
  /** In their order. Empty when its sender deleted their account, and while they are not bought. */
  files: MessageFile[];
  /** Null for a message without a price. */
  sale: MessageSale | null;
  /** The tip that this line announces (centavos); null for a written message. */
  tipCents: Cents | null;
  reactions: MessageReaction[];
};
