import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

/**
 * One conversation of two people, or the chat of an event. `lowId` sorts before `highId`, so that a
 * pair has one row. A chat has the id of its event, no pair (`lowId` is empty, `highId` the event)
 * and no members: who may read it is decided by the event.
 */
export const conversations = sqliteTable(
  "conversations",
  {
    id: text("id").primaryKey(),
    kind: text("kind", { enum: ["pair", "event"] })
      .notNull()
      .default("pair"),
    lowId: text("low_id").notNull(),
    highId: text("high_id").notNull(),
    /** The seq of the last message. Only the batch that inserts a message moves it. */
    lastSeq: integer("last_seq").notNull().default(0),
    /** Counts every change of a message: new, edited, deleted, reaction. */
    revision: integer("revision").notNull().default(0),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [uniqueIndex("conversations_pair").on(table.lowId, table.highId)],
);

/** How one of the two people has the conversation. */
export const conversationMembers = sqliteTable(
  "conversation_members",
  {
    conversationId: text("conversation_id").notNull(),
    personId: text("person_id").notNull(),
    otherId: text("other_id").notNull(),
    /**
     * `inbox`, `request`, `refused` or `archived`: the list that shows it. `broadcast`: the person
     * only sent broadcasts, no list shows it, and the other side may not simply answer.
     */
    box: text("box").notNull(),
    readSeq: integer("read_seq").notNull().default(0),
    /** Messages of the other side after `readSeq`. */
    unreadCount: integer("unread_count").notNull().default(0),
    isUnread: integer("is_unread", { mode: "boolean" }).notNull().default(false),
    isPinned: integer("is_pinned", { mode: "boolean" }).notNull().default(false),
    mutedAt: integer("muted_at"),
    /** Messages up to here are hidden from this person only. */
    clearedSeq: integer("cleared_seq").notNull().default(0),
    /** When the person is notified of unread messages; null when nothing is due. */
    notifyAt: integer("notify_at"),
    lastAt: integer("last_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.conversationId, table.personId] }),
    index("conversation_members_box").on(
      table.personId,
      table.box,
      table.isPinned,
      table.lastAt,
      table.conversationId,
    ),
    index("conversation_members_unread")
      .on(table.personId, table.box, table.isPinned, table.lastAt, table.conversationId)
      .where(sql`is_unread = 1`),
    index("conversation_members_notify")
      .on(table.notifyAt)
      .where(sql`notify_at IS NOT NULL`),
  ],
);

export const messages = sqliteTable(
  "messages",
  {
    id: text("id").primaryKey(),
    senderId: text("sender_id").notNull(),
    /** Empty once the message was deleted. */
    body: text("body").notNull(),
    createdAt: integer("created_at").notNull(),
    conversationId: text("conversation_id").notNull().default(""),
    /** 1 to n in its conversation, without gap or repeat. */
    seq: integer("seq").notNull().default(0),
    /** The sender's idempotency key. */
    clientMessageId: text("client_message_id").notNull().default(""),
    /** The conversation's revision at the last change of this message. */
    revision: integer("revision").notNull().default(0),
    /** Who of the team wrote it in the sender's name; null for the sender. */
    writtenById: text("written_by_id"),
    replyToSeq: integer("reply_to_seq"),
    editedAt: integer("edited_at"),
    deletedAt: integer("deleted_at"),
    /**
     * Whose files it has: its own id, or that of its broadcast. Null without files, and once the
     * message was deleted.
     */
    filesId: text("files_id"),
    /** Its files are covered until a click. */
    isSensitive: integer("is_sensitive", { mode: "boolean" }).notNull().default(false),
    /** Duration and waveform of an audio that was recorded in the browser. */
    recording: text("recording", { mode: "json" }).$type<{ durationMs: number; peaks: number[] }>(),
    /** What its files cost the recipient (centavos); null for files that are not sold. */
    priceCents: integer("price_cents"),
    /** The tip that this message announces (centavos); null for a written message. */
    tipCents: integer("tip_cents"),
  },
  (table) => [
    uniqueIndex("messages_seq").on(table.conversationId, table.seq),
    uniqueIndex("messages_client_id").on(
      table.conversationId,
      table.senderId,
      table.clientMessageId,
    ),
    index("messages_revision").on(table.conversationId, table.revision),
  ],
);

/**
 * The files of a message, or of all messages of a broadcast, in their order from 0. Triggers mark
 * the media as used, and delete the rows of a message that is deleted.
 */
export const messageFiles = sqliteTable(
  "message_files",
  {
    /** The `filesId` of the messages. */
    filesId: text("files_id").notNull(),
    position: integer("position").notNull(),
    mediaId: text("media_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.filesId, table.position] }),
    index("message_files_media").on(table.mediaId),
  ],
);

/** One reaction a person and message. */
export const messageReactions = sqliteTable(
  "message_reactions",
  {
    messageId: text("message_id").notNull(),
    personId: text("person_id").notNull(),
    emoji: text("emoji").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.messageId, table.personId] }),
    index("message_reactions_person").on(table.personId),
  ],
);

/** A person's choices about their conversations. Without a row, everything is open. */
export const messageSettings = sqliteTable("message_settings", {
  personId: text("person_id").primaryKey(),
  /** Who may write to a creator. */
  writers: text("writers").notNull(),
  /** The plans of the choice `plans`; empty for the others. */
  writerPlanIds: text("writer_plan_ids", { mode: "json" }).$type<string[]>().notNull().default([]),
  /** Whether read marks are shown, in both directions. */
  showsReads: integer("shows_reads", { mode: "boolean" }).notNull().default(true),
  /** Whether presence and typing are shown, in both directions. */
  showsPresence: integer("shows_presence", { mode: "boolean" }).notNull().default(true),
});

/** The rows of the full-text index `message_search`, which only triggers write. */
export const searchableMessages = sqliteTable(
  "searchable_messages",
  {
    seq: integer("seq").primaryKey({ autoIncrement: true }),
    messageId: text("message_id").notNull(),
    revision: integer("revision").notNull().default(0),
  },
  (table) => [uniqueIndex("searchable_messages_message").on(table.messageId)],
);
