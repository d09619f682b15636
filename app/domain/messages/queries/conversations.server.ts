import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { isBlockedBetween } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { MediaKind } from "#app/domain/media/schema.ts";
import { fileKindsJson } from "./files.server.ts";
import { filesLabel, tipText } from "#app/domain/messages/rules.ts";
import type { ConversationItem, ListFilter } from "#app/domain/messages/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Cursor, Page } from "#app/domain/page.ts";
import type { Instant } from "#app/domain/time.ts";

type ListRow = Omit<ConversationItem, "other" | "lastText"> & {
  otherId: string;
  otherName: string;
  otherUsername: string;
  otherAvatarMediaId: string | null;
  lastBody: string;
  lastFileKinds: MediaKind[];
  lastDeletedAt: Instant | null;
  lastTipCents: Cents | null;
};

/** True for members' rows `m` whose conversation is not across a block. */
const isOpenTo = (personId: string): SQL => sql`NOT ${isBlockedBetween(personId, sql`m.other_id`)}`;

/** Before the id in the cursor of a pinned conversation: pinned ones come first in the order. */
const PINNED = "pinned-";
const isPinnedCursor = ({ id }: Cursor): boolean => id.startsWith(PINNED);

/** True for members' rows `m` with a message that the person did not clear. */
const HAS_MESSAGES = sql`m.cleared_seq < (SELECT c.last_seq FROM conversations c WHERE c.id = m.conversation_id)`;

/**
 * Builds the statement behind `conversationsOf`. The index holds the list's order: pinned ones
 * first, then the latest.
 */
export function conversationsStatement(
  ctx: Context,
  {
    personId,
    filter,
    cursor,
    limit,
  }: { personId: string; filter: ListFilter; cursor: string | null; limit: number },
) {
  const box = filter === "requests" ? "request" : filter === "archived" ? "archived" : "inbox";
  const last = decodeCursor(cursor);
  const after = last
    ? sql`AND (m.is_pinned, m.last_at, m.conversation_id) < (${isPinnedCursor(last) ? 1 : 0}, ${last.at}, ${last.id.replace(PINNED, "")})`
    : sql``;
  const unread = filter === "unread" ? sql`AND m.is_unread = 1` : sql``;
  return ctx.db
    .select({
      row: sql<ListRow>`json_object('id', listed.conversation_id, 'otherId', listed.other_id, 'otherName', p.name, 'otherUsername', p.username,
        'otherAvatarMediaId', p.avatar_media_id, 'lastBody', last_message.body, 'lastFileKinds', json(${fileKindsJson(sql`last_message.files_id`)}), 'lastDeletedAt', last_message.deleted_at, 'lastTipCents', last_message.tip_cents,
        'isLastOwn', json(CASE WHEN last_message.sender_id = ${personId} THEN 'true' ELSE 'false' END),
        'lastAt', listed.last_at, 'unreadCount', listed.unread_count,
        'isUnread', json(CASE WHEN listed.is_unread = 1 THEN 'true' ELSE 'false' END),
        'isPinned', json(CASE WHEN listed.is_pinned = 1 THEN 'true' ELSE 'false' END),
        'isMuted', json(CASE WHEN listed.muted_at IS NOT NULL THEN 'true' ELSE 'false' END))`
        .mapWith((text: string): ListRow => JSON.parse(text))
        .as("conversation_row"),
    })
    .from(
      sql`(SELECT m.* FROM conversation_members m WHERE m.person_id = ${personId} AND m.box = ${box} ${unread} ${after}
        AND ${isOpenTo(personId)} AND ${HAS_MESSAGES}
        ORDER BY m.is_pinned DESC, m.last_at DESC, m.conversation_id DESC LIMIT ${limit + 1}) listed
      CROSS JOIN conversations c ON c.id = listed.conversation_id
      CROSS JOIN messages last_message ON last_message.conversation_id = c.id AND last_message.seq = c.last_seq
      CROSS JOIN profiles p ON p.person_id = listed.other_id`,
    )
    .orderBy(sql`listed.is_pinned DESC, listed.last_at DESC, listed.conversation_id DESC`);
}

type ListStatementRow = Awaited<ReturnType<typeof conversationsStatement>>[number];

/** Cuts the rows of `conversationsStatement` into a page. */
export function conversationsPage(rows: ListStatementRow[], limit: number): Page<ConversationItem> {
  const page = pageOf(rows, limit, ({ row }) => ({
    at: row.lastAt,
    id: row.isPinned ? `${PINNED}${row.id}` : row.id,
  }));
  return {
    next: page.next,
    items: page.items.map(({ row }) => ({
      id: row.id,
      other: {
        id: row.otherId,
        name: row.otherName,
        username: row.otherUsername,
        avatarMediaId: row.otherAvatarMediaId,
      },
      lastText: row.lastDeletedAt === null ? lastTextOf(row) : null,
      isLastOwn: row.isLastOwn,
      lastAt: row.lastAt,
      unreadCount: row.unreadCount,
      isUnread: row.isUnread,
      isPinned: row.isPinned,
      isMuted: row.isMuted,
    })),
  };
}

function lastTextOf({ lastBody, lastFileKinds, lastTipCents }: ListRow): string {
  if (lastTipCents !== null) return tipText(lastTipCents);
  return lastBody === "" ? filesLabel(lastFileKinds) : lastBody;
}

/** Builds the statement that counts the requests that the list shows, up to 100. */
export function requestCountStatement(ctx: Context, { personId }: { personId: string }) {
  return ctx.db
    .select({ count: sql<number>`COUNT(*)`.as("request_count") })
    .from(
      sql`(SELECT 1 FROM conversation_members m WHERE m.person_id = ${personId} AND m.box = 'request' AND ${isOpenTo(personId)} AND ${HAS_MESSAGES} LIMIT 100)`,
    );
}

/** Reads a page of a person's conversations. Leaves out blocks in either direction. */
export async function conversationsOf(
  ctx: Context,
  asked: { personId: string; filter: ListFilter; cursor: string | null; limit: number },
): Promise<Page<ConversationItem>> {
  return conversationsPage(await conversationsStatement(ctx, asked), asked.limit);
}
