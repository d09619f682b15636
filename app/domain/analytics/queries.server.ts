import { sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { addMonths, civilDate, instantOf } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

type MonthlyRevenue = {
  monthStartsAt: Instant;
  grossCents: Cents;
  netCents: Cents;
  chargesCount: number;
};

export type CreatorNumbers = {
  followersCount: number;
  subscribersCount: number;
  postsCount: number;
  likesCount: number;
  commentsCount: number;
  /**
   * One entry a month, oldest first, also without sales: gross sales, and what is left for the
   * creator. The sum of the days' statement.
   */
  revenue: MonthlyRevenue[];
  /** The most liked posts, most liked first. */
  topPosts: { id: string; title: string; likesCount: number; commentsCount: number }[];
  /** The posts that were emailed last, latest first, with how many people each reached. */
  newsletters: {
    postId: string;
    title: string;
    sentCount: number;
    /** Null for an email to so few that a total would tell of one person. */
    openedCount: number | null;
    clickedCount: number | null;
  }[];
};

const TOP_POSTS = 5;
const NEWSLETTERS = 10;
/** A total over fewer people than this would say who they are. */
export const TOTALS_FROM = 10;

type CreatorTotals = Pick<
  CreatorNumbers,
  "followersCount" | "subscribersCount" | "postsCount" | "likesCount" | "commentsCount"
>;

/** Reads a creator's figures of the last `months` months of São Paulo, with the current one. */
export async function creatorNumbers(
  ctx: Context,
  { creatorId, months }: { creatorId: string; months: number },
): Promise<CreatorNumbers> {
  const starts = monthStarts(ctx.now(), months);
  const now = ctx.now();
  const [totals, revenue, topPosts, newsletters] = await Promise.all([
    ctx.db.all<CreatorTotals>(sql`
      SELECT p.followers_count AS followersCount, p.posts_count AS postsCount,
        (SELECT COUNT(*) FROM subscriptions s WHERE s.creator_id = p.person_id AND s.access_until > ${now} AND s.status NOT IN ('incomplete', 'expired', 'paused')) AS subscribersCount,
        (SELECT COALESCE(SUM(likes_count), 0) FROM posts WHERE author_id = p.person_id AND deleted_at IS NULL) AS likesCount,
        (SELECT COALESCE(SUM(comments_count), 0) FROM posts WHERE author_id = p.person_id AND deleted_at IS NULL) AS commentsCount
      FROM profiles p WHERE p.person_id = ${creatorId}`),
    ctx.db.all<MonthlyRevenue>(sql`
      SELECT month.value AS monthStartsAt,
        COALESCE(SUM(c.amount_cents), 0) AS grossCents,
        COALESCE(SUM(CASE WHEN c.disputed_cents > 0 THEN 0 ELSE c.net_cents - (c.refunded_cents - c.refunded_fee_cents) END), 0) AS netCents,
        COUNT(c.id) AS chargesCount
      FROM json_each(${JSON.stringify(starts)}) month
      LEFT JOIN charges c ON c.creator_id = ${creatorId} AND c.purchase_kind <> 'debt' AND c.succeeded_at >= month.value
        AND c.succeeded_at < COALESCE((SELECT MIN(later.value) FROM json_each(${JSON.stringify(starts)}) later WHERE later.value > month.value), 9e15)
      GROUP BY month.value ORDER BY month.value`),
    ctx.db.all<CreatorNumbers["topPosts"][number]>(sql`
      SELECT id, title, likes_count AS likesCount, comments_count AS commentsCount FROM posts
      WHERE author_id = ${creatorId} AND state = 'published' AND deleted_at IS NULL
      ORDER BY likes_count DESC, published_at DESC LIMIT ${TOP_POSTS}`),
    ctx.db.all<CreatorNumbers["newsletters"][number]>(sql`
      SELECT posts.id AS postId, posts.title, totals.sent_count AS sentCount,
        CASE WHEN totals.sent_count >= ${TOTALS_FROM} THEN totals.opened_count END AS openedCount,
        CASE WHEN totals.sent_count >= ${TOTALS_FROM} THEN totals.clicked_count END AS clickedCount
      FROM posts JOIN newsletter_totals totals ON totals.post_id = posts.id
      WHERE posts.author_id = ${creatorId} AND posts.state = 'published' AND posts.deleted_at IS NULL AND posts.mail_to <> 'nobody'
      ORDER BY posts.published_at DESC LIMIT ${NEWSLETTERS}`),
  ]);
  const none = {
    followersCount: 0,
    subscribersCount: 0,
    postsCount: 0,
    likesCount: 0,
    commentsCount: 0,
  };
  return { ...(totals[0] ?? none), revenue, topPosts, newsletters };
}

/** Returns the starts of the last `months` months of São Paulo, oldest first. */
function monthStarts(now: Instant, months: number): Instant[] {
  const today = civilDate(now);
  const thisMonth = instantOf({ ...today, day: 1 });
  return Array.from({ length: months }, (_, index) => addMonths(thisMonth, index - months + 1));
}
