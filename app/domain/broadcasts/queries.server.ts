import { and, eq, getTableColumns, sql } from "drizzle-orm";
import { BROADCAST_INTERVAL_MS, BROADCAST_STATES, SEGMENTS } from "./rules.ts";
import type { Broadcast, BroadcastStatistics } from "./schema.ts";
import type { Context } from "#app/domain/context.ts";
import { filesFrom, filesJson } from "#app/domain/messages/queries/files.server.ts";
import type { StoredFile } from "#app/domain/messages/queries/files.server.ts";
import { isWritten } from "#app/domain/messages/queries/writing.server.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import type { Instant } from "#app/domain/time.ts";
import { broadcasts } from "#drizzle/schema/broadcasts.ts";

const withFiles = {
  ...getTableColumns(broadcasts),
  storedFiles: sql<StoredFile[]>`${filesJson(sql`broadcasts.id`)}`
    .mapWith((text: string): StoredFile[] => JSON.parse(text))
    .as("stored_files"),
};
type Row = typeof broadcasts.$inferSelect & { storedFiles: StoredFile[] };

/** Reads a broadcast of any creator; null if there is none. */
export async function broadcastById(
  ctx: Context,
  { id }: { id: string },
): Promise<Broadcast | null> {
  const row = await ctx.db.select(withFiles).from(broadcasts).where(eq(broadcasts.id, id)).get();
  return row ? broadcastFrom(row) : null;
}

/** Reads a creator's own broadcast; null for one of somebody else. */
export async function broadcastOf(
  ctx: Context,
  { id, creatorId }: { id: string; creatorId: string },
): Promise<Broadcast | null> {
  const found = await broadcastById(ctx, { id });
  return found?.creatorId === creatorId ? found : null;
}

/** Reads a page of a creator's broadcasts, newest first. */
export async function broadcastsOf(
  ctx: Context,
  { creatorId, cursor, limit }: { creatorId: string; cursor: string | null; limit: number },
): Promise<Page<Broadcast>> {
  const after = decodeCursor(cursor);
  const rows = await ctx.db
    .select(withFiles)
    .from(broadcasts)
    .where(
      and(
        eq(broadcasts.creatorId, creatorId),
        after
          ? sql`(${broadcasts.createdAt}, ${broadcasts.id}) < (${after.at}, ${after.id})`
          : undefined,
      ),
    )
    .orderBy(sql`${broadcasts.createdAt} DESC`, sql`${broadcasts.id} DESC`)
    .limit(limit + 1);
  return pageOf(rows.map(broadcastFrom), limit, ({ createdAt, id }) => ({ at: createdAt, id }));
}

function broadcastFrom({ body, segment, state, storedFiles, ...row }: Row): Broadcast {
  return {
    ...row,
    files: filesFrom({ files: storedFiles, isSensitive: row.isSensitive ? 1 : 0, recording: null }),
    text: body,
    segment: SEGMENTS.find((one) => one === segment) ?? "subscribers",
    state: BROADCAST_STATES.find((one) => one === state) ?? "canceled",
  };
}

/**
 * Counts the recipients who read a broadcast, where they and the creator show it, those who wrote
 * after it (a tip is no answer), and those who hold its files that they bought. Reads about four
 * rows a recipient.
 */
export async function broadcastStatistics(
  ctx: Context,
  { id }: { id: string },
): Promise<BroadcastStatistics> {
  const isHidden = sql`EXISTS (SELECT 1 FROM message_settings hidden WHERE hidden.person_id IN (r.person_id, (SELECT b.creator_id FROM broadcasts b WHERE b.id = r.broadcast_id)) AND hidden.shows_reads = 0)`;
  const isAnswered = sql`EXISTS (SELECT 1 FROM messages line WHERE line.conversation_id = r.conversation_id AND line.seq > r.seq AND line.sender_id = r.person_id AND ${isWritten})`;
  const row = await ctx.db
    .select({
      openedCount: sql<number>`COALESCE(SUM(m.read_seq >= r.seq AND NOT ${isHidden}), 0)`.as(
        "opened_count",
      ),
      answeredCount: sql<number>`COALESCE(SUM(${isAnswered}), 0)`.as("answered_count"),
      boughtCount: sql<number>`COUNT(bought.id)`.as("bought_count"),
      boughtCents: sql<number>`COALESCE(SUM(bought.amount_cents), 0)`.as("bought_cents"),
    })
    .from(
      sql`broadcast_recipients r CROSS JOIN conversation_members m ON m.conversation_id = r.conversation_id AND m.person_id = r.person_id
        LEFT JOIN messages sold ON sold.conversation_id = r.conversation_id AND sold.seq = r.seq AND sold.price_cents IS NOT NULL
        LEFT JOIN purchases bought ON bought.target_id = sold.id AND bought.kind = 'message' AND bought.person_id = r.person_id AND bought.bought_at IS NOT NULL AND bought.ended_at IS NULL`,
    )
    .where(sql`r.broadcast_id = ${id} AND r.seq IS NOT NULL`)
    .get();
  return row ?? { openedCount: 0, answeredCount: 0, boughtCount: 0, boughtCents: 0 };
}

/** The condition on `broadcasts` for those that take a day of their creator. */
const TAKES_A_DAY = sql`other.send_at IS NOT NULL AND (other.state <> 'canceled' OR other.started_at IS NOT NULL)`;

/** Builds the query of a creator's other broadcasts that are less than a day from `at`. */
export function broadcastsNear(broadcast: { id: string; creatorId: string; at: Instant }) {
  const { id, creatorId, at } = broadcast;
  return sql`SELECT other.send_at FROM broadcasts other WHERE other.creator_id = ${creatorId} AND other.id <> ${id} AND ${TAKES_A_DAY}
    AND other.send_at > ${at - BROADCAST_INTERVAL_MS} AND other.send_at < ${at + BROADCAST_INTERVAL_MS}`;
}

/** The latest of the broadcasts that are less than a day from `at`; null without one. */
export async function latestBroadcastNear(
  ctx: Context,
  broadcast: { id: string; creatorId: string; at: Instant },
): Promise<Instant | null> {
  const row = await ctx.db
    .select({ at: sql<number | null>`MAX(near.send_at)`.as("near_at") })
    .from(sql`(${broadcastsNear(broadcast)}) near`)
    .get();
  return row?.at ?? null;
}

/**
 * Reads the broadcasts that a worker is to continue: scheduled ones that are due, and running ones
 * whose next page is in no queue any more.
 */
export async function dueBroadcasts(ctx: Context, { limit }: { limit: number }): Promise<string[]> {
  const rows = await ctx.db.all<{ id: string }>(sql`
    SELECT id FROM (SELECT b.id AS id FROM broadcasts b WHERE b.state = 'scheduled' AND b.send_at <= ${ctx.now()} ORDER BY b.send_at LIMIT ${limit})
    UNION ALL
    SELECT id FROM (SELECT b.id AS id FROM broadcasts b WHERE b.state = 'sending' AND b.enqueued_until <= ${ctx.realNow()} ORDER BY b.enqueued_until LIMIT ${limit})`);
  return rows.map(({ id }) => id);
}
