import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { INVITATION_SLUG } from "#app/lib/link-mark.ts";

/**
 * The slug of a creator's link as a row stores it: null for none, and for a link that the creator
 * has not, or has archived. Resolved in the batch that writes the row.
 */
export const linkSlugSql = (creatorId: string, slug: string | null | undefined): SQL | null => {
  if (slug === null || slug === undefined) return null;
  if (slug === INVITATION_SLUG) return sql`${slug}`;
  return sql`(SELECT l.slug FROM creator_links l WHERE l.creator_id = ${creatorId} AND l.slug = ${slug} AND l.archived_at IS NULL)`;
};
