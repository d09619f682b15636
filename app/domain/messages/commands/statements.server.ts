import { and, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { isWritten } from "#app/domain/messages/queries/writing.server.ts";
import type { WritingRow } from "#app/domain/messages/queries/writing.server.ts";
import { NOTIFY_AFTER_MS, pairOf } from "#app/domain/messages/rules.ts";
import type { Recording } from "#app/domain/messages/rules/recording.ts";
import type { Box } from "#app/domain/messages/rules.ts";
import { requireUnblockedStatement } from "#app/domain/profiles/commands.server.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";
import {
  conversationMembers,
  conversations,
  messageFiles,
  messages,
} from "#drizzle/schema/messages.ts";

type NewConversation = {
  conversationId: string;
  personId: string;
  otherId: string;
  recipientBox: Box;
};

/**
 * Builds the writes that start a conversation without a message, for the batch of its first
 * message. The unique pair refuses a second conversation of two people (UniqueViolation).
 */
export function newConversationStatements(
  ctx: Context,
  { conversationId, personId, otherId, recipientBox }: NewConversation,
): BatchWrite[] {
  const now = ctx.now();
  const member = { conversationId, lastAt: now };
  return [
    ctx.db
      .insert(conversations)
      .values({ id: conversationId, ...pairOf(personId, otherId), createdAt: now }),
    ctx.db
      .insert(conversationMembers)
      .values({ ...member, personId, otherId, box: "inbox" satisfies Box }),
    ctx.db
      .insert(conversationMembers)
      .values({ ...member, personId: otherId, otherId: personId, box: recipientBox }),
  ];
}

type EventMessage = Pick<StoredMessage, "personId" | "text" | "clientMessageId" | "replyToSeq"> & {
  eventId: string;
  /** A condition on `conversations`, without which the batch is refused. */
  mayWrite: SQL;
};

/** Builds the writes of a message in the chat of an event, and of the chat with its first one. */
export function eventMessageStatements(
  ctx: Context,
  { eventId, ...message }: EventMessage,
): BatchWrite[] {
  return [
    ctx.db
      .insert(conversations)
      .values({ id: eventId, kind: "event", lowId: "", highId: eventId, createdAt: ctx.now() })
      .onConflictDoNothing(),
    ...numberedMessageStatements(ctx, {
      ...message,
      conversationId: eventId,
      writtenById: null,
    }),
  ];
}

/** Stored files and the writes of their rows, for the batch of their message. */
export type MessageFilesWrite = {
  /** In their order. */
  mediaIds: string[];
  writes: BatchWrite[];
  /** Those of which only the bytes are stored. */
  unsavedIds: string[];
  isSensitive: boolean;
  recording: Recording | null;
  /** What they cost the recipient (centavos); null for files that are not sold. */
  priceCents: Cents | null;
};

type StoredMessage = {
  conversationId: string;
  personId: string;
  /** The team member who wrote it; null for the person. */
  writtenById: string | null;
  text: string;
  clientMessageId: string;
  replyToSeq?: number | undefined;
  files?: MessageFilesWrite | null;
  /** The tip that the message announces (centavos). */
  tipCents?: Cents | null;
  /** A condition on `conversations`, without which the batch is refused. */
  mayWrite?: SQL | undefined;
  /**
   * Where it arrives at a recipient who has not accepted the conversation: in the inbox, if the
   * sender is no stranger to them. Without it the recipient's list stays.
   */
  arrivesIn?: "inbox" | "request" | null;
  origin?: MessageOrigin;
};

/**
 * How a message came to be. Nobody wrote an `automatic` one now, and a `tip` announces a payment:
 * their sender read nothing by them, and another notification already says it. A tip accepts
 * nothing.
 */
type MessageOrigin = "written" | "automatic" | "tip";

/**
 * Builds the writes of one message. INVARIANT: the seqs of a conversation are 1 to n without gap or
 * repeat. The counter moves in the batch that inserts the message, and D1 runs one batch at a time;
 * a refused batch moves nothing. The sender has read what they answer, if they wrote it now. An
 * archived conversation returns to the recipient's list, unless they muted it.
 */
export function messageStatements(
  ctx: Context,
  {
    conversationId,
    personId,
    mayWrite,
    arrivesIn = null,
    origin = "written",
    ...message
  }: StoredMessage,
): BatchWrite[] {
  const now = ctx.now();
  const lastSeq = counterOf(conversationId, "last_seq");
  const isOpened = sql`(${arrivesIn === "inbox" ? 1 : 0} AND ${conversationMembers.box} IN ('request', 'broadcast'))`;
  const isRequested = sql`(${arrivesIn === "request" ? 1 : 0} AND ${conversationMembers.box} = 'broadcast')`;
  return [
    ...numberedMessageStatements(ctx, { conversationId, personId, mayWrite, ...message }),
    mustChangeOne(
      ctx.db
        .update(conversationMembers)
        .set(SENDER_ROWS[origin](lastSeq, now))
        .where(memberRow(conversationId, personId)),
    ),
    mustChangeOne(
      ctx.db
        .update(conversationMembers)
        .set({
          isUnread: true,
          unreadCount: sql`${conversationMembers.unreadCount} + 1`,
          lastAt: now,
          notifyAt:
            origin === "written"
              ? unreadNotifyAt({ conversationId, personId, isOpened, lastSeq, now })
              : conversationMembers.notifyAt,
          box: sql`CASE WHEN ${isOpened} OR ${returnsFromArchive} THEN 'inbox' WHEN ${isRequested} THEN 'request' ELSE ${conversationMembers.box} END`,
        })
        .where(
          and(
            eq(conversationMembers.conversationId, conversationId),
            eq(conversationMembers.otherId, personId),
          ),
        ),
    ),
  ];
}

/** An archived conversation of `conversationMembers` that a new message returns to the inbox. */
export const returnsFromArchive = sql`(${conversationMembers.box} = 'archived' AND ${conversationMembers.mutedAt} IS NULL)`;

const counterOf = (conversationId: string, column: "last_seq" | "revision"): SQL =>
  sql`(SELECT c.${sql.raw(column)} FROM conversations c WHERE c.id = ${conversationId})`;

/** Builds the writes of a message itself: the counters of its conversation, its files, its row. */
function numberedMessageStatements(
  ctx: Context,
  { conversationId, personId, mayWrite, ...message }: Omit<StoredMessage, "arrivesIn" | "origin">,
): BatchWrite[] {
  const id = ctx.newId();
  return [
    mustChangeOne(
      ctx.db
        .update(conversations)
        .set({
          lastSeq: sql`${conversations.lastSeq} + 1`,
          revision: sql`${conversations.revision} + 1`,
        })
        .where(and(eq(conversations.id, conversationId), mayWrite)),
    ),
    ...(message.files
      ? [
          ...message.files.writes,
          ...messageFilesStatements(ctx, { filesId: id, mediaIds: message.files.mediaIds }),
        ]
      : []),
    ctx.db.insert(messages).values({
      id,
      conversationId,
      senderId: personId,
      writtenById: message.writtenById,
      body: message.text,
      clientMessageId: message.clientMessageId,
      replyToSeq: sql`(SELECT earlier.seq FROM messages earlier WHERE earlier.conversation_id = ${conversationId} AND earlier.seq = ${message.replyToSeq ?? null})`,
      seq: counterOf(conversationId, "last_seq"),
      revision: counterOf(conversationId, "revision"),
      createdAt: ctx.now(),
      tipCents: message.tipCents ?? null,
      ...(message.files ? { filesId: id, ...filesColumns(message.files) } : {}),
    }),
  ];
}

/** Builds the writes that give a message, or a broadcast, its files in their order. */
export const messageFilesStatements = (
  ctx: Context,
  { filesId, mediaIds }: { filesId: string; mediaIds: readonly string[] },
): BatchWrite[] =>
  mediaIds.map((mediaId, position) =>
    ctx.db.insert(messageFiles).values({ filesId, position, mediaId }),
  );

/** Builds the write that takes all files of a broadcast away. The sweeper deletes those unused. */
export const removeFilesStatement = (ctx: Context, { filesId }: { filesId: string }): BatchWrite =>
  ctx.db.delete(messageFiles).where(eq(messageFiles.filesId, filesId));

/**
 * When the recipient of a written message is notified; an earlier time stays. An unread written one
 * was announced already; a tip, a broadcast and a welcome note were not, as messages.
 */
const unreadNotifyAt = (written: {
  conversationId: string;
  personId: string;
  isOpened: SQL;
  lastSeq: SQL;
  now: Instant;
}): SQL =>
  sql`CASE WHEN ${conversationMembers.notifyAt} IS NOT NULL THEN ${conversationMembers.notifyAt}
        WHEN ${conversationMembers.mutedAt} IS NULL
          AND (${written.isOpened} OR ${conversationMembers.box} IN ('inbox', 'archived') AND NOT EXISTS (SELECT 1 FROM messages line WHERE line.conversation_id = ${written.conversationId} AND line.seq > ${conversationMembers.readSeq} AND line.seq < ${written.lastSeq} AND line.sender_id = ${written.personId} AND ${isWritten}))
        THEN ${notificationDueAt(written.now)} END`;

const filesColumns = ({ isSensitive, recording, priceCents }: MessageFilesWrite) => ({
  isSensitive,
  recording,
  priceCents,
});

/** What waited for the sender of a message that they did not write now stays unread. */
export const readIfAllWasRead = (lastSeq: SQL) =>
  sql`CASE WHEN ${conversationMembers.readSeq} >= ${lastSeq} - 1 THEN ${lastSeq} ELSE ${conversationMembers.readSeq} END`;

/** The sender's own row after a message of each origin. */
const SENDER_ROWS = {
  written: (lastSeq: SQL, now: Instant) => ({
    readSeq: lastSeq,
    unreadCount: 0,
    isUnread: false,
    notifyAt: null,
    lastAt: now,
    box: "inbox" satisfies Box,
  }),
  automatic: (lastSeq: SQL, now: Instant) => ({
    readSeq: readIfAllWasRead(lastSeq),
    lastAt: now,
    box: sql`CASE WHEN ${conversationMembers.box} IN ('request', 'broadcast') THEN 'inbox' ELSE ${conversationMembers.box} END`,
  }),
  tip: (lastSeq: SQL, now: Instant) => ({ readSeq: readIfAllWasRead(lastSeq), lastAt: now }),
} satisfies Record<MessageOrigin, (lastSeq: SQL, now: Instant) => object>;

const memberRow = (conversationId: string, personId: string) =>
  and(
    eq(conversationMembers.conversationId, conversationId),
    eq(conversationMembers.personId, personId),
  );

const notificationDueAt = (now: Instant): Instant => now + NOTIFY_AFTER_MS;

type UnwrittenMessage = {
  personId: string;
  found: WritingRow;
  text: string;
  clientMessageId: string;
};

/**
 * Builds the writes of a message that its sender does not write now, with the conversation where
 * there is none. A block refuses the batch.
 */
export function unwrittenMessageStatements(
  ctx: Context,
  { found, personId, ...message }: UnwrittenMessage,
): BatchWrite[] {
  const { otherId } = found;
  const conversationId = found.conversationId ?? ctx.newId();
  const started = { conversationId, personId, otherId, recipientBox: "inbox" as const };
  return [
    requireUnblockedStatement(ctx, { personId, otherId }),
    ...(found.conversationId === null ? newConversationStatements(ctx, started) : []),
    ...messageStatements(ctx, {
      ...message,
      conversationId,
      personId,
      writtenById: null,
      origin: "automatic",
    }),
  ];
}
