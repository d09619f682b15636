import { and, eq, gt, isNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  MessageEditWindowOver,
  MessageNotFound,
  TooManyMessageChanges,
  TooManyReactions,
} from "#app/domain/messages/errors.ts";
import { messageSnapshot } from "#app/domain/messages/queries/message.server.ts";
import type { MessageSnapshot } from "#app/domain/messages/queries/message.server.ts";
import {
  inboxTopic,
  isEditable,
  MESSAGE_CHANGE_LIMITS,
  MESSAGE_EDIT_WINDOW_MS,
  REACTION_LIMITS,
} from "#app/domain/messages/rules.ts";
import type { Reaction } from "#app/domain/messages/rules.ts";
import { rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import { rateLimitResetAt } from "#app/domain/rate-limits/queries.server.ts";
import type { RateLimitedAction } from "#app/domain/rate-limits/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { requireUnblockedStatement } from "#app/domain/profiles/commands.server.ts";
import { conversations, messageReactions, messages } from "#drizzle/schema/messages.ts";

type OneMessage = { conversationId: string; seq: number; personId: string };

/**
 * Edits the person's own message in its first 15 minutes. `writtenById` is the team member who
 * edits it; null for the person. Notifies nobody again. Refuses MessageNotFound,
 * MessageEditWindowOver and TooManyMessageChanges.
 */
export async function editMessage(
  ctx: Context,
  { text, writtenById = null, ...one }: OneMessage & { text: string; writtenById?: string | null },
): Promise<void> {
  const found = await ownMessage(ctx, one);
  if (found.isDeleted) throw new MessageNotFound();
  if (!isEditable(found, ctx.now())) throw new MessageEditWindowOver();
  if (found.body === text) return;
  const writes = editedMessageStatements(ctx, { ...one, text, writtenById });
  await committed(ctx, found, changing(one), writes);
}

/**
 * Builds the writes that give a message another text, for a batch that decides who may. Stale where
 * it was deleted, or is older than 15 minutes.
 */
export function editedMessageStatements(
  ctx: Context,
  {
    text,
    writtenById,
    ...one
  }: Omit<OneMessage, "personId"> & { text: string; writtenById: string | null },
): BatchWrite[] {
  const now = ctx.now();
  const still = and(
    isNull(messages.deletedAt),
    gt(messages.createdAt, now - MESSAGE_EDIT_WINDOW_MS),
  );
  return changedStatements(ctx, one, { body: text, editedAt: now, writtenById }, still);
}

/**
 * Deletes the person's own message for both sides: its text, files and reactions go, its place
 * stays. A bought one is refunded a day later, as a post is. Safe to repeat. Refuses
 * MessageNotFound and TooManyMessageChanges.
 */
export async function deleteMessage(ctx: Context, one: OneMessage): Promise<void> {
  const found = await ownMessage(ctx, one);
  if (found.isDeleted) return;
  await committed(
    ctx,
    found,
    changing(one),
    deletedMessageStatements(ctx, { ...one, messageId: found.id }),
  );
}

/** Builds the writes that delete a message, for a batch that decides who may. */
export function deletedMessageStatements(
  ctx: Context,
  { messageId, ...one }: Omit<OneMessage, "personId"> & { messageId: string },
): BatchWrite[] {
  return [
    ...changedStatements(
      ctx,
      one,
      { body: "", deletedAt: ctx.now(), filesId: null, recording: null },
      isNull(messages.deletedAt),
    ),
    ctx.db.delete(messageReactions).where(eq(messageReactions.messageId, messageId)),
  ];
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
  const counted: Counted = {
    act: "message-reaction",
    personId,
    limits: REACTION_LIMITS,
    refusal: (freeAt) => new TooManyReactions(freeAt),
  };
  const writes = reactionStatements(ctx, { ...one, messageId: found.id, emoji });
  await committed(ctx, found, counted, writes);
}

/**
 * Builds the writes that set a person's reaction to a message, or remove it with null, for a batch
 * that decides who may. Stale where the message was deleted.
 */
export function reactionStatements(
  ctx: Context,
  { messageId, emoji, ...one }: OneMessage & { messageId: string; emoji: Reaction | null },
): BatchWrite[] {
  const { personId } = one;
  const own = and(
    eq(messageReactions.messageId, messageId),
    eq(messageReactions.personId, personId),
  );
  return [
    ...changedStatements(ctx, one, {}, isNull(messages.deletedAt)),
    emoji === null
      ? ctx.db.delete(messageReactions).where(own)
      : ctx.db
          .insert(messageReactions)
          .values({ messageId, personId, emoji, createdAt: ctx.now() })
          .onConflictDoUpdate({
            target: [messageReactions.messageId, messageReactions.personId],
            set: { emoji },
          }),
  ];
}

/** How an act on a message is counted, and what refuses one too many. */
type Counted = RateLimitedAction & { refusal: (freeAt: Instant) => Error };

const changing = ({ personId }: OneMessage): Counted => ({
  act: "message-change",
  personId,
  limits: MESSAGE_CHANGE_LIMITS,
  refusal: (freeAt) => new TooManyMessageChanges(freeAt),
});

async function ownMessage(ctx: Context, one: OneMessage): Promise<MessageSnapshot> {
  const found = await messageSnapshot(ctx, one);
  if (!found?.isOwn || found.isTip) throw new MessageNotFound();
  return found;
}

/** Moves the conversation's revision and stamps it on the message, so that open pages ask for it. */
function changedStatements(
  ctx: Context,
  { conversationId, seq }: Omit<OneMessage, "personId">,
  set: Partial<
    Pick<
      typeof messages.$inferInsert,
      "body" | "editedAt" | "deletedAt" | "writtenById" | "filesId" | "recording"
    >
  >,
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
  counted: Counted,
  writes: BatchWrite[],
): Promise<void> {
  const { personId, refusal } = counted;
  try {
    await commit(ctx.db, [
      ...rateLimitStatements(ctx, counted),
      requireUnblockedStatement(ctx, { personId, otherId }),
      ...writes,
    ]);
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    const freeAt = await rateLimitResetAt(ctx, counted);
    throw freeAt > ctx.now() ? refusal(freeAt) : new MessageNotFound();
  }
  await Promise.all([personId, otherId].map((one) => ctx.live.changed(inboxTopic(one))));
}
