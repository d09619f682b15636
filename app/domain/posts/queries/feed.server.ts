import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { isHiddenByAge, isBlockedBetween, subscribesTo } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { decodeCursor } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import { cardsFromRows, postRows } from "#app/domain/posts/queries.server.ts";
import type { PostPreview } from "#app/domain/posts/schema.ts";
import type { Instant } from "#app/domain/time.ts";

/** With more new posts than this, they are neither counted nor inserted one by one. */
export const NEW_POSTS_MAX = 50;

type FeedRequest = { viewerId: string; cursor: string | null; limit: number };
type FeedKey = { at: Instant; id: string };
type FeedViewer = { viewerId: string; now: Instant; adultSpaces: boolean };

const askingOf = (ctx: Context, viewerId: string): FeedViewer => ({
  viewerId,
  now: ctx.now(),
  adultSpaces: ctx.settings.adultSpaces,
});

/**
 * Encodes `(published_at, id)` as one text that sorts as the pair does. A subquery can then return
 * a list of pairs.
 */
const keyOf = (table: SQL): SQL => sql`printf('%015d%s', ${table}.published_at, ${table}.id)`;
const ID_STARTS_AT = 16;

/**
 * Builds the condition of the index `posts_in_lists`. The index is named, so that no plan reads
 * another one.
 */
const listed = (table: SQL): SQL =>
  sql`${table}.state = 'published' AND ${table}.held_at IS NULL AND ${table}.deleted_at IS NULL`;

/**
 * Builds a query of the `author_id`s in a person's feed: themselves, and creators they follow or
 * subscribe to. Leaves out muted and banned people, blocks in either direction, and pages that
 * their age closes. Leaves out leaving creators whom they do not pay.
 */
function nearAuthors(viewerId: string, now: Instant, adultSpaces: boolean): SQL {
  const author = sql`near.author_id`;
  return sql`SELECT near.author_id AS author_id FROM (
      SELECT f.creator_id AS author_id FROM follows f WHERE f.follower_id = ${viewerId}
      UNION SELECT paid.creator_id FROM subscriptions paid WHERE paid.fan_id = ${viewerId} AND ${subscribesTo(viewerId, sql`paid.creator_id`, now)}
      UNION SELECT ${viewerId}) near
    WHERE NOT EXISTS (SELECT 1 FROM people out INDEXED BY people_out WHERE out.id = ${author} AND (out.banned_at IS NOT NULL OR out.leaving_at IS NOT NULL)
        AND (out.banned_at IS NOT NULL OR NOT (${author} = ${viewerId} OR ${subscribesTo(viewerId, author, now)})))
      AND NOT EXISTS (SELECT 1 FROM mutes mute WHERE mute.muter_id = ${viewerId} AND mute.muted_id = ${author})
      AND NOT ${isBlockedBetween(viewerId, author)}
      AND NOT ${isHiddenByAge(viewerId, author, adultSpaces)}`;
}

/** Builds the key of an author's newest post before another; null when there is none. */
function newestOf(author: SQL, before: SQL): SQL {
  return sql`(SELECT ${keyOf(sql`own`)} FROM posts own INDEXED BY posts_in_lists
    WHERE own.author_id = ${author} AND ${listed(sql`own`)} AND (own.published_at, own.id) < (${before}) ORDER BY own.published_at DESC, own.id DESC LIMIT 1)`;
}

/**
 * Builds a query of the keys of the newest `count` posts of a feed before `before`. A recursive
 * query is a queue of each author's newest post (ORDER BY: https://sqlite.org/lang_with.html). The
 * newest post leaves it, and the author's next one enters. It costs one seek for each author and
 * one for each post. The cost depends neither on how much those authors published nor on their
 * followers.
 */
