import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { isBlockedBetween, isInTeamAsMember } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { chatState } from "./rules.ts";
import type { ChatState } from "./rules.ts";
import type { ChatMessage, ChatRole } from "./schema.ts";
import { liveEventFrom, liveEventStatement } from "#app/domain/events/live/queries.server.ts";
import type { LiveEvent } from "#app/domain/events/live/queries.server.ts";
import { reactionsFrom, reactionsJson } from "#app/domain/messages/queries/reactions.server.ts";
import type { ReactionRow } from "#app/domain/messages/queries/reactions.server.ts";
import type { Instant } from "#app/domain/time.ts";

type ChatOf = { eventId: string; viewerId: string };

/** Which messages of a chat to read. `limit` counts messages. */
type ChatAsked = ChatOf & {
  /** Older than this seq, the latest first. */
  before?: number;
  /** Changed after this revision, in the order of their changes. */
  changedAfter?: number;
  limit: number;
};

/** An event with its chat. */
export type EventWithChat = {
  event: LiveEvent;
  chat: { state: ChatState; revision: number; messages: ChatMessage[] };
};

type ChatRow = Pick<ChatMessage, "id" | "seq" | "revision" | "clientMessageId" | "createdAt"> & {
  body: string;
  senderId: string;
  editedAt: Instant | null;
  deletedAt: Instant | null;
  replyTo: { seq: number; text: string; senderId: string; name: string } | null;
  reactions: ReactionRow[];
  name: string;
  username: string;
  isTeam: 0 | 1;
  isHost: 0 | 1;
};

/**
 * Builds the statement of a chat's messages. It leaves out those of people whom the viewer blocks
 * or who block the viewer, and of banned people. It does not ask who may read the chat.
 */
function messagesStatement(
  ctx: Context,
  { eventId, viewerId, before, changedAfter, limit }: ChatAsked,
) {
  const [range, order] =
    changedAfter === undefined
      ? [sql`message.seq < ${before ?? Number.MAX_SAFE_INTEGER}`, sql`message.seq DESC`]
      : [sql`message.revision > ${changedAfter}`, sql`message.revision`];
  return ctx.db
    .select({
      row: sql<ChatRow>`json_object('id', message.id, 'seq', message.seq, 'revision', message.revision, 'body', message.body, 'senderId', message.sender_id,
        'clientMessageId', message.client_message_id, 'createdAt', message.created_at, 'editedAt', message.edited_at, 'deletedAt', message.deleted_at,
        'replyTo', json(${answeredJson(viewerId)}), 'reactions', json(${reactionsJson(sql`message.id`, viewerId)}), 'name', p.name, 'username', p.username,
        'isHost', message.sender_id = e.creator_id, 'isTeam', ${isInTeamAsMember(sql`message.sender_id`, sql`e.creator_id`)})`
        .mapWith((text: string): ChatRow => JSON.parse(text))
        .as("chat_row"),
    })
    .from(
      sql`conversations room CROSS JOIN events e ON e.id = room.id CROSS JOIN messages message ON message.conversation_id = room.id
      CROSS JOIN profiles p ON p.person_id = message.sender_id CROSS JOIN people author ON author.id = message.sender_id`,
    )
    .where(
      sql`room.id = ${eventId} AND room.kind = 'event' AND ${range} AND author.banned_at IS NULL AND NOT ${isBlockedBetween(viewerId, sql`message.sender_id`)}`,
    )
    .orderBy(order)
    .limit(limit);
}

/** SQL: the message that `message` answers, as JSON; null where it is hidden from the viewer. */
const answeredJson = (viewerId: string): SQL =>
  sql`(SELECT json_object('seq', earlier.seq, 'text', SUBSTR(earlier.body, 1, 200), 'senderId', earlier.sender_id, 'name', writer.name)
    FROM messages earlier CROSS JOIN profiles writer ON writer.person_id = earlier.sender_id CROSS JOIN people person ON person.id = earlier.sender_id
    WHERE earlier.conversation_id = message.conversation_id AND earlier.seq = message.reply_to_seq AND message.deleted_at IS NULL
      AND person.banned_at IS NULL AND NOT ${isBlockedBetween(viewerId, sql`earlier.sender_id`)})`;

