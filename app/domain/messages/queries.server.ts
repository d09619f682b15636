import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { isBlockedBetween, isMessageBought } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { canSellSql } from "#app/domain/documents/queries.server.ts";
import type { MediaKind } from "#app/domain/media/schema.ts";
import {
  boxOf,
  writingFrom,
  writingStatement,
} from "#app/domain/messages/queries/writing.server.ts";
import { fileKindsJson, filesFrom, filesJson } from "#app/domain/messages/queries/files.server.ts";
import type { StoredFile } from "#app/domain/messages/queries/files.server.ts";
import { reactionsFrom, reactionsJson } from "#app/domain/messages/queries/reactions.server.ts";
import type { ReactionRow } from "#app/domain/messages/queries/reactions.server.ts";
import { decideWriting } from "#app/domain/messages/rules/writing.ts";
import type { WritingDecision } from "#app/domain/messages/rules/writing.ts";
import type { ConversationHead, Message, MessageSale } from "./schema.ts";
import type { Recording } from "#app/domain/messages/rules/recording.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";

/** True for members' rows `m` whose conversation is not across a block. */
const isOpenTo = (personId: string): SQL => sql`NOT ${isBlockedBetween(personId, sql`m.other_id`)}`;

/** Whether neither of the two people of the member's row `m` hides it. */
const bothShow = (column: "shows_reads" | "shows_presence"): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM message_settings hidden WHERE hidden.person_id IN (m.person_id, m.other_id) AND hidden.${sql.raw(column)} = 0)`;

type ReadingOf = { conversationId: string; personId: string };

/** Builds the statement of a conversation's head. No row for an outsider or across a block. */
function headStatement(ctx: Context, { conversationId, personId }: ReadingOf) {
  return ctx.db
    .select({
      row: sql<HeadRow>`json_object('otherId', m.other_id, 'name', p.name, 'username', p.username, 'avatarMediaId', p.avatar_media_id,
        'isCreator', p.is_creator, 'box', m.box, 'isPinned', m.is_pinned, 'mutedAt', m.muted_at, 'isUnread', m.is_unread, 'readSeq', m.read_seq,
        'lastSeq', c.last_seq, 'revision', c.revision, 'otherBox', theirs.box, 'otherReadSeq', theirs.read_seq,
        'canSell', EXISTS (SELECT 1 FROM profiles own WHERE own.person_id = m.person_id AND own.is_creator = 1) AND ${canSellSql(sql`m.person_id`, ctx.now())},
        'otherSells', p.is_creator AND ${canSellSql(sql`m.other_id`, ctx.now())},
        'showsReads', ${bothShow("shows_reads")}, 'showsPresence', ${bothShow("shows_presence")})`
        .mapWith((text: string): HeadRow => JSON.parse(text))
        .as("head_row"),
    })
    .from(
      sql`conversation_members m
      CROSS JOIN conversations c ON c.id = m.conversation_id
      CROSS JOIN conversation_members theirs ON theirs.conversation_id = m.conversation_id AND theirs.person_id = m.other_id
      CROSS JOIN profiles p ON p.person_id = m.other_id`,
    )
    .where(
      sql`m.conversation_id = ${conversationId} AND m.person_id = ${personId} AND ${isOpenTo(personId)}`,
    );
}

type HeadRow = {
  otherId: string;
  name: string;
  username: string;
  avatarMediaId: string | null;
  isCreator: 0 | 1;
  box: string;
  isPinned: 0 | 1;
  mutedAt: Instant | null;
  isUnread: 0 | 1;
  readSeq: number;
  lastSeq: number;
  revision: number;
  otherBox: string;
  otherReadSeq: number;
  canSell: 0 | 1;
  otherSells: 0 | 1;
  showsReads: 0 | 1;
  showsPresence: 0 | 1;
};

/** Which messages of a conversation to read. `limit` counts messages. */
export type MessagesAsked = ReadingOf & {
  /** Older than this seq, the latest first. */
  before?: number;
  /** Newer than this seq, the oldest first. */
  after?: number;
  /** Changed after this revision, in the order of their changes. */
  changedAfter?: number;
  limit: number;
};

type MessageRow = {
  id: string;
  seq: number;
  revision: number;
  body: string;
  senderId: string;
  writtenBy: string | null;
  clientMessageId: string;
  createdAt: Instant;
  editedAt: Instant | null;
  deletedAt: Instant | null;
  replyToSeq: number | null;
  /** Null for a message that the person cleared for themselves, empty for a deleted one. */
  replyBody: string | null;
  replySenderId: string | null;
  /** Empty while they are not bought, too. */
  files: StoredFile[];
  /** Of files that are sold. */
  soldKinds: MediaKind[];
  priceCents: Cents | null;
  isBought: 0 | 1;
  tipCents: Cents | null;
  isSensitive: 0 | 1;
  recording: Recording | null;
  reactions: ReactionRow[];
};

/** Builds the statement behind `messagesOf`. No rows for an outsider or across a block. */
function messagesStatement(ctx: Context, asked: MessagesAsked) {
  const { conversationId, personId, before, after, changedAfter, limit } = asked;
  const [range, order] =
    changedAfter !== undefined
      ? [sql`message.revision > ${changedAfter}`, sql`message.revision`]
      : after !== undefined
        ? [sql`message.seq > ${after}`, sql`message.seq`]
        : [sql`message.seq < ${before ?? Number.MAX_SAFE_INTEGER}`, sql`message.seq DESC`];
  // The recipient is the one person who can buy.
  const recipient = sql`CASE WHEN message.sender_id = m.person_id THEN m.other_id ELSE m.person_id END`;
  const isBought = sql`CASE WHEN message.price_cents IS NULL THEN 0 ELSE ${isMessageBought(sql`message.id`, recipient)} END`;
  return ctx.db
    .select({
      row: sql<MessageRow>`json_object('id', message.id, 'seq', message.seq, 'revision', message.revision, 'body', message.body, 'senderId', message.sender_id,
        'writtenBy', (SELECT writer.name FROM profiles writer WHERE writer.person_id = message.written_by_id),
        'clientMessageId', message.client_message_id, 'createdAt', message.created_at, 'editedAt', message.edited_at, 'deletedAt', message.deleted_at,
        'replyToSeq', message.reply_to_seq,
        'soldKinds', json(CASE WHEN message.price_cents IS NULL THEN '[]' ELSE ${fileKindsJson(sql`message.files_id`)} END),
        'priceCents', message.price_cents, 'isBought', ${isBought}, 'tipCents', message.tip_cents,
        'files', json(CASE WHEN message.price_cents IS NULL OR message.sender_id = m.person_id OR ${isBought} THEN ${filesJson(sql`message.files_id`)} ELSE '[]' END),
        'isSensitive', message.is_sensitive, 'recording', json(message.recording),
        'replyBody', (SELECT CASE WHEN earlier.files_id IS NOT NULL AND earlier.body = '' THEN 'Arquivo' ELSE SUBSTR(earlier.body, 1, 200) END FROM messages earlier WHERE earlier.conversation_id = message.conversation_id AND earlier.seq = message.reply_to_seq AND earlier.seq > m.cleared_seq),
        'replySenderId', (SELECT earlier.sender_id FROM messages earlier WHERE earlier.conversation_id = message.conversation_id AND earlier.seq = message.reply_to_seq),
        'reactions', json(${reactionsJson(sql`message.id`, personId)}))`
        .mapWith((text: string): MessageRow => JSON.parse(text))
        .as("message_row"),
    })
    .from(
      sql`conversation_members m CROSS JOIN messages message ON message.conversation_id = m.conversation_id`,
    )
    .where(
      sql`m.conversation_id = ${conversationId} AND m.person_id = ${personId} AND message.seq > m.cleared_seq AND ${range} AND ${isOpenTo(personId)}`,
    )
    .orderBy(order)
    .limit(limit);
}

type MessageStatementRow = Awaited<ReturnType<typeof messagesStatement>>[number];

/** Maps rows of `messagesStatement` to messages, oldest first, as `personId` sees them. */
function messagesFrom(rows: MessageStatementRow[], personId: string): Message[] {
  return rows
    .map(({ row }) => messageFrom(row, personId))
    .toSorted((one, other) => one.seq - other.seq);
}

function messageFrom(row: MessageRow, personId: string): Message {
  const isOwn = row.senderId === personId;
  return {
    id: row.id,
    seq: row.seq,
    revision: row.revision,
    text: row.body,
    isOwn,
    writtenBy: isOwn ? row.writtenBy : null,
    clientMessageId: isOwn ? row.clientMessageId : "",
    createdAt: row.createdAt,
    isEdited: row.editedAt !== null && row.deletedAt === null,
    isDeleted: row.deletedAt !== null,
    replyTo:
      row.replyToSeq === null || row.replyBody === null || row.deletedAt !== null
        ? null
        : {
            seq: row.replyToSeq,
            text: row.replyBody,
            isOwn: row.replySenderId === personId,
          },
    files: row.deletedAt === null ? filesFrom(row) : [],
    sale: saleFrom(row, isOwn),
    tipCents: row.tipCents,
    reactions: reactionsFrom(row.reactions),
  };
}

function saleFrom(
  { priceCents, soldKinds, isBought, deletedAt }: MessageRow,
  isOwn: boolean,
): MessageSale | null {
  if (priceCents === null || soldKinds.length === 0 || deletedAt !== null) return null;
  return {
    priceCents,
    fileKinds: soldKinds,
    isBought: isBought === 1,
    isOpen: isOwn || isBought === 1,
  };
}

/** Reads messages, oldest first. Empty for an outsider and across a block. */
export async function messagesOf(ctx: Context, asked: MessagesAsked): Promise<Message[]> {
  return messagesFrom(await messagesStatement(ctx, asked), asked.personId);
}

/** Reads a conversation with some of its messages in one call; null for an outsider. */
export async function conversationWith(
  ctx: Context,
  asked: MessagesAsked,
): Promise<{ head: ConversationHead; messages: Message[] } | null> {
  const [[head], [writing], messages] = await ctx.db.batch([
    headStatement(ctx, asked),
    writingStatement(ctx, asked),
    messagesStatement(ctx, asked),
  ]);
  if (!head) return null;
  const target = writing ? writingFrom(ctx, asked, writing.row) : null;
  return {
    head: headFrom(
      asked.conversationId,
      head.row,
      target ? decideWriting(target) : { box: null, problem: "unreachable" },
    ),
    messages: messagesFrom(messages, asked.personId),
  };
}

function headFrom(id: string, row: HeadRow, { box, problem }: WritingDecision): ConversationHead {
  const isOpen = (box: string) => box === "inbox" || box === "archived";
  const hasAccepted = isOpen(row.otherBox);
  return {
    id,
    other: {
      id: row.otherId,
      name: row.name,
      username: row.username,
      avatarMediaId: row.avatarMediaId,
      isCreator: row.isCreator === 1,
    },
    box: boxOf(row.box) ?? "inbox",
    isPinned: row.isPinned === 1,
    isMuted: row.mutedAt !== null,
    isUnread: row.isUnread === 1,
    readSeq: row.readSeq,
    lastSeq: row.lastSeq,
    revision: row.revision,
    otherReadSeq: hasAccepted && row.showsReads === 1 ? row.otherReadSeq : null,
    showsReads: row.showsReads === 1,
    showsPresence: isOpen(row.box) && hasAccepted && row.showsPresence === 1,
    writingProblem: problem,
    canSendFile: box === "inbox",
    canSellFile: box === "inbox" && row.canSell === 1,
    acceptsTips: row.otherSells === 1 && problem !== "unreachable",
  };
}