function feedKeys({ viewerId, now, adultSpaces }: FeedViewer, before: FeedKey, count: number): SQL {
  const after = sql`CAST(substr(merged.post_key, 1, ${ID_STARTS_AT - 1}) AS INTEGER), substr(merged.post_key, ${ID_STARTS_AT})`;
  return sql`WITH RECURSIVE merged(post_key, author_id) AS (
      SELECT ${newestOf(sql`authors.author_id`, sql`${before.at}, ${before.id}`)}, authors.author_id FROM (${nearAuthors(viewerId, now, adultSpaces)}) authors
      UNION ALL SELECT ${newestOf(sql`merged.author_id`, after)}, merged.author_id FROM merged WHERE merged.post_key IS NOT NULL
      ORDER BY 1 DESC LIMIT ${count})
    SELECT post_key FROM merged WHERE post_key IS NOT NULL`;
}

/**
 * Builds a query of the keys of the feed's posts after `since`, newest first, at most `count`. It
 * costs one seek for each author, and one for each new post.
 */
function newPostKeys(
  { viewerId, now, adultSpaces }: FeedViewer,
  since: FeedKey,
  count: number,
): SQL {
  return sql`SELECT ${keyOf(sql`fresh`)} AS post_key FROM (${nearAuthors(viewerId, now, adultSpaces)}) authors CROSS JOIN posts fresh INDEXED BY posts_in_lists
    WHERE fresh.author_id = authors.author_id AND ${listed(sql`fresh`)} AND (fresh.published_at, fresh.id) > (${since.at}, ${since.id}) AND fresh.published_at <= ${now}
    ORDER BY post_key DESC LIMIT ${count}`;
}

const withKeys = (keys: SQL): SQL =>
  sql`posts.id IN (SELECT substr(post_key, ${ID_STARTS_AT}) FROM (${keys}))`;

/** Builds the statement behind `homeFeed`. */
export function feedStatement(ctx: Context, { viewerId, cursor, limit }: FeedRequest) {
  const asking = askingOf(ctx, viewerId);
  const { now } = asking;
  const first = { at: now + 1, id: "" };
  const asked = decodeCursor(cursor);
  // A forged cursor in the future shows no future posts.
  const before = asked && asked.at <= now ? asked : first;
  return postRows(ctx, viewerId, withKeys(feedKeys(asking, before, limit + 1))).limit(limit + 1);
}

/** Reads the home feed, newest first: open posts whole, locked ones as cards. */
export async function homeFeed(ctx: Context, input: FeedRequest): Promise<Page<PostPreview>> {
  return cardsFromRows(ctx, await feedStatement(ctx, input), input.viewerId, input.limit);
}

/**
 * Reads the posts that are new in a feed since `since` (a cursor), newest first. Null when there
 * are more than `NEW_POSTS_MAX`.
 */
export async function newFeedPosts(
  ctx: Context,
  { viewerId, since }: { viewerId: string; since: string },
): Promise<PostPreview[] | null> {
  const rows = await postRows(
    ctx,
    viewerId,
    withKeys(newPostKeys(askingOf(ctx, viewerId), decodeCursor(since) ?? NEVER, NEW_POSTS_MAX + 1)),
  ).limit(NEW_POSTS_MAX + 1);
  return rows.length > NEW_POSTS_MAX
    ? null
    : cardsFromRows(ctx, rows, viewerId, NEW_POSTS_MAX).items;
}

/**
 * Counts the posts that are new in a feed since `since` (a cursor), up to `NEW_POSTS_MAX` + 1. Zero
 * for an invalid cursor.
 */
export async function newFeedPostsCount(
  ctx: Context,
  { viewerId, since }: { viewerId: string; since: string },
): Promise<number> {
  const [row] = await ctx.db.all<{ count: number }>(
    sql`SELECT COUNT(*) AS count FROM (${newPostKeys(askingOf(ctx, viewerId), decodeCursor(since) ?? NEVER, NEW_POSTS_MAX + 1)})`,
  );
  return row?.count ?? 0;
}

/** The key for an invalid cursor: no post is newer. */
const NEVER: FeedKey = { at: Number.MAX_SAFE_INTEGER, id: "" };
