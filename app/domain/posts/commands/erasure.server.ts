import { and, eq, isNull, lte, ne, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { purgeOutboxByPrefixStatement } from "#app/domain/outbox.server.ts";
import { notPurchased } from "#app/domain/posts/queries/studio.server.ts";
import { DELETED_TITLE } from "#app/domain/posts/rules.ts";
import { RESTORABLE_MS } from "#app/domain/posts/rules/composing.ts";
import {
  postAccessRules,
  postLikes,
  postMedia,
  postPollOptions,
  postPolls,
  postPollVotes,
  posts,
} from "#drizzle/schema/posts.ts";

/**
 * Erases up to `limit` posts of a person with their polls, and deletes as many of their likes and
 * votes. Returns the number of rows. Triggers move the counters.
 */
export async function erasePosts(
  ctx: Context,
  { authorId, limit }: { authorId: string; limit: number },
): Promise<number> {
  const now = ctx.now();
  const hasPoll = sql`EXISTS (SELECT 1 FROM post_polls poll WHERE poll.post_id = posts.id)`;
  const left = await ctx.db
    .select({ id: posts.id })
    .from(posts)
    .where(
      and(
        eq(posts.authorId, authorId),
        or(isNull(posts.deletedAt), ne(posts.content, ""), ne(posts.teaser, ""), hasPoll),
      ),
    )
    .limit(limit);
  const chosen = sql`(SELECT value FROM json_each(${JSON.stringify(left.map(({ id }) => id))}))`;
  const [likes, votes] = await ctx.db.batch([
    ctx.db
      .delete(postLikes)
      .where(
        sql`rowid IN (SELECT rowid FROM post_likes WHERE person_id = ${authorId} LIMIT ${limit})`,
      )
      .returning({ id: postLikes.postId }),
    ctx.db
      .delete(postPollVotes)
      .where(
        sql`rowid IN (SELECT rowid FROM post_poll_votes WHERE person_id = ${authorId} LIMIT ${limit})`,
      )
      .returning({ id: postPollVotes.postId }),
    ...pollErasure(ctx, chosen, limit),
    ctx.db.delete(postMedia).where(sql`${postMedia.postId} IN ${chosen}`),
    ctx.db
      .update(posts)
      .set({
        title: DELETED_TITLE,
        teaser: "",
        content: "",
        deletedAt: sql`COALESCE(${posts.deletedAt}, ${now})`,
        updatedAt: now,
      })
      .where(sql`${posts.id} IN ${chosen}`),
  ]);
  return left.length + likes.length + votes.length;
}

/**
 * Deletes up to `limit` likes and as many votes of a post that cannot be restored. Returns the
 * number.
 */
export async function eraseReactions(
  ctx: Context,
  { postId, limit }: { postId: string; limit: number },
): Promise<number> {
  const [likes, votes] = await ctx.db.batch([
    ctx.db
      .delete(postLikes)
      .where(sql`rowid IN (SELECT rowid FROM post_likes WHERE post_id = ${postId} LIMIT ${limit})`)
      .returning({ id: postLikes.personId }),
    ctx.db
      .delete(postPollVotes)
      .where(
        sql`rowid IN (SELECT rowid FROM post_poll_votes WHERE post_id = ${postId} LIMIT ${limit})`,
      )
      .returning({ id: postPollVotes.personId }),
  ]);
  return likes.length + votes.length;
}

/**
 * Erases a post thirty days after its deletion: text, files, rules, poll and notifications. Its
 * empty row stays, because charges and the ledger may name it. `extraWrites` holds the writes of
 * other modules. Does nothing to a post that can be restored or that somebody purchased. Safe to
 * repeat.
 */
export async function eraseDeletedPost(
  ctx: Context,
  { postId, extraWrites }: { postId: string; extraWrites: readonly BatchWrite[] },
): Promise<void> {
  const [now, one] = [ctx.now(), sql`(${postId})`];
  const [due] = await ctx.db
    .select({ id: posts.id })
    .from(posts)
    .where(
      and(
        eq(posts.id, postId),
        lte(posts.deletedAt, now - RESTORABLE_MS),
        isNull(posts.erasedAt),
        notPurchased,
      ),
    );
  if (!due) return;
  await commit(ctx.db, [
    ...pollErasure(ctx, one, 1),
    ctx.db.delete(postAccessRules).where(eq(postAccessRules.postId, postId)),
    ctx.db.delete(postMedia).where(eq(postMedia.postId, postId)),
    purgeOutboxByPrefixStatement(ctx, `post:${postId}:`),
    ...extraWrites,
    ctx.db
      .update(posts)
      .set({
        title: DELETED_TITLE,
        teaser: "",
        content: "",
        commentsCount: 0,
        erasedAt: now,
        updatedAt: now,
      })
      .where(eq(posts.id, postId)),
  ]);
}

/**
 * Deletes up to `limit` votes of the polls of the `chosen` posts (a list in SQL). Deletes polls
 * without votes, with their options.
 */
function pollErasure(ctx: Context, chosen: SQL, limit: number) {
  const isUnanswered = (postId: SQL) =>
    sql`${postId} IN ${chosen} AND NOT EXISTS (SELECT 1 FROM post_poll_votes vote WHERE vote.post_id = ${postId})`;
  return [
    ctx.db
      .delete(postPollVotes)
      .where(
        sql`rowid IN (SELECT rowid FROM post_poll_votes WHERE post_id IN ${chosen} LIMIT ${limit})`,
      ),
    ctx.db.delete(postPollOptions).where(isUnanswered(sql`post_poll_options.post_id`)),
    ctx.db.delete(postPolls).where(isUnanswered(sql`post_polls.post_id`)),
  ] as const;
}
