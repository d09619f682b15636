import { and, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { guardStatement, mustChange } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { isBlockedBetween } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { readIfAllWasRead, returnsFromArchive } from "./statements.server.ts";
import type { MessageFilesWrite } from "./statements.server.ts";
import { conversationMembers, conversations } from "#drizzle/schema/messages.ts";

/** The files of a broadcast, which all of its messages share. */
export type SharedFiles = Pick<MessageFilesWrite, "isSensitive" | "priceCents"> & {
  filesId: string;
};

/** One message of a broadcast. `isFirst` starts the conversation. */
export type BroadcastDelivery = {
  personId: string;
  conversationId: string;
  isFirst: boolean;
  text: string;
};

type BroadcastPage = {
  senderId: string;
  /** The team member who wrote it; null for the sender. */
  writtenById: string | null;
  clientMessageId: string;
  sharedFiles: SharedFiles | null;
  /** Each person at most once. */
  deliveries: readonly BroadcastDelivery[];
};

/**
 * Builds the writes of one message to each of many people, in a few statements however many they
 * are. Each stores what `messageStatements` would, with two differences: the sender's list does not
 * move, and nobody is notified by the message. No list shows the sender the conversation that a
 * broadcast starts until one of the two writes in it, so that their lists hold only people who
 * wrote. A block refuses the batch, as does a conversation that started or ended meanwhile.
 */
export function broadcastMessagesStatements(ctx: Context, page: BroadcastPage): BatchWrite[] {
  const { deliveries } = page;
  const started = deliveries.filter(({ isFirst }) => isFirst);
  const continued = deliveries.filter(({ isFirst }) => !isFirst);
  return [
    requireNoneBlockedStatement(ctx, page),
    ...(started.length > 0 ? startedStatements(ctx, page.senderId, started) : []),
    ...(continued.length > 0 ? continuedStatements(ctx, page.senderId, continued) : []),
    ...(deliveries.length > 0 ? [messagesStatement(ctx, page)] : []),
  ];
}

function requireNoneBlockedStatement(ctx: Context, { senderId, deliveries }: BroadcastPage) {
  const people = listOf(deliveries.map(({ personId }) => personId));
  return guardStatement(
    ctx.db,
    sql`NOT EXISTS (SELECT 1 FROM ${people} one WHERE ${isBlockedBetween(senderId, sql`one.value`)})`,
  );
}

/** The conversations that start, as their first message leaves them. */
function startedStatements(
  ctx: Context,
  senderId: string,
  deliveries: readonly BroadcastDelivery[],
): BatchWrite[] {
  const now = ctx.now();
  const pairs = listOf(
    deliveries.map(({ conversationId, personId }) => [conversationId, personId]),
  );
  const [id, person] = [sql`one.value ->> 0`, sql`one.value ->> 1`];
  return [
    ctx.db.run(sql`INSERT INTO conversations (id, low_id, high_id, last_seq, revision, created_at)
      SELECT ${id}, MIN(${person}, ${senderId}), MAX(${person}, ${senderId}), 1, 1, ${now} FROM ${pairs} one`),
    ctx.db
      .run(sql`INSERT INTO conversation_members (conversation_id, person_id, other_id, box, read_seq, unread_count, is_unread, last_at)
      SELECT ${id}, ${senderId}, ${person}, 'broadcast', 1, 0, 0, ${now} FROM ${pairs} one
      UNION ALL SELECT ${id}, ${person}, ${senderId}, 'inbox', 0, 1, 1, ${now} FROM ${pairs} one`),
  ];
}

/** The counters and the two sides of the conversations that exist. */
function continuedStatements(
  ctx: Context,
  senderId: string,
  deliveries: readonly BroadcastDelivery[],
): BatchWrite[] {
  const ids = sql`(SELECT one.value FROM ${listOf(deliveries.map(({ conversationId }) => conversationId))} one)`;
  const members = conversationMembers;
  const lastSeq = sql`(SELECT c.last_seq FROM conversations c WHERE c.id = ${members.conversationId})`;
  const isHere = sql`${members.conversationId} IN ${ids}`;
  const writes = [
    ctx.db
      .update(conversations)
      .set({
        lastSeq: sql`${conversations.lastSeq} + 1`,
        revision: sql`${conversations.revision} + 1`,
      })
      .where(sql`${conversations.id} IN ${ids}`),
    ctx.db
      .update(members)
      .set({ readSeq: readIfAllWasRead(lastSeq) })
      .where(and(isHere, eq(members.personId, senderId))),
    ctx.db
      .update(members)
      .set({
        isUnread: true,
        unreadCount: sql`${members.unreadCount} + 1`,
        lastAt: ctx.now(),
        box: sql`CASE WHEN ${returnsFromArchive} THEN 'inbox' ELSE ${members.box} END`,
      })
      .where(and(isHere, eq(members.otherId, senderId))),
  ];
  return writes.map((write) => mustChange(deliveries.length, write));
}

/** The messages, each with the seq that the counters of its conversation have now. */
function messagesStatement(ctx: Context, page: BroadcastPage): BatchWrite {
  const { senderId, writtenById, clientMessageId, sharedFiles, deliveries } = page;
  const lines = listOf(
    deliveries.map(({ conversationId, text }) => [ctx.newId(), conversationId, text]),
  );
  return mustChange(
    deliveries.length,
    ctx.db
      .run(sql`INSERT INTO messages (id, conversation_id, sender_id, written_by_id, body, client_message_id, seq, revision, created_at, files_id, is_sensitive, price_cents)
      SELECT one.value ->> 0, c.id, ${senderId}, ${writtenById}, one.value ->> 2, ${clientMessageId}, c.last_seq, c.revision, ${ctx.now()},
        ${sharedFiles?.filesId ?? null}, ${sharedFiles?.isSensitive === true ? 1 : 0}, ${sharedFiles?.priceCents ?? null}
      FROM ${lines} one CROSS JOIN conversations c ON c.id = one.value ->> 1`),
  );
}

const listOf = (values: readonly unknown[]): SQL => sql`json_each(${JSON.stringify(values)})`;
