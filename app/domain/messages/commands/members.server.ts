import { and, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { commit, guardStatement, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import { isBlockedBetween } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { ConversationNotFound, TooManyPinned } from "#app/domain/messages/errors.ts";
import { inboxTopic, PINNED_MAX } from "#app/domain/messages/rules.ts";
import type { Box, WriterChoice } from "#app/domain/messages/rules.ts";
import type { ConversationAct } from "#app/domain/messages/schema.ts";
import { conversationMembers, conversations, messageSettings } from "#drizzle/schema/messages.ts";

type MemberOf = { conversationId: string; personId: string };
type MemberChange = {
  box?: SQL;
  readSeq?: SQL;
  clearedSeq?: SQL;
  isUnread?: boolean;
  isPinned?: boolean;
  mutedAt?: number | null;
  notifyAt?: null;
};

const lastSeqOf = (conversationId: string): SQL =>
  sql`(SELECT ${conversations.lastSeq} FROM ${conversations} WHERE ${conversations.id} = ${conversationId})`;

/** Sets a text of the box where it is one of `from`; anything else stays. */
const boxFrom = (from: readonly Box[], to: Box): SQL =>
  sql`CASE WHEN ${conversationMembers.box} IN (${sql.join(
    from.map((box) => sql`${box}`),
    sql`, `,
  )}) THEN ${to} ELSE ${conversationMembers.box} END`;

/** What each act changes in the person's own row. Each names a state, so that it is safe to repeat. */
function changeOf(act: ConversationAct, conversationId: string, now: number): MemberChange {
  switch (act) {
    case "read":
      return { readSeq: lastSeqOf(conversationId), isUnread: false, notifyAt: null };
    case "unread":
      return { isUnread: true };
    case "archive":
      return { box: boxFrom(["inbox"], "archived"), isPinned: false };
    case "unarchive":
      return { box: boxFrom(["archived"], "inbox") };
    case "mute":
      return { mutedAt: now, notifyAt: null };
    case "unmute":
      return { mutedAt: null };
    case "pin":
      return { isPinned: true };
    case "unpin":
      return { isPinned: false };
    case "accept":
      return { box: boxFrom(["request", "refused"], "inbox") };
    case "refuse":
      return { box: boxFrom(["request"], "refused"), isUnread: false, notifyAt: null };
    case "clear":
      return {
        clearedSeq: lastSeqOf(conversationId),
        readSeq: lastSeqOf(conversationId),
        isUnread: false,
        isPinned: false,
        notifyAt: null,
      };
  }
}

/**
 * Changes how a person has one of their conversations. The other side sees none of it, except the
 * read mark and that a request was accepted. Refuses ConversationNotFound (for an outsider and
 * across a block) and TooManyPinned.
 */
export async function changeConversation(
  ctx: Context,
  { conversationId, personId, act }: MemberOf & { act: ConversationAct },
): Promise<void> {
  const change = changeOf(act, conversationId, ctx.now());
  const isMember = sql`EXISTS (SELECT 1 FROM conversation_members m WHERE m.conversation_id = ${conversationId} AND m.person_id = ${personId}
    AND NOT ${isBlockedBetween(personId, sql`m.other_id`)})`;
  const pinned = sql`(SELECT COUNT(*) FROM conversation_members m WHERE m.person_id = ${personId} AND m.box = 'inbox' AND m.is_pinned = 1 AND m.conversation_id <> ${conversationId})`;
  const writes: BatchWrite[] = [
    guardStatement(ctx.db, isMember),
    mustChangeOne(
      ctx.db
        .update(conversationMembers)
        .set(change)
        .where(
          and(
            eq(conversationMembers.conversationId, conversationId),
            eq(conversationMembers.personId, personId),
            act === "pin" ? sql`${pinned} < ${PINNED_MAX}` : undefined,
          ),
        ),
    ),
  ];
  try {
    await commit(ctx.db, writes);
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    const [row] = await ctx.db
      .select({ holds: sql<number>`${isMember}`.as("is_member") })
      .from(sql`(SELECT 1)`);
    throw row?.holds === 1 ? new TooManyPinned() : new ConversationNotFound();
  }
  await ctx.live.changed(inboxTopic(personId));
}

/**
 * Marks everything of a conversation as read. The open pages of `otherId` hear of it and show the
 * read mark; null for a request, of which nothing may tell that it was read.
 */
export async function readConversation(
  ctx: Context,
  { conversationId, personId, otherId }: MemberOf & { otherId: string | null },
): Promise<void> {
  await changeConversation(ctx, { conversationId, personId, act: "read" });
  if (otherId !== null) await ctx.live.changed(inboxTopic(otherId));
}

/** Saves who may write to a creator. */
export async function chooseWriters(
  ctx: Context,
  { personId, writers }: { personId: string; writers: WriterChoice },
): Promise<void> {
  await commit(ctx.db, [
    ctx.db
      .insert(messageSettings)
      .values({ personId, writers })
      .onConflictDoUpdate({ target: messageSettings.personId, set: { writers } }),
  ]);
}
