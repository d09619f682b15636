import { and, eq, sql } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import type { Context } from "#app/domain/context.ts";
import { Refusal } from "#app/domain/errors.ts";
import { discardUnsavedFile } from "#app/domain/media/commands/form-file.server.ts";
import {
  messageStatements,
  newConversationStatements,
  unwrittenMessageStatements,
} from "#app/domain/messages/commands/statements.server.ts";
import type { MessageFilesWrite } from "#app/domain/messages/commands/statements.server.ts";
import {
  CannotWrite,
  ConversationNotFound,
  FilesWaitForAcceptance,
  TooManyConversations,
  TooManyMessages,
} from "./errors.ts";
import { givenTipOf } from "#app/domain/messages/queries/sales.server.ts";
import { welcomeNoteOf } from "#app/domain/messages/queries/welcome.server.ts";
import { loadWriting, writtenCountOf } from "#app/domain/messages/queries/writing.server.ts";
import type { WritingRow, WritingTarget } from "#app/domain/messages/queries/writing.server.ts";
import {
  cleanMessageText,
  CONVERSATION_LIMITS,
  inboxTopic,
  MESSAGE_LIMITS,
  MESSAGE_MAX,
  REQUEST_MESSAGES_MAX,
} from "./rules.ts";
import { decideWriting } from "#app/domain/messages/rules/writing.ts";
import { requireUnblockedStatement } from "#app/domain/profiles/commands.server.ts";
import { rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import { rateLimitResetAt } from "#app/domain/rate-limits/queries.server.ts";
import { conversations, messages } from "#drizzle/schema/messages.ts";

/** A message as a person sends it, in their own name or in the name of their team's page. */
export type OutgoingMessage = WritingTarget & {
  /** The team member who wrote it; null for the person. */
  writtenById: string | null;
  text: string;
  /** The sender's idempotency key: the same message sent again is stored once. */
  clientMessageId: string;
  replyToSeq?: number | undefined;
  /** Files of `prepareMessageFiles`. */
  files?: MessageFilesWrite | null;
};

export type SentMessage = { conversationId: string; seq: number };

/**
 * Sends a message to `otherId`, or into a conversation of `personId`; starts the conversation of a
 * new pair. Repeated with the same `clientMessageId` it returns the first message. The bytes of
 * files that no message got are deleted. Refuses ConversationNotFound, CannotWrite,
 * FilesWaitForAcceptance, TooManyMessages and TooManyConversations.
 */
export async function sendMessage(ctx: Context, outgoing: OutgoingMessage): Promise<SentMessage> {
  const sent = await retryOnConflict(() => attempt(ctx, outgoing)).catch(async (error: unknown) => {
    // After an unclear answer the message may be stored.
    if (error instanceof Refusal || error instanceof StaleWrite) await discardFiles(ctx, outgoing);
    throw error;
  });
  if (!sent.isNew) await discardFiles(ctx, outgoing);
  if (sent.isNew)
    await Promise.all(
      [outgoing.personId, sent.otherId].map((personId) => ctx.live.changed(inboxTopic(personId))),
    );
  return { conversationId: sent.conversationId, seq: sent.seq };
}

async function discardFiles(ctx: Context, { files }: OutgoingMessage): Promise<void> {
  for (const mediaId of files?.unsavedIds ?? []) await discardUnsavedFile(ctx, { mediaId });
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
  if (outgoing.files && decision.box !== "inbox") throw new FilesWaitForAcceptance();
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
        mayWrite: stillAllowed(found, personId, decision.box),
        arrivesIn: decision.box,
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
function stillAllowed(
  { recipientBox, otherId }: WritingRow,
  personId: string,
  arrivesIn: "inbox" | "request",
) {
  if (recipientBox !== "request" && recipientBox !== "refused") return undefined;
  const open = sql.raw(`'inbox', 'archived'${arrivesIn === "inbox" ? ", 'request'" : ""}`);
  return sql`(${writtenCountOf(sql`${conversations.id}`, personId)} < ${REQUEST_MESSAGES_MAX} OR EXISTS (SELECT 1 FROM conversation_members theirs
    WHERE theirs.conversation_id = ${conversations.id} AND theirs.person_id = ${otherId} AND theirs.box IN (${open})))`;
}

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
    await commit(
      ctx.db,
      unwrittenMessageStatements(ctx, { personId: creatorId, found, text, clientMessageId: key }),
    );
    await ctx.live.changed(inboxTopic(fanId));
  });
}

/**
 * Writes the line of a paid tip into the conversation of payer and creator, if they have one. It
 * accepts and opens nothing. Safe to repeat. Does nothing for other outbox messages and across a
 * block. The notification of the same outbox message already says it, so that no other is due.
 */
export async function deliverTipLine(
  ctx: Context,
  { outboxId }: { outboxId: string },
): Promise<void> {
  const tip = await givenTipOf(ctx, { outboxId });
  if (!tip) return;
  const { payerId, creatorId, amountCents } = tip;
  await retryOnConflict(async () => {
    const target = { personId: payerId, otherId: creatorId };
    const found = await loadWriting(ctx, target, outboxId);
    if (!found || found.conversationId === null || found.sentSeq !== null) return;
    if (found.isSelf || found.isBlocked || found.senderBox === null || found.recipientBox === null)
      return;
    await commit(ctx.db, [
      requireUnblockedStatement(ctx, target),
      ...messageStatements(ctx, {
        conversationId: found.conversationId,
        personId: payerId,
        writtenById: null,
        text: "",
        clientMessageId: outboxId,
        tipCents: amountCents,
        origin: "tip",
      }),
    ]);
    await Promise.all([payerId, creatorId].map((id) => ctx.live.changed(inboxTopic(id))));
  });
}
