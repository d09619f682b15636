import { and, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import type { Context } from "#app/domain/context.ts";
import {
  CannotWrite,
  ConversationNotFound,
  TooManyConversations,
  TooManyMessages,
} from "#app/domain/messages/errors.ts";
import { welcomeNoteOf } from "#app/domain/messages/queries/welcome.server.ts";
import { loadWriting } from "#app/domain/messages/queries/writing.server.ts";
import type { WritingRow, WritingTarget } from "#app/domain/messages/queries/writing.server.ts";
import {
  cleanMessageText,
  CONVERSATION_LIMITS,
  inboxTopic,
  MESSAGE_LIMITS,
  MESSAGE_MAX,
  NOTIFY_AFTER_MS,
  pairOf,
  REQUEST_MESSAGES_MAX,
} from "#app/domain/messages/rules.ts";
import { decideWriting } from "#app/domain/messages/rules/writing.ts";
import type { Box } from "#app/domain/messages/rules.ts";
import { requireUnblockedStatement } from "#app/domain/profiles/commands.server.ts";
import { rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import { rateLimitResetAt } from "#app/domain/rate-limits/queries.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { conversationMembers, conversations, messages } from "#drizzle/schema/messages.ts";

/** A message as a person sends it, in their own name or in the name of their team's page. */
export type OutgoingMessage = WritingTarget & {
  /** The team member who wrote it; null for the person. */
  writtenById: string | null;
  text: string;
  /** The sender's idempotency key: the same message sent again is stored once. */
  clientMessageId: string;
  replyToSeq?: number | undefined;
};

export type SentMessage = { conversationId: string; seq: number };

/**
 * Sends a message to `otherId`, or into a conversation of `personId`; starts the conversation of a
 * new pair. Repeated with the same `clientMessageId` it returns the first message. Refuses
 * ConversationNotFound, CannotWrite, TooManyMessages and TooManyConversations.
 */
export async function sendMessage(ctx: Context, outgoing: OutgoingMessage): Promise<SentMessage> {
  const sent = await retryOnConflict(() => attempt(ctx, outgoing));
  if (sent.isNew)
    await Promise.all(
      [outgoing.personId, sent.otherId].map((personId) => ctx.live.changed(inboxTopic(personId))),
    );
  return { conversationId: sent.conversationId, seq: sent.seq };
}

async function attempt(
  ctx: Context,
  outgoing: OutgoingMessage,
): Promise<SentMessage & { otherId: string; isNew: boolean }> {
  const { personId, clientMessageId } = outgoing;
  const found = await loadWriting(ctx, outgoing, clientMessageId);
  if (!found) throw new ConversationNotFound();
  const { otherId } = found;
  if (found.sentSeq !== null && found.conversationId !== null)
    return { conversationId: found.conversationId, otherId, seq: found.sentSeq, isNew: false };
  const decision = decideWriting(found);
  if (decision.problem) throw new CannotWrite(decision.problem);
  const conversationId = found.conversationId ?? ctx.newId();
  const counted = { act: "message", personId, limits: MESSAGE_LIMITS };
  const started = { act: "conversation", personId, limits: CONVERSATION_LIMITS };
  const isStart = found.conversationId === null;
  try {
    await commit(ctx.db, [
      ...rateLimitStatements(ctx, counted),
      ...(isStart ? rateLimitStatements(ctx, started) : []),
      requireUnblockedStatement(ctx, { personId, otherId }),
      ...(isStart
        ? newConversationStatements(ctx, {
            conversationId,
            personId,
            otherId,
            recipientBox: decision.box,
          })
        : []),
      ...messageStatements(ctx, {
        ...outgoing,
        conversationId,
        mayWrite: stillAllowed(found, decision.box),
        opensRequest: decision.box === "inbox",
      }),
    ]);
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    const messageAt = await rateLimitResetAt(ctx, counted);
    if (messageAt > ctx.now()) throw new TooManyMessages(messageAt);
    const startAt = await rateLimitResetAt(ctx, started);
    throw isStart && startAt > ctx.now() ? new TooManyConversations(startAt) : error;
  }
  const stored = await ctx.db
    .select({ seq: messages.seq })
    .from(messages)
    .where(
      and(
        eq(messages.conversationId, conversationId),
        eq(messages.senderId, personId),
        eq(messages.clientMessageId, clientMessageId),
      ),
    )
    .get();
  return { conversationId, otherId, seq: stored?.seq ?? 0, isNew: true };
}

/** A stranger's further message, counted in the batch, so that two at once are counted too. */
function stillAllowed({ recipientBox, otherId }: WritingRow, arrivesIn: "inbox" | "request") {
  if (recipientBox !== "request" && recipientBox !== "refused") return undefined;
  const open = sql.raw(`'inbox', 'archived'${arrivesIn === "inbox" ? ", 'request'" : ""}`);
  return sql`(${conversations.lastSeq} < ${REQUEST_MESSAGES_MAX} OR EXISTS (SELECT 1 FROM conversation_members theirs
    WHERE theirs.conversation_id = ${conversations.id} AND theirs.person_id = ${otherId} AND theirs.box IN (${open})))`;
}

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
function newConversationStatements(
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

type StoredMessage = Pick<
  OutgoingMessage,
  "personId" | "writtenById" | "text" | "clientMessageId" | "replyToSeq"
> & {
  conversationId: string;
  mayWrite?: ReturnType<typeof stillAllowed>;
  /** Puts the recipient's request into their inbox: the sender is no stranger any more. */
  opensRequest?: boolean;
  /** Nobody wrote it now: its sender read nothing, and another notification already says it. */
  isAutomatic?: boolean;
};

/**
 * Builds the writes of one message. INVARIANT: the seqs of a conversation are 1 to n without gap or
 * repeat. The counter moves in the batch that inserts the message, and D1 runs one batch at a time;
 * a refused batch moves nothing. The sender has read what they answer, unless it is automatic. An
 * archived conversation returns to the recipient's list, unless they muted it.
 */
function messageStatements(
  ctx: Context,
  { conversationId, personId, mayWrite, opensRequest, isAutomatic, ...message }: StoredMessage,
): BatchWrite[] {
  const now = ctx.now();
  const counter = (column: "last_seq" | "revision") =>
    sql`(SELECT c.${sql.raw(column)} FROM conversations c WHERE c.id = ${conversationId})`;
  const lastSeq = counter("last_seq");
  const isOpened = sql`(${opensRequest ? 1 : 0} AND ${conversationMembers.box} = 'request')`;
  const notifyAt = isAutomatic
    ? conversationMembers.notifyAt
    : sql`CASE WHEN ${conversationMembers.notifyAt} IS NOT NULL THEN ${conversationMembers.notifyAt}
        WHEN ${conversationMembers.mutedAt} IS NULL
          AND (${isOpened} OR ${conversationMembers.box} IN ('inbox', 'archived') AND ${conversationMembers.readSeq} >= ${lastSeq} - 1)
        THEN ${notificationDueAt(now)} END`;
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
    ctx.db.insert(messages).values({
      id: ctx.newId(),
      conversationId,
      senderId: personId,
      writtenById: message.writtenById,
      body: message.text,
      clientMessageId: message.clientMessageId,
      replyToSeq: sql`(SELECT earlier.seq FROM messages earlier WHERE earlier.conversation_id = ${conversationId} AND earlier.seq = ${message.replyToSeq ?? null})`,
      seq: lastSeq,
      revision: counter("revision"),
      createdAt: now,
    }),
    mustChangeOne(
      ctx.db
        .update(conversationMembers)
        .set(isAutomatic ? automaticSenderRow(lastSeq, now) : writingSenderRow(lastSeq, now))
        .where(memberRow(conversationId, personId)),
    ),
    mustChangeOne(
      ctx.db
        .update(conversationMembers)
        .set({
          isUnread: true,
          lastAt: now,
          notifyAt,
          box: sql`CASE WHEN ${isOpened} OR ${conversationMembers.box} = 'archived' AND ${conversationMembers.mutedAt} IS NULL THEN 'inbox' ELSE ${conversationMembers.box} END`,
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

/** The sender's row after their own message: they read what they answer, and it is in their inbox. */
const writingSenderRow = (lastSeq: SQL, now: Instant) => ({
  readSeq: lastSeq,
  isUnread: false,
  notifyAt: null,
  lastAt: now,
  box: "inbox" satisfies Box,
});

/** The sender's row after an automatic message: what waited for them stays unread. */
const automaticSenderRow = (lastSeq: SQL, now: Instant) => ({
  readSeq: sql`CASE WHEN ${conversationMembers.readSeq} >= ${lastSeq} - 1 THEN ${lastSeq} ELSE ${conversationMembers.readSeq} END`,
  lastAt: now,
  box: sql`CASE WHEN ${conversationMembers.box} = 'request' THEN 'inbox' ELSE ${conversationMembers.box} END`,
});

const memberRow = (conversationId: string, personId: string) =>
  and(
    eq(conversationMembers.conversationId, conversationId),
    eq(conversationMembers.personId, personId),
  );

const notificationDueAt = (now: Instant): Instant => now + NOTIFY_AFTER_MS;

/**
 * Writes the creator's welcome note of an outbox message that starts a subscription or a trial, as
 * a message of their conversation. Safe to repeat. Does nothing without a note, across a block, or
 * where the fan is gone. The notification of the same outbox message already says it, so that no
 * other is due.
 */
export async function deliverWelcomeNote(
  ctx: Context,
  { outboxId }: { outboxId: string },
): Promise<void> {
  const note = await welcomeNoteOf(ctx, { outboxId });
  if (!note) return;
  const { creatorId, fanId } = note;
  const text = cleanMessageText(note.text).slice(0, MESSAGE_MAX);
  if (text === "") return;
  const key = `welcome:${outboxId}`;
  const target = { personId: creatorId, otherId: fanId };
  await retryOnConflict(async () => {
    const found = await loadWriting(ctx, target, key);
    if (!found || found.sentSeq !== null || found.isSelf || found.isBlocked || found.isUnreachable)
      return;
    const conversationId = found.conversationId ?? ctx.newId();
    await commit(ctx.db, [
      requireUnblockedStatement(ctx, target),
      ...(found.conversationId === null
        ? newConversationStatements(ctx, { conversationId, ...target, recipientBox: "inbox" })
        : []),
      ...messageStatements(ctx, {
        conversationId,
        personId: creatorId,
        writtenById: null,
        text,
        clientMessageId: key,
        isAutomatic: true,
      }),
    ]);
    await ctx.live.changed(inboxTopic(fanId));
  });
}