/** Builds the statement of a chat's revision. No row before its first message. */
const roomStatement = (ctx: Context, { eventId }: ChatOf) =>
  ctx.db
    .select({ revision: sql<number>`room.revision`.as("room_revision") })
    .from(sql`conversations room`)
    .where(sql`room.id = ${eventId} AND room.kind = 'event'`)
    .limit(1);

/**
 * Reads an event with messages of its chat, oldest first, in one call; null if the event is hidden.
 * The chat has no messages for who may not read it.
 */
export async function eventWithChat(ctx: Context, asked: ChatAsked): Promise<EventWithChat | null> {
  const [found, [room], rows] = await ctx.db.batch([
    liveEventStatement(ctx, asked),
    roomStatement(ctx, asked),
    messagesStatement(ctx, asked),
  ]);
  const event = liveEventFrom(ctx, found);
  if (!event) return null;
  const state = chatState(event, ctx.now());
  return {
    event,
    chat: {
      state,
      revision: room?.revision ?? 0,
      messages:
        state === "none"
          ? []
          : rows
              .map(({ row }) => messageFrom(row, asked.viewerId))
              .toSorted((one, other) => one.seq - other.seq),
    },
  };
}

function messageFrom(row: ChatRow, viewerId: string): ChatMessage {
  const isOwn = row.senderId === viewerId;
  const { replyTo } = row;
  return {
    id: row.id,
    seq: row.seq,
    revision: row.revision,
    text: row.body,
    isOwn,
    clientMessageId: isOwn ? row.clientMessageId : "",
    createdAt: row.createdAt,
    isEdited: row.editedAt !== null && row.deletedAt === null,
    isDeleted: row.deletedAt !== null,
    replyTo: replyTo && {
      seq: replyTo.seq,
      text: replyTo.text,
      name: replyTo.name,
      isOwn: replyTo.senderId === viewerId,
    },
    reactions: reactionsFrom(row.reactions),
    sender: { name: row.name, username: row.username, role: roleOf(row) },
  };
}

function roleOf({ isHost, isTeam }: ChatRow): ChatRole {
  if (isHost === 1) return "host";
  if (isTeam === 1) return "team";
  return "guest";
}

/** A message of a chat, and whether the person may delete it: their own, or they run the event. */
export type ChatMessageSnapshot = {
  message: ChatMessage;
  mayDelete: boolean;
  state: ChatState;
};

/** Reads one message of a chat; null for who may not read it, and where it is hidden from them. */
export async function chatMessage(
  ctx: Context,
  { seq, ...of }: ChatOf & { seq: number },
): Promise<ChatMessageSnapshot | null> {
  const found = await eventWithChat(ctx, { ...of, before: seq + 1, limit: 1 });
  const message = found?.chat.messages[0];
  if (!found || message?.seq !== seq) return null;
  const mayDelete = message.isOwn || found.event.runsIt;
  return { message, mayDelete, state: found.chat.state };
}

/** Reads the seq of the message that already has this key; null without one. */
export async function sentChatSeq(
  ctx: Context,
  { eventId, viewerId, clientMessageId }: ChatOf & { clientMessageId: string },
): Promise<number | null> {
  const row = await ctx.db
    .select({ seq: sql<number>`sent.seq`.as("sent_seq") })
    .from(sql`messages sent`)
    .where(
      sql`sent.conversation_id = ${eventId} AND sent.sender_id = ${viewerId} AND sent.client_message_id = ${clientMessageId}`,
    )
    .get();
  return row?.seq ?? null;
}
