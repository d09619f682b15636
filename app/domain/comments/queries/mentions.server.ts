import { and, asc, desc, eq, ne, or, sql } from "drizzle-orm";
import { isBlockedBetween, visibleTo } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { MENTION_SUGGESTIONS_MAX, mentionPatterns } from "#app/domain/comments/rules/mentions.ts";
import { isListableProfile } from "#app/domain/profiles/queries.server.ts";
import { posts } from "#drizzle/schema/posts.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

/** Commenters, followed creators and followers that are compared, each. */
const CANDIDATES_MAX = 300;

export type MentionSuggestion = { username: string; name: string; avatarMediaId: string | null };

/**
 * Returns people whom `writerId` may mention and whose username or name begins with `typed`. These
 * are people whom the writer already meets: creators they follow, their followers and, with
 * `postId`, the author and the commenters of that post. Leaves out who is blocked, banned or
 * leaving, and who cannot see the post: a mention would not reach them.
 */
export async function mentionSuggestions(
  ctx: Context,
  { writerId, typed, postId }: { writerId: string; typed: string; postId: string | null },
): Promise<MentionSuggestion[]> {
  const patterns = mentionPatterns(typed);
  if (patterns === null) return [];
  const matches = (column: typeof profiles.username | typeof profiles.name, pattern: string) =>
    sql`${column} LIKE ${pattern} ESCAPE '\\'`;
  const person = sql`profiles.person_id`;
  const sees =
    postId === null
      ? undefined
      : sql`EXISTS (SELECT 1 FROM ${posts} WHERE "posts"."id" = ${postId} AND ${visibleTo(person, ctx.now(), ctx.settings.adultSpaces)})`;
  return await ctx.db
    .select({
      username: profiles.username,
      name: profiles.name,
      avatarMediaId: profiles.avatarMediaId,
    })
    .from(profiles)
    .where(
      and(
        sql`${person} IN (${candidates({ writerId, postId })})`,
        ne(profiles.personId, writerId),
        or(
          matches(profiles.username, patterns.start),
          matches(profiles.name, patterns.start),
          matches(profiles.name, patterns.word),
        ),
        isListableProfile(ctx, writerId),
        sql`NOT ${isBlockedBetween(writerId, person)}`,
        sees,
      ),
    )
    .orderBy(
      desc(eq(profiles.username, typed.toLowerCase())),
      desc(profiles.followersCount),
      asc(profiles.username),
    )
    .limit(MENTION_SUGGESTIONS_MAX);
}

function candidates({ writerId, postId }: { writerId: string; postId: string | null }) {
  const ofWriter = sql`SELECT creator_id FROM (SELECT creator_id FROM follows WHERE follower_id = ${writerId} LIMIT ${CANDIDATES_MAX})
    UNION SELECT follower_id FROM (SELECT follower_id FROM follows WHERE creator_id = ${writerId} ORDER BY created_at DESC LIMIT ${CANDIDATES_MAX})`;
  if (postId === null) return ofWriter;
  return sql`${ofWriter}
    UNION SELECT author_id FROM posts WHERE id = ${postId}
    UNION SELECT author_id FROM (SELECT author_id FROM comments WHERE post_id = ${postId} AND deleted_at IS NULL AND hidden_at IS NULL ORDER BY created_at DESC LIMIT ${CANDIDATES_MAX})`;
}
