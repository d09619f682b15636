import { sql } from "drizzle-orm";
import type { DayRange } from "#app/domain/analytics/ranges/rules.ts";
import type { Context } from "#app/domain/context.ts";
import { BEHIND_UTC_MS, DAY_MS, startOfDay } from "#app/domain/time.ts";
import { POSTS_SHOWN } from "./schema.ts";
import type { PostNumbers, PostOrder, StepPlays } from "./schema.ts";

const ORDER_SQL: Record<PostOrder, string> = {
  views: "views DESC",
  readers: "readers DESC",
  likes: "likesCount DESC",
  sales: "salesCents DESC",
  newest: "publishedAt DESC",
};

/** Opened and clicked emails over fewer of a range than this would say who they are. */
const TOTALS_FROM = 10;

/** The seen, sold and new posts of a range of which a table shows the first ones. */
const CANDIDATES = 200;

/**
 * Reads the posts that were seen or sold most in a range, and the newest of it. Deleted posts are
 * not shown; their views stay in the sums of the page. Reads summed days, never single views.
 */
export async function postNumbers(
  ctx: Context,
  asked: Parameters<typeof postNumbersStatement>[1],
): Promise<PostNumbers[]> {
  return await postNumbersStatement(ctx, asked);
}

/** Builds the statement of `postNumbers`, for a batch of several creators. */
export function postNumbersStatement(
  ctx: Context,
  {
    creatorId,
    range,
    order = "views",
    limit = POSTS_SHOWN,
    postId = null,
  }: {
    creatorId: string;
    range: DayRange;
    order?: PostOrder;
    limit?: number;
    /** That post alone, whether or not it was seen. */
    postId?: string | null;
  },
) {
  const only = (column: string) =>
    postId === null ? sql`` : sql` AND ${sql.raw(column)} = ${postId}`;
  const within = sql`creator_id = ${creatorId} AND day BETWEEN ${range.from} AND ${range.until}`;
  const day = sql.raw(`CAST((p.published_at - ${BEHIND_UTC_MS}) / ${DAY_MS} AS INTEGER)`);
  const mailed = (column: string) =>
    sql`COALESCE((SELECT SUM(${sql.raw(`d.${column}`)}) FROM newsletter_days d WHERE d.post_id = p.id AND d.day BETWEEN ${range.from} AND ${range.until}), 0)`;
  return ctx.db.all<PostNumbers>(sql`
    WITH seen AS (
      SELECT subject AS id, SUM(views) AS views, SUM(visitors) AS readers, SUM(plays) AS plays, SUM(reads) AS reads, SUM(read_seconds) AS seconds FROM analytics_days
      WHERE ${within}${only("subject")} GROUP BY subject ORDER BY views DESC LIMIT ${CANDIDATES}
    ), sold AS (
      SELECT item_id AS id, SUM(count) AS sales, SUM(amount_cents) AS salesCents FROM analytics_items
      WHERE ${within} AND kind = 'post'${only("item_id")} GROUP BY item_id ORDER BY salesCents DESC LIMIT ${CANDIDATES}
    ), fresh AS (
      SELECT id FROM posts WHERE author_id = ${creatorId} AND published_at >= ${startOfDay(range.from)} AND published_at < ${startOfDay(range.until + 1)}
      ORDER BY published_at DESC LIMIT ${CANDIDATES}
    ), chosen AS (
      SELECT p.id, p.author_id, p.title, p.published_at, p.published_at AS publishedAt, COALESCE(seen.views, 0) AS views, COALESCE(seen.readers, 0) AS readers,
        COALESCE(seen.plays, 0) AS plays, CAST(seen.seconds AS REAL) / NULLIF(seen.reads, 0) AS readSeconds, p.likes_count AS likesCount, p.comments_count AS commentsCount,
        COALESCE(sold.sales, 0) AS sales, COALESCE(sold.salesCents, 0) AS salesCents
      FROM (SELECT id FROM seen UNION SELECT id FROM sold UNION SELECT id FROM fresh UNION SELECT ${postId}) some
      JOIN posts p ON p.id = some.id LEFT JOIN seen ON seen.id = p.id LEFT JOIN sold ON sold.id = p.id
      WHERE p.author_id = ${creatorId} AND p.state = 'published' AND p.deleted_at IS NULL AND (${postId} IS NULL OR p.id = ${postId})
      ORDER BY ${sql.raw(ORDER_SQL[order])}, p.published_at DESC, p.id LIMIT ${limit}
    )
    SELECT p.id, p.title, p.publishedAt, p.views, p.readers, p.plays, p.readSeconds, p.likesCount, p.commentsCount, p.sales, p.salesCents,
      COALESCE((SELECT SUM(r.count) FROM recurring_days r WHERE r.creator_id = p.author_id AND r.kind IN ('new', 'reactivation')
        AND r.day BETWEEN ${day} AND ${day} + 6), 0) AS startsWithinWeek,
      CASE WHEN t.post_id IS NOT NULL THEN ${mailed("sent_count")} END AS mailsSent,
      CASE WHEN t.post_id IS NOT NULL AND ${mailed("sent_count")} >= ${TOTALS_FROM} THEN ${mailed("opened_count")} END AS mailsOpened,
      CASE WHEN t.post_id IS NOT NULL AND ${mailed("sent_count")} >= ${TOTALS_FROM} THEN ${mailed("clicked_count")} END AS mailsClicked
    FROM chosen p LEFT JOIN newsletter_totals t ON t.post_id = p.id ORDER BY ${sql.raw(ORDER_SQL[order])}, p.publishedAt DESC, p.id`);
}

/** Reads how much of a post's file was played in a range: at most a row for each step. */
export async function postReach(
  ctx: Context,
  { creatorId, postId, range }: { creatorId: string; postId: string; range: DayRange },
): Promise<StepPlays[]> {
  return await ctx.db.all<StepPlays>(sql`
    SELECT step, SUM(plays) AS plays FROM analytics_retention
    WHERE creator_id = ${creatorId} AND subject = ${postId} AND day BETWEEN ${range.from} AND ${range.until} GROUP BY step ORDER BY step`);
}

/** Reads the views and readers of one post by day. */
export async function postDays(
  ctx: Context,
  { creatorId, postId, range }: { creatorId: string; postId: string; range: DayRange },
): Promise<{ day: number; views: number; readers: number }[]> {
  return await ctx.db.all<{ day: number; views: number; readers: number }>(sql`
    SELECT day, SUM(views) AS views, SUM(visitors) AS readers FROM analytics_days
    WHERE creator_id = ${creatorId} AND subject = ${postId} AND day BETWEEN ${range.from} AND ${range.until} GROUP BY day ORDER BY day`);
}
