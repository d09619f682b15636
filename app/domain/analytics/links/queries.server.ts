import { sql } from "drizzle-orm";
import type { DayRange } from "#app/domain/analytics/ranges/rules.ts";
import type { Context } from "#app/domain/context.ts";
import { INVITATION_SLUG } from "#app/lib/link-mark.ts";
import { INVITATION_NAME } from "./rules.ts";
import type { CountedLink } from "./schema.ts";

/** Whether a link of a creator counts: it exists and is not archived, or it is the invitation. */
export async function isLinkActive(
  ctx: Context,
  { creatorId, slug }: { creatorId: string; slug: string },
): Promise<boolean> {
  if (slug === INVITATION_SLUG) return true;
  const rows = await ctx.db.all(sql`
    SELECT 1 FROM creator_links WHERE creator_id = ${creatorId} AND slug = ${slug} AND archived_at IS NULL`);
  return rows.length > 0;
}

/**
 * Reads the links of a creator with what came from each in a range, the invitation first, then the
 * newest. Archived ones come last. Reads summed days. `slug` reads that one alone.
 */
export async function countedLinks(
  ctx: Context,
  { creatorId, range, slug = null }: { creatorId: string; range: DayRange; slug?: string | null },
): Promise<CountedLink[]> {
  const within = sql`creator_id = ${creatorId} AND day BETWEEN ${range.from} AND ${range.until}`;
  return await ctx.db.all<CountedLink>(sql`
    WITH links AS (
      SELECT slug, name, created_at AS createdAt, archived_at AS archivedAt FROM creator_links WHERE creator_id = ${creatorId}
      UNION ALL SELECT ${INVITATION_SLUG}, ${INVITATION_NAME}, NULL, NULL
    ), counts AS (
      SELECT value AS slug, visitors, views, 0 AS follows, 0 AS starts, 0 AS sales, 0 AS netCents FROM analytics_sources WHERE ${within} AND dimension = 'link'
      UNION ALL SELECT slug, 0, 0, follows, starts, sales, 0 FROM analytics_links WHERE ${within}
      UNION ALL SELECT link_slug, 0, 0, 0, 0, 0, net_cents FROM analytics_money WHERE ${within} AND link_slug <> ''
    ), sums AS (
      SELECT slug, SUM(visitors) AS visitors, SUM(views) AS views, SUM(follows) AS follows, SUM(starts) AS starts, SUM(sales) AS sales, SUM(netCents) AS netCents
      FROM counts GROUP BY slug
    )
    SELECT l.slug, l.name, l.createdAt, l.archivedAt, COALESCE(s.visitors, 0) AS visitors, COALESCE(s.views, 0) AS views,
      COALESCE(s.follows, 0) AS follows, COALESCE(s.starts, 0) AS starts, COALESCE(s.sales, 0) AS sales, COALESCE(s.netCents, 0) AS netCents
    FROM links l LEFT JOIN sums s ON s.slug = l.slug WHERE ${slug} IS NULL OR l.slug = ${slug}
    ORDER BY l.archivedAt IS NOT NULL, l.createdAt IS NOT NULL, l.createdAt DESC, l.slug`);
}
