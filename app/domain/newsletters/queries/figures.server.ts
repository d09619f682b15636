import { sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";

/** How many people a post reached by email. */
export type NewsletterTotals = {
  postId: string;
  title: string;
  sentCount: number;
  /** Null for an email to so few that a total would tell of one person. */
  openedCount: number | null;
  clickedCount: number | null;
};

const NEWSLETTERS_SHOWN = 10;
/** A total over fewer people than this would say who they are. */
export const TOTALS_FROM = 10;

/** Reads the totals of the posts of `creatorId` that were emailed last, latest first. */
export async function latestNewsletterTotals(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<NewsletterTotals[]> {
  return await ctx.db.all<NewsletterTotals>(sql`
    SELECT posts.id AS postId, posts.title, totals.sent_count AS sentCount,
      CASE WHEN totals.sent_count >= ${TOTALS_FROM} THEN totals.opened_count END AS openedCount,
      CASE WHEN totals.sent_count >= ${TOTALS_FROM} THEN totals.clicked_count END AS clickedCount
    FROM posts JOIN newsletter_totals totals ON totals.post_id = posts.id
    WHERE posts.author_id = ${creatorId} AND posts.state = 'published' AND posts.deleted_at IS NULL AND posts.mail_to <> 'nobody'
    ORDER BY posts.published_at DESC LIMIT ${NEWSLETTERS_SHOWN}`);
}
