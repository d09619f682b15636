import { and, eq, gt, isNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  MessageEditWindowOver,
  MessageNotFound,
  TooManyReactions,
} from "#app/domain/messages/errors.ts";
import { messageSnapshot } from "#app/domain/messages/queries/message.server.ts";
import type { MessageSnapshot } from "#app/domain/messages/queries/message.server.ts";
import {
  inboxTopic,
  isEditable,
  MESSAGE_EDIT_WINDOW_MS,
  REACTION_LIMITS,
} from "#app/domain/messages/rules.ts";
import type { Reaction } from "#app/domain/messages/rules.ts";
import { rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import { rateLimitResetAt } from "#app/domain/rate-limits/queries.server.ts";
import { requireUnblockedStatement } from "#app/domain/profiles/commands.server.ts";
import { conversations, messageReactions, messages } from "#drizzle/schema/messages.ts";

type OneMessage = { conversationId: string; seq: number; personId: string };

/**
 * Edits the person's own message in its first 15 minutes. Notifies nobody again. Refuses
 * MessageNotFound and MessageEditWindowOver.
 */
export async function editMessage(
  ctx: Context,
  { text, ...one }: OneMessage & { text: string },
): Promise<void> {
  const found = await ownMessage(ctx, one);
  const now = ctx.now();
  if (found.isDeleted) throw new MessageNotFound();
  if (!isEditable(found, now)) throw new MessageEditWindowOver();
  if (found.body === text) return;
  const still = and(
    isNull(messages.deletedAt),
    gt(messages.createdAt, now - MESSAGE_EDIT_WINDOW_MS),
  );
  await committed(ctx, found, one.personId, [
    ...changedStatements(ctx, one, { body: text, editedAt: now }, still),
  ]);
}

/**
 * Deletes the person's own message for both sides: its text and its reactions go, its place stays.
 * Safe to repeat. Refuses MessageNotFound.
 */
export async function deleteMessage(ctx: Context, one: OneMessage): Promise<void> {
  const found = await ownMessage(ctx, one);
  if (found.isDeleted) return;
  await committed(ctx, found, one.personId, [
    ...changedStatements(ctx, one, { body: "", deletedAt: ctx.now() }, isNull(messages.deletedAt)),
    ctx.db.delete(messageReactions).where(eq(messageReactions.messageId, found.id)),
  ]);
}

/**
 * Sets the person's reaction to a message, in place of an earlier one, or removes it with null.
 * Safe to repeat. Refuses MessageNotFound and TooManyReactions (60 a minute).
 */
export async function reactToMessage(
  ctx: Context,
  { emoji, ...one }: OneMessage & { emoji: Reaction | null },
): Promise<void> {
  const found = await messageSnapshot(ctx, one);
  if (!found || found.isDeleted) throw new MessageNotFound();
  const { personId } = one;
  const counted = { act: "message-reaction", personId, limits: REACTION_LIMITS };
  const own = and(
    eq(messageReactions.messageId, found.id),
    eq(messageReactions.personId, personId),
  );
  try {
    await committed(ctx, found, personId, [
      ...rateLimitStatements(ctx, counted),
      ...changedStatements(ctx, one, {}, isNull(messages.deletedAt)),
      emoji === null
        ? ctx.db.delete(messageReactions).where(own)
        : ctx.db
            .insert(messageReactions)
            .values({ messageId: found.id, personId, emoji, createdAt: ctx.now() })
            .onConflictDoUpdate({
              target: [messageReactions.messageId, messageReactions.personId],
              set: { emoji },
            }),
    ]);
  } catch (error) {
    if (!(error instanceof MessageNotFound)) throw error;
    const freeAt = await rateLimitResetAt(ctx, counted);
    throw freeAt > ctx.now() ? new TooManyReactions(freeAt) : error;
  }
}

async function ownMessage(ctx: Context, one: OneMessage): Promise<MessageSnapshot> {
  const found = await messageSnapshot(ctx, one);
  if (!found?.isOwn) throw new MessageNotFound();
  return found;
}

/** Moves the conversation's revision and stamps it on the message, so that open pages ask for it. */
function changedStatements(
  ctx: Context,
  { conversationId, seq }: OneMessage,
  set: { body?: string; editedAt?: number; deletedAt?: number },
  condition: SQL | undefined,
): BatchWrite[] {
  return [
    ctx.db
      .update(conversations)
      .set({ revision: sql`${conversations.revision} + 1` })
      .where(eq(conversations.id, conversationId)),
    mustChangeOne(
      ctx.db
        .update(messages)
        .set({
          ...set,
          revision: sql`(SELECT c.revision FROM conversations c WHERE c.id = ${conversationId})`,
        })
        .where(and(eq(messages.conversationId, conversationId), eq(messages.seq, seq), condition)),
    ),
  ];
}

async function committed(
  ctx: Context,
  { otherId }: MessageSnapshot,
  personId: string,
  writes: BatchWrite[],
): Promise<void> {
  try {
    await commit(ctx.db, [requireUnblockedStatement(ctx, { personId, otherId }), ...writes]);
  } catch (error) {
    throw error instanceof StaleWrite ? new MessageNotFound() : error;
  }
  await Promise.all([personId, otherId].map((one) => ctx.live.changed(inboxTopic(one))));
}
