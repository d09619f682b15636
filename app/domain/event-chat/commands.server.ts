import type { SQL } from "drizzle-orm";
import { commit, guardStatement } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import type { Context } from "#app/domain/context.ts";
import {
  ChatMessageNotFound,
  ChatNotFound,
  ChatNotOpen,
  ChatReactionsTooFast,
  ChatTooFast,
  TooManyChatMessages,
} from "./errors.ts";
import { chatMessage, eventWithChat, sentChatSeq } from "./queries.server.ts";
import {
  CHAT_CLOSES_AFTER_MS,
  CHAT_GATHER_MS,
  CHAT_LIMITS,
  CHAT_REACTION_LIMITS,
  CHAT_ROOM_LIMITS,
  chatTopic,
} from "./rules.ts";
import type { ChatMessage } from "./schema.ts";
import { mayWatchSql } from "#app/domain/events/live/queries.server.ts";
import {
  deletedMessageStatements,
  editedMessageStatements,
  reactionStatements,
} from "#app/domain/messages/commands/messages.server.ts";
import { eventMessageStatements } from "#app/domain/messages/commands/statements.server.ts";
import {
  MessageEditWindowOver,
  TooManyMessageChanges,
  TooManyReactions,
} from "#app/domain/messages/errors.ts";
import { isEditable, MESSAGE_CHANGE_LIMITS, REACTION_LIMITS } from "#app/domain/messages/rules.ts";
import type { Reaction } from "#app/domain/messages/rules.ts";
import { rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import { rateLimitResetAt } from "#app/domain/rate-limits/queries.server.ts";
import type { RateLimitedAction } from "#app/domain/rate-limits/schema.ts";
import type { Instant } from "#app/domain/time.ts";

type ChatMessageInput = {
  eventId: string;
  personId: string;
  text: string;
  /** The sender's idempotency key: the same message sent again is stored once. */
  clientMessageId: string;
  /** The message of the same chat that it answers. */
  replyToSeq?: number | undefined;
};

type OneMessage = { eventId: string; personId: string; seq: number };

/**
 * Writes into the chat of an event, in the person's own name. Repeated with the same
 * `clientMessageId` it returns the first message. Refuses ChatNotFound, ChatNotOpen,
 * TooManyChatMessages (15 a minute) and ChatTooFast (all people together: 50 in 10 s). Who loses
 * the seat meanwhile writes nothing: the batch asks again.
 */
export async function sendChatMessage(
  ctx: Context,
  input: ChatMessageInput,
): Promise<{ seq: number }> {
  const { seq, isNew } = await retryOnConflict(() => attempt(ctx, input));
  if (isNew) await ctx.live.changed(chatTopic(input.eventId), CHAT_GATHER_MS);
  return { seq };
}

async function attempt(
  ctx: Context,
  { eventId, personId, text, clientMessageId, replyToSeq }: ChatMessageInput,
): Promise<{ seq: number; isNew: boolean }> {
  const of = { eventId, viewerId: personId };
  const found = await eventWithChat(ctx, { ...of, limit: 0 });
  if (!found || found.chat.state === "none") throw new ChatNotFound();
  const earlier = await sentChatSeq(ctx, { ...of, clientMessageId });
  if (earlier !== null) return { seq: earlier, isNew: false };
  if (found.chat.state !== "open") throw new ChatNotOpen(found.chat.state);
  const ownLimit = { act: "event-chat", personId, limits: CHAT_LIMITS };
  const roomLimit = { act: "event-chat-room", personId: eventId, limits: CHAT_ROOM_LIMITS };
  try {
    await commit(ctx.db, [
      ...rateLimitStatements(ctx, ownLimit),
      ...rateLimitStatements(ctx, roomLimit),
      ...eventMessageStatements(ctx, {
        eventId,
        personId,
        text,
        clientMessageId,
        replyToSeq,
        mayWrite: mayWriteSql(ctx, { eventId, personId }),
      }),
    ]);
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    const freeAt = await rateLimitResetAt(ctx, ownLimit);
    if (freeAt > ctx.now()) throw new TooManyChatMessages(freeAt);
    if ((await rateLimitResetAt(ctx, roomLimit)) > ctx.now()) throw new ChatTooFast();
    throw error;
  }
  return { seq: (await sentChatSeq(ctx, { ...of, clientMessageId })) ?? 0, isNew: true };
}

/** The person has a seat or runs the event, and its chat takes messages. */
const mayWriteSql = (
  ctx: Context,
  { eventId, personId }: { eventId: string; personId: string },
): SQL =>
  mayWatchSql(ctx, {
    eventId,
    viewerId: personId,
    endsAfter: ctx.now() - CHAT_CLOSES_AFTER_MS,
  });

/**
 * Sets the person's reaction to a message of a chat, in place of an earlier one, or removes it with
 * null. Safe to repeat. Refuses ChatMessageNotFound, ChatNotOpen, TooManyReactions (60 a minute)
 * and ChatReactionsTooFast (all people together: 50 in 10 s).
 */
export async function reactToChatMessage(
  ctx: Context,
  { emoji, ...one }: OneMessage & { emoji: Reaction | null },
): Promise<void> {
  const { eventId, personId } = one;
  const { id } = await openMessage(ctx, one);
  await commitChange(ctx, one, {
    limits: [
      {
        act: "message-reaction",
        personId,
        limits: REACTION_LIMITS,
        refusal: (freeAt) => new TooManyReactions(freeAt),
      },
      {
        act: "event-chat-reaction",
        personId: eventId,
        limits: CHAT_REACTION_LIMITS,
        refusal: () => new ChatReactionsTooFast(),
      },
    ],
    writes: [
      guardStatement(ctx.db, mayWriteSql(ctx, one)),
      ...reactionStatements(ctx, { ...one, conversationId: eventId, messageId: id, emoji }),
    ],
  });
}

/**
 * Edits the person's own message of a chat in its first 15 minutes, as a message of a conversation.
 * Refuses ChatMessageNotFound, ChatNotOpen, MessageEditWindowOver and TooManyMessageChanges.
 */
export async function editChatMessage(
  ctx: Context,
  { text, ...one }: OneMessage & { text: string },
): Promise<void> {
  const message = await openMessage(ctx, one);
  if (!message.isOwn) throw new ChatMessageNotFound();
  if (!isEditable(message, ctx.now())) throw new MessageEditWindowOver();
  if (message.text === text) return;
  const { eventId, seq } = one;
  await commitChange(ctx, one, {
    limits: [changing(one)],
    writes: [
      guardStatement(ctx.db, mayWriteSql(ctx, one)),
      ...editedMessageStatements(ctx, { conversationId: eventId, seq, text, writtenById: null }),
    ],
  });
}

/** Reads a message that is there, of a chat that takes messages. */
async function openMessage(
  ctx: Context,
  { eventId, personId, seq }: OneMessage,
): Promise<ChatMessage> {
  const found = await chatMessage(ctx, { eventId, viewerId: personId, seq });
  if (!found || found.message.isDeleted) throw new ChatMessageNotFound();
  if (found.state !== "open") throw new ChatNotOpen(found.state);
  return found.message;
}

/**
 * Deletes a message of a chat for everybody: the person's own, or any for who runs the event. Safe
 * to repeat. Refuses ChatMessageNotFound and TooManyMessageChanges.
 */
export async function deleteChatMessage(ctx: Context, one: OneMessage): Promise<void> {
  const { eventId, personId, seq } = one;
  const found = await chatMessage(ctx, { eventId, viewerId: personId, seq });
  if (!found?.mayDelete) throw new ChatMessageNotFound();
  if (found.message.isDeleted) return;
  await commitChange(ctx, one, {
    limits: [changing(one)],
    writes: deletedMessageStatements(ctx, {
      conversationId: one.eventId,
      seq: one.seq,
      messageId: found.message.id,
    }),
  });
}

/** A limit of an act on a message, and what refuses one too many. */
type Counted = RateLimitedAction & { refusal: (freeAt: Instant) => Error };

const changing = ({ personId }: OneMessage): Counted => ({
  act: "message-change",
  personId,
  limits: MESSAGE_CHANGE_LIMITS,
  refusal: (freeAt) => new TooManyMessageChanges(freeAt),
});

async function commitChange(
  ctx: Context,
  { eventId }: OneMessage,
  { limits, writes }: { limits: Counted[]; writes: BatchWrite[] },
): Promise<void> {
  try {
    await commit(ctx.db, [
      ...limits.flatMap((limit) => rateLimitStatements(ctx, limit)),
      ...writes,
    ]);
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    for (const limit of limits) {
      const freeAt = await rateLimitResetAt(ctx, limit);
      if (freeAt > ctx.now()) throw limit.refusal(freeAt);
    }
    throw new ChatMessageNotFound();
  }
  await ctx.live.changed(chatTopic(eventId), CHAT_GATHER_MS);
}
