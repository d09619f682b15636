import { sql } from "drizzle-orm";
import type { DayRange } from "#app/domain/analytics/ranges/rules.ts";
import type { Context } from "#app/domain/context.ts";
import { BEHIND_UTC_MS, DAY_MS } from "#app/domain/time.ts";
import { POSTS_SHOWN } from "./schema.ts";
import type { PostNumbers, PostOrder } from "./schema.ts";

const ORDER_SQL: Record<PostOrder, string> = {
  views: "views DESC",
  readers: "readers DESC",
  likes: "likesCount DESC",
  sales: "salesCents DESC",
  newest: "publishedAt DESC",
};

/**
 * Reads the posts that were seen or sold in a range, or were published in it. Deleted posts are not
 * shown; their views stay in the sums of the page. Reads summed days, never single views.
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
  const { from, until } = range;
  const day = sql.raw(`CAST((p.published_at - ${BEHIND_UTC_MS}) / ${DAY_MS} AS INTEGER)`);
  return await ctx.db.all<PostNumbers>(sql`
    SELECT p.id, p.title, p.published_at AS publishedAt, COALESCE(d.views, 0) AS views, COALESCE(d.readers, 0) AS readers,
      COALESCE(d.plays, 0) AS plays, p.likes_count AS likesCount, p.comments_count AS commentsCount,
      COALESCE(d.sales, 0) AS sales, COALESCE(d.salesCents, 0) AS salesCents,
      COALESCE((SELECT SUM(r.count) FROM recurring_days r WHERE r.creator_id = p.author_id AND r.kind IN ('new', 'reactivation')
        AND r.day BETWEEN ${day} AND ${day} + 6), 0) AS startsWithinWeek
    FROM posts p LEFT JOIN (
      SELECT subject, SUM(views) AS views, SUM(visitors) AS readers, SUM(plays) AS plays, SUM(sales) AS sales, SUM(sales_cents) AS salesCents
      FROM analytics_days WHERE creator_id = ${creatorId} AND day BETWEEN ${from} AND ${until} GROUP BY subject
    ) d ON d.subject = p.id
    WHERE p.author_id = ${creatorId} AND p.state = 'published' AND p.deleted_at IS NULL
      AND (d.subject IS NOT NULL OR ${day} BETWEEN ${from} AND ${until})
    ORDER BY ${sql.raw(ORDER_SQL[order])}, p.published_at DESC, p.id LIMIT ${limit}`);
}
