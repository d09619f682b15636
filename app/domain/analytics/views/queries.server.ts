import { eq, sql } from "drizzle-orm";
import { isInTeam } from "#app/domain/access/sql.server.ts";
import { knownZone } from "#app/domain/analytics/days/rules.ts";
import type { Context } from "#app/domain/context.ts";
import { postFor } from "#app/domain/posts/queries.server.ts";
import { notificationHours } from "#drizzle/schema/notifications.ts";

/** Returns the post whose file that is, with its creator; null for a file of anything else. */
export async function playedPost(
  ctx: Context,
  { mediaId }: { mediaId: string },
): Promise<{ creatorId: string; postId: string } | null> {
  const [row] = await ctx.db.all<{ creatorId: string; postId: string }>(sql`
    SELECT p.author_id AS creatorId, p.id AS postId FROM post_media m JOIN posts p ON p.id = m.post_id
    WHERE m.media_id = ${mediaId} AND p.state = 'published' AND p.deleted_at IS NULL LIMIT 1`);
  return row ?? null;
}

/** Returns a post that the viewer may read, with its creator; null for any other. */
export async function readPost(
  ctx: Context,
  { postId, viewerId }: { postId: string; viewerId: string | null },
): Promise<{ creatorId: string; postId: string } | null> {
  const post = await postFor(ctx, { postId, viewerId });
  return post?.access.visible ? { creatorId: post.author.id, postId: post.id } : null;
}

/** Returns the time zone in which a creator's days are counted. */
export async function creatorZone(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<string> {
  const [row] = await ctx.db
    .select({ timeZone: notificationHours.timeZone })
    .from(notificationHours)
    .where(eq(notificationHours.personId, creatorId));
  return knownZone(row?.timeZone);
}

/** Whether a person belongs to the team of a creator, whose visits do not count. */
export async function isOfTeam(
  ctx: Context,
  { personId, creatorId }: { personId: string; creatorId: string },
): Promise<boolean> {
  if (personId === creatorId) return true;
  const rows = await ctx.db.all(sql`SELECT 1 WHERE ${isInTeam(personId, sql`${creatorId}`)}`);
  return rows.length > 0;
}
