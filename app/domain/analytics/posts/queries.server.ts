import { sql } from "drizzle-orm";
import type { DayRange } from "#app/domain/analytics/ranges/rules.ts";
import type { Context } from "#app/domain/context.ts";
import { BEHIND_UTC_MS, DAY_MS, startOfDay } from "#app/domain/time.ts";
import { POSTS_SHOWN } from "./schema.ts";
import type { PostNumbers, PostOrder } from "./schema.ts";

const ORDER_SQL: Record<PostOrder, string> = {
  views: "views DESC",
  readers: "readers DESC",
  likes: "likesCount DESC",
  sales: "salesCents DESC",
  newest: "publishedAt DESC",
};

/** The seen, sold and new posts of a range of which a table shows the first ones. */
const CANDIDATES = 200;

/**
 * Reads the posts that were seen or sold most in a range, and the newest of it. Deleted posts are
 * not shown; their views stay in the sums of the page. Reads summed days, never single views.
 */
export async function postNumbers(
  ctx: Context,
  {
    creatorId,
    range,
    order = "views",
    limit = POSTS_SHOWN,
  }: { creatorId: string; range: DayRange; order?: PostOrder; limit?: number },
): Promise<PostNumbers[]> {
  const within = sql`creator_id = ${creatorId} AND day BETWEEN ${range.from} AND ${range.until}`;
  const day = sql.raw(`CAST((p.published_at - ${BEHIND_UTC_MS}) / ${DAY_MS} AS INTEGER)`);
  return await ctx.db.all<PostNumbers>(sql`
    WITH seen AS (
      SELECT subject AS id, SUM(views) AS views, SUM(visitors) AS readers, SUM(plays) AS plays FROM analytics_days
      WHERE ${within} GROUP BY subject ORDER BY views DESC LIMIT ${CANDIDATES}
    ), sold AS (
      SELECT post_id AS id, SUM(sales) AS sales, SUM(sales_cents) AS salesCents FROM analytics_sales
      WHERE ${within} GROUP BY post_id ORDER BY salesCents DESC LIMIT ${CANDIDATES}
    ), fresh AS (
      SELECT id FROM posts WHERE author_id = ${creatorId} AND published_at >= ${startOfDay(range.from)} AND published_at < ${startOfDay(range.until + 1)}
      ORDER BY published_at DESC LIMIT ${CANDIDATES}
    ), chosen AS (
      SELECT p.id, p.author_id, p.title, p.published_at, p.published_at AS publishedAt, COALESCE(seen.views, 0) AS views, COALESCE(seen.readers, 0) AS readers,
        COALESCE(seen.plays, 0) AS plays, p.likes_count AS likesCount, p.comments_count AS commentsCount,
        COALESCE(sold.sales, 0) AS sales, COALESCE(sold.salesCents, 0) AS salesCents
      FROM (SELECT id FROM seen UNION SELECT id FROM sold UNION SELECT id FROM fresh) some
      JOIN posts p ON p.id = some.id LEFT JOIN seen ON seen.id = p.id LEFT JOIN sold ON sold.id = p.id
      WHERE p.author_id = ${creatorId} AND p.state = 'published' AND p.deleted_at IS NULL
      ORDER BY ${sql.raw(ORDER_SQL[order])}, p.published_at DESC, p.id LIMIT ${limit}
    )
    SELECT p.id, p.title, p.publishedAt, p.views, p.readers, p.plays, p.likesCount, p.commentsCount, p.sales, p.salesCents,
      COALESCE((SELECT SUM(r.count) FROM recurring_days r WHERE r.creator_id = p.author_id AND r.kind IN ('new', 'reactivation')
        AND r.day BETWEEN ${day} AND ${day} + 6), 0) AS startsWithinWeek
    FROM chosen p ORDER BY ${sql.raw(ORDER_SQL[order])}, p.publishedAt DESC, p.id`);
}
