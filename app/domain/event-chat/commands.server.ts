import { commit } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import type { Context } from "#app/domain/context.ts";
import {
  ChatMessageNotFound,
  ChatNotFound,
  ChatNotOpen,
  ChatTooFast,
  TooManyChatMessages,
} from "#app/domain/event-chat/errors.ts";
import { chatMessage, eventWithChat, sentChatSeq } from "#app/domain/event-chat/queries.server.ts";
import {
  CHAT_CLOSES_AFTER_MS,
  CHAT_GATHER_MS,
  CHAT_LIMITS,
  CHAT_ROOM_LIMITS,
  chatTopic,
} from "#app/domain/event-chat/rules.ts";
import { mayWatchSql } from "#app/domain/events/queries/live.server.ts";
import { deletedMessageStatements } from "#app/domain/messages/commands/messages.server.ts";
import { eventMessageStatements } from "#app/domain/messages/commands/statements.server.ts";
import { TooManyMessageChanges } from "#app/domain/messages/errors.ts";
import { MESSAGE_CHANGE_LIMITS } from "#app/domain/messages/rules.ts";
import { rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import { rateLimitResetAt } from "#app/domain/rate-limits/queries.server.ts";

type ChatMessageInput = {
  eventId: string;
  personId: string;
  text: string;
  /** The sender's idempotency key: the same message sent again is stored once. */
  clientMessageId: string;
};

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
  { eventId, personId, text, clientMessageId }: ChatMessageInput,
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
        mayWrite: mayWatchSql(ctx, { ...of, endsAfter: ctx.now() - CHAT_CLOSES_AFTER_MS }),
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

/**
 * Deletes a message of a chat for everybody: the person's own, or any for who runs the event. Safe
 * to repeat. Refuses ChatMessageNotFound and TooManyMessageChanges.
 */
export async function deleteChatMessage(
  ctx: Context,
  { eventId, personId, seq }: { eventId: string; personId: string; seq: number },
): Promise<void> {
  const found = await chatMessage(ctx, { eventId, viewerId: personId, seq });
  if (!found?.mayDelete) throw new ChatMessageNotFound();
  if (found.message.isDeleted) return;
  const limit = { act: "message-change", personId, limits: MESSAGE_CHANGE_LIMITS };
  try {
    await commit(ctx.db, [
      ...rateLimitStatements(ctx, limit),
      ...deletedMessageStatements(ctx, {
        conversationId: eventId,
        seq,
        messageId: found.message.id,
      }),
    ]);
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    const freeAt = await rateLimitResetAt(ctx, limit);
    throw freeAt > ctx.now() ? new TooManyMessageChanges(freeAt) : new ChatMessageNotFound();
  }
  await ctx.live.changed(chatTopic(eventId), CHAT_GATHER_MS);
}
