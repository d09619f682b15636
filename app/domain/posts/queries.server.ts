import { and, desc, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { decideAccess, mayList } from "#app/domain/access/rules.ts";
import type { AccessRule, Offer } from "#app/domain/access/rules.ts";
import { blockBetween, publishedFor, subscribesTo } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import { cardOf } from "#app/domain/posts/rules.ts";
import type { Post, PostCard } from "#app/domain/posts/schema.ts";
import { people } from "#drizzle/schema/identity.ts";
import { posts, postTotals } from "#drizzle/schema/posts.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

/** Source: issue 2, "The API of the spec". */
export const DEEPEST_ITEM = 1_000;

type Subscribed = { planId: string; status: string; accessUntil: number | null };

function json<Value>(expression: SQL, name: string) {
  return sql<Value>`${expression}`.mapWith((text: string): Value => JSON.parse(text)).as(name);
}

function flag(expression: SQL, name: string) {
  return sql<boolean>`${expression}`.mapWith((value: number) => value === 1).as(name);
}

/** Everything that a post, its card and its access need, in one row. Each column has its own name: a D1 batch tells columns apart by name only. */
function postColumns(viewerId: string | null) {
  return {
    id: sql<string>`posts.id`.as("post_id"),
    title: posts.title,
    teaser: posts.teaser,
    content: posts.content,
    state: posts.state,
    publishedAt: posts.publishedAt,
    heldAt: posts.heldAt,
    deletedAt: posts.deletedAt,
    likesCount: posts.likesCount,
    commentsCount: posts.commentsCount,
    authorId: posts.authorId,
    authorName: profiles.name,
    authorUsername: profiles.username,
    authorAvatarMediaId: profiles.avatarMediaId,
    authorBannedAt: people.bannedAt,
    rules: json<AccessRule[]>(
      sql`(SELECT json_group_array(json_object('kind', r.kind, 'planId', r.plan_id, 'amountCents', r.amount_cents, 'opensAt', r.opens_at)) FROM post_access_rules r WHERE r.post_id = posts.id)`,
      "rules",
    ),
    plans: json<{ id: string; name: string }[]>(
      sql`(SELECT json_group_array(json_object('id', p.id, 'name', p.name)) FROM post_access_rules r JOIN plans p ON p.id = r.plan_id WHERE r.post_id = posts.id)`,
      "named_plans",
    ),
    media: json<MediaItem[]>(
      sql`(SELECT json_group_array(json_object('id', m.id, 'alt', m.alt, 'width', m.width, 'height', m.height)) FROM (
        SELECT m.* FROM post_media pm JOIN media m ON m.id = pm.media_id WHERE pm.post_id = posts.id ORDER BY pm.position) m)`,
      "media_items",
    ),
    offers: json<Offer[]>(
      sql`(SELECT json_group_array(json_object('planId', p.id, 'planName', p.name, 'interval', r.interval, 'amountCents', r.amount_cents))
        FROM plans p JOIN plan_prices r ON r.plan_id = p.id AND r.retired_at IS NULL
        WHERE p.creator_id = posts.author_id AND p.state = 'active' AND (p.seats_limit IS NULL OR p.seats_taken < p.seats_limit))`,
      "offers",
    ),
    ...standingColumns(viewerId),
  };
}

function standingColumns(viewerId: string | null) {
  return {
    isLiked: flag(sql`EXISTS (SELECT 1 FROM post_likes l WHERE l.post_id = posts.id AND l.person_id = ${viewerId})`, "is_liked"),
    isModerator: flag(sql`EXISTS (SELECT 1 FROM people v WHERE v.id = ${viewerId} AND v.is_moderator = 1)`, "viewer_moderates"),
    follows: flag(sql`EXISTS (SELECT 1 FROM follows f WHERE f.follower_id = ${viewerId} AND f.creator_id = posts.author_id)`, "viewer_follows"),
    blocked: flag(sql`${blockBetween(viewerId, sql`posts.author_id`)}`, "is_blocked"),
    purchased: flag(sql`EXISTS (SELECT 1 FROM post_purchases b WHERE b.post_id = posts.id AND b.person_id = ${viewerId})`, "viewer_bought"),
    subscriptions: json<Subscribed[]>(
      sql`(SELECT json_group_array(json_object('planId', s.plan_id, 'status', s.status, 'accessUntil', s.access_until)) FROM subscriptions s WHERE s.fan_id = ${viewerId} AND s.creator_id = posts.author_id)`,
      "viewer_subscriptions",
    ),
  };
}

const newestFirst = [desc(posts.publishedAt), desc(posts.id)];

function postRows(ctx: Context, viewerId: string | null, condition: SQL | undefined, order: SQL[] = newestFirst) {
  return ctx.db
    .select(postColumns(viewerId))
    .from(posts)
    .innerJoin(profiles, eq(profiles.personId, posts.authorId))
    .innerJoin(people, eq(people.id, posts.authorId))
    .where(condition)
    .orderBy(...order);
}

export type PostRow = Awaited<ReturnType<typeof postRows>>[number];

/** A row as its viewer may know it: what is closed leaves here without its content. Null when not even the card may be shown. */
export function postFromRow(row: PostRow, viewerId: string | null, now: number): Post | null {
  const access = decideAccess(row, { ...row, viewerId }, now);
  if (!mayList(access)) return null;
  return {
    id: row.id,
    title: row.title,
    teaser: row.teaser,
    content: access.visible ? row.content : null,
    publishedAt: row.publishedAt ?? now,
    likesCount: row.likesCount,
    commentsCount: row.commentsCount,
    isLiked: row.isLiked,
    author: { id: row.authorId, name: row.authorName, username: row.authorUsername, avatarMediaId: row.authorAvatarMediaId },
    rules: row.rules,
    plans: row.plans,
    media: row.media,
    access,
    isOwn: viewerId === row.authorId,
  };
}

/** Rows fetched with `limit + 1` as a page of whole posts. */
export function wholePostsFromRows(ctx: Context, rows: PostRow[], viewerId: string | null, limit: number): Page<Post> {
  const page = pageOf(rows, limit, (row) => ({ at: row.publishedAt ?? 0, id: row.id }));
  return { items: postsFromRows(page.items, viewerId, ctx.now()), next: page.next };
}

/** Rows fetched with `limit + 1` as a page of cards. */
export function cardsFromRows(ctx: Context, rows: PostRow[], viewerId: string | null, limit: number): Page<PostCard> {
  const { items, next } = wholePostsFromRows(ctx, rows, viewerId, limit);
  return { items: items.map(cardOf), next };
}

function postsFromRows(rows: PostRow[], viewerId: string | null, now: number): Post[] {
  return rows.flatMap((row) => postFromRow(row, viewerId, now) ?? []);
}

type Listing = { viewerId: string | null; cursor: string | null; limit: number };

function after(cursor: string | null): SQL | undefined {
  const last = decodeCursor(cursor);
  return last ? sql`(posts.published_at, posts.id) < (${last.at}, ${last.id})` : undefined;
}

/** The statement behind `postFor`. */
export function postStatement(ctx: Context, { postId, viewerId }: { postId: string; viewerId: string | null }) {
  return postRows(ctx, viewerId, and(eq(posts.id, postId), sql`posts.deleted_at IS NULL`)).limit(1);
}

/** One post as `viewerId` (null for a visitor) may know it: open, locked, or null when it is not theirs to know of. */
export async function postFor(ctx: Context, input: { postId: string; viewerId: string | null }): Promise<Post | null> {
  const [row] = await postStatement(ctx, input);
  return row ? postFromRow(row, input.viewerId, ctx.now()) : null;
}

/** The statement behind `feedOf`: whom the person follows or subscribes to, and themselves. */
export function feedStatement(ctx: Context, { viewerId, cursor, limit }: Listing & { viewerId: string }) {
  const now = ctx.now();
  const near = sql`(posts.author_id = ${viewerId}
    OR EXISTS (SELECT 1 FROM follows near WHERE near.follower_id = ${viewerId} AND near.creator_id = posts.author_id)
    OR ${subscribesTo(viewerId, sql`posts.author_id`, now)})`;
  return postRows(ctx, viewerId, and(near, publishedFor(viewerId, now), after(cursor))).limit(limit + 1);
}

/** The home feed, newest first: open posts whole, closed ones as locked cards. */
export async function feedOf(ctx: Context, input: Listing & { viewerId: string }): Promise<Page<PostCard>> {
  return cardsFromRows(ctx, await feedStatement(ctx, input), input.viewerId, input.limit);
}

/** The statement behind `explorePosts`: public posts of everyone. */
export function exploreStatement(ctx: Context, { viewerId, cursor, limit }: Listing) {
  const now = ctx.now();
  const isPublic = sql`EXISTS (SELECT 1 FROM post_access_rules open WHERE open.post_id = posts.id AND open.kind = 'public' AND (open.opens_at IS NULL OR open.opens_at <= ${now}))`;
  return postRows(ctx, viewerId, and(isPublic, publishedFor(viewerId, now), after(cursor))).limit(limit + 1);
}

/** Recent public posts of everyone, newest first. */
export async function explorePosts(ctx: Context, input: Listing): Promise<Page<PostCard>> {
  return cardsFromRows(ctx, await exploreStatement(ctx, input), input.viewerId, input.limit);
}

/** The statement behind `spacePosts`. `authorKey` is the author's id or lower-case username. */
export function spacePostsStatement(ctx: Context, { authorKey, viewerId, cursor, limit }: Listing & { authorKey: string }) {
  const author = sql`posts.author_id = (
    SELECT p.person_id FROM profiles p WHERE p.person_id = ${authorKey} OR p.username = ${authorKey.toLowerCase()} ORDER BY p.person_id = ${authorKey} DESC LIMIT 1)`;
  return postRows(ctx, viewerId, and(author, publishedFor(viewerId, ctx.now()), after(cursor))).limit(limit + 1);
}

/** Posts of one page, newest first. */
export async function spacePosts(ctx: Context, input: Listing & { authorKey: string }): Promise<Page<PostCard>> {
  return cardsFromRows(ctx, await spacePostsStatement(ctx, input), input.viewerId, input.limit);
}

/** The posts of a collection in their order there. */
export function collectionPostsStatement(ctx: Context, { collectionId, viewerId, limit }: { collectionId: string; viewerId: string | null; limit: number }) {
  const inCollection = sql`EXISTS (SELECT 1 FROM collection_posts c WHERE c.collection_id = ${collectionId} AND c.post_id = posts.id)`;
  const position = sql`(SELECT c.position FROM collection_posts c WHERE c.collection_id = ${collectionId} AND c.post_id = posts.id)`;
  return postRows(ctx, viewerId, and(inCollection, publishedFor(viewerId, ctx.now())), [position]).limit(limit);
}

/**
 * Page `page` (from 1) of every post that the viewer may know of, newest first, with the total from a counter: what
 * `GET /posts` answers. The caller keeps `page * limit` within `DEEPEST_ITEM`.
 */
export async function postsPage(
  ctx: Context,
  { viewerId, page, limit }: { viewerId: string | null; page: number; limit: number },
): Promise<{ items: Post[]; totalItems: number }> {
  const now = ctx.now();
  const known = publishedFor(viewerId, now);
  // Only keys are skipped, on the index; the rows themselves are read from the page's first on.
  const fromFirst = sql`(posts.published_at, posts.id) <= (
    SELECT posts.published_at, posts.id FROM posts WHERE ${known} ORDER BY posts.published_at DESC, posts.id DESC LIMIT 1 OFFSET ${(page - 1) * limit})`;
  const [rows, [total]] = await ctx.db.batch([
    postRows(ctx, viewerId, and(known, fromFirst)).limit(limit),
    ctx.db.select({ publishedCount: postTotals.publishedCount }).from(postTotals).where(eq(postTotals.id, 1)),
  ]);
  return { items: postsFromRows(rows, viewerId, now), totalItems: total?.publishedCount ?? 0 };
}
