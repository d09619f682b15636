import { and, eq, sql } from "drizzle-orm";
import type { AnyColumn, SQL } from "drizzle-orm";
import { commit, guardStatement, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import { isBlockedBetween } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import {
  CannotClearBought,
  CannotPin,
  ConversationNotFound,
  TooManyMessageChanges,
  TooManyPinned,
} from "#app/domain/messages/errors.ts";
import { inboxTopic, MESSAGE_CHANGE_LIMITS, PINNED_MAX } from "#app/domain/messages/rules.ts";
import type { Box } from "#app/domain/messages/rules.ts";
import type { ConversationAct, MessageSettings } from "#app/domain/messages/schema.ts";
import { rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import { rateLimitResetAt } from "#app/domain/rate-limits/queries.server.ts";
import { conversationMembers, conversations, messageSettings } from "#drizzle/schema/messages.ts";

type MemberOf = { conversationId: string; personId: string };
type MemberChange = {
  box?: SQL;
  readSeq?: SQL;
  unreadCount?: 0 | SQL;
  clearedSeq?: SQL;
  isUnread?: boolean | SQL;
  isPinned?: boolean;
  mutedAt?: number | null;
  notifyAt?: null | SQL;
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
      return {
        readSeq: lastSeqOf(conversationId),
        unreadCount: 0,
        isUnread: false,
        notifyAt: null,
      };
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
        unreadCount: 0,
        isUnread: false,
        isPinned: false,
        notifyAt: null,
      };
  }
}

/**
 * Changes how a person has one of their conversations. The other side sees none of it, except the
 * read mark and that a request was accepted. Refuses ConversationNotFound (for an outsider and
 * across a block), CannotPin outside the inbox, CannotClearBought, TooManyPinned and
 * TooManyMessageChanges.
 */
export async function changeConversation(
  ctx: Context,
  { act, ...one }: MemberOf & { act: ConversationAct },
): Promise<void> {
  if (act === "clear" && (await holdsPurchase(ctx, one))) throw new CannotClearBought();
  await changeMember(ctx, { ...one, act, change: changeOf(act, one.conversationId, ctx.now()) });
  if (act !== "accept") return;
  const row = await ctx.db
    .select({ otherId: conversationMembers.otherId })
    .from(conversationMembers)
    .where(ownRow(one))
    .get();
  // The sender may write again, and their open page says so.
  if (row) await ctx.live.changed(inboxTopic(row.otherId));
}

/** Whether the person holds, or is paying for, a file of the conversation. */
async function holdsPurchase(
  ctx: Context,
  { conversationId, personId }: MemberOf,
): Promise<boolean> {
  const row = await ctx.db
    .select({ id: sql<string>`bought.id`.as("bought_id") })
    .from(sql`purchases bought CROSS JOIN messages sold ON sold.id = bought.target_id`)
    .where(
      sql`bought.person_id = ${personId} AND bought.kind = 'message' AND bought.ended_at IS NULL AND sold.conversation_id = ${conversationId}`,
    )
    .limit(1)
    .get();
  return row !== undefined;
}

const ownRow = ({ conversationId, personId }: MemberOf) =>
  and(
    eq(conversationMembers.conversationId, conversationId),
    eq(conversationMembers.personId, personId),
  );

async function changeMember(
  ctx: Context,
  {
    conversationId,
    personId,
    act,
    change,
  }: MemberOf & { act: ConversationAct; change: MemberChange },
): Promise<void> {
  const counted = { act: "message-change", personId, limits: MESSAGE_CHANGE_LIMITS };
  const isMember = sql`EXISTS (SELECT 1 FROM conversation_members m WHERE m.conversation_id = ${conversationId} AND m.person_id = ${personId}
    AND NOT ${isBlockedBetween(personId, sql`m.other_id`)})`;
  const pinned = sql`(SELECT COUNT(*) FROM conversation_members m WHERE m.person_id = ${personId} AND m.box = 'inbox' AND m.is_pinned = 1 AND m.conversation_id <> ${conversationId})`;
  const writes: BatchWrite[] = [
    // An opened page reads by itself; the person's own acts are counted.
    ...(act === "read" ? [] : rateLimitStatements(ctx, counted)),
    guardStatement(ctx.db, isMember),
    mustChangeOne(
      ctx.db
        .update(conversationMembers)
        .set(change)
        .where(
          and(
            ownRow({ conversationId, personId }),
            act === "pin"
              ? sql`${conversationMembers.box} = 'inbox' AND ${pinned} < ${PINNED_MAX}`
              : undefined,
          ),
        ),
    ),
  ];
  try {
    await commit(ctx.db, writes);
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    const [row] = await ctx.db
      .select({ box: conversationMembers.box })
      .from(conversationMembers)
      .where(and(ownRow({ conversationId, personId }), isMember));
    if (!row) throw new ConversationNotFound();
    const freeAt = await rateLimitResetAt(ctx, counted);
    if (freeAt > ctx.now()) throw new TooManyMessageChanges(freeAt);
    throw row.box === "inbox" ? new TooManyPinned() : new CannotPin();
  }
  await ctx.live.changed(inboxTopic(personId));
}

/**
 * Marks a conversation as read up to `lastSeq`; a later message stays unread. The open pages of
 * `otherId` are updated and show the read mark; null for a request, of which nothing may tell that
 * it was read, and where one of the two hides it.
 */
export async function readConversation(
  ctx: Context,
  { lastSeq, otherId, ...one }: MemberOf & { otherId: string | null; lastSeq: number },
): Promise<void> {
  const isAll = sql`${lastSeqOf(one.conversationId)} <= ${lastSeq}`;
  const unless = (column: AnyColumn, cleared: SQL) =>
    sql`CASE WHEN ${isAll} THEN ${cleared} ELSE ${column} END`;
  const readSeq = sql`MAX(${conversationMembers.readSeq}, MIN(${lastSeq}, ${lastSeqOf(one.conversationId)}))`;
  const change = {
    readSeq,
    // Few messages arrive between the load of a page and this, so that few rows are counted.
    unreadCount: sql`(SELECT COUNT(*) FROM messages newer WHERE newer.conversation_id = ${one.conversationId} AND newer.seq > ${readSeq} AND newer.sender_id <> ${one.personId})`,
    isUnread: unless(conversationMembers.isUnread, sql`0`),
    notifyAt: unless(conversationMembers.notifyAt, sql`NULL`),
  };
  await changeMember(ctx, { ...one, act: "read", change });
  if (otherId !== null) await ctx.live.changed(inboxTopic(otherId));
}

/** Saves a person's choices about their conversations. */
export async function saveMessageSettings(
  ctx: Context,
  { personId, ...chosen }: { personId: string } & MessageSettings,
): Promise<void> {
  const set = { ...chosen, writerPlanIds: chosen.writers === "plans" ? chosen.writerPlanIds : [] };
  await commit(ctx.db, [
    ctx.db
      .insert(messageSettings)
      .values({ personId, ...set })
      .onConflictDoUpdate({ target: messageSettings.personId, set }),
  ]);
}
