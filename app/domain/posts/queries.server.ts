import { and, desc, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { decideAccess, canList } from "#app/domain/access/rules.ts";
import type { HeldSubscription } from "#app/domain/access/rules/plan-way.ts";
import type { AccessRule, SoldCollection, PlanPriceOffer } from "#app/domain/access/rules.ts";
import {
  isBlockedBetween,
  isInTeam,
  isAgeChecked,
  isPurchased,
  personIdByKey,
  publishedAndListable,
} from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { canSellSql } from "#app/domain/documents/queries.server.ts";
import { mediaItemsJson } from "#app/domain/media/queries.server.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import { vacationUntilSql } from "#app/domain/plans/queries/vacations.server.ts";
import { PINS_MAX } from "#app/domain/posts/rules/composing.ts";
import { toPostPreview } from "#app/domain/posts/rules/cards.ts";
import { pollSummary } from "#app/domain/posts/rules/polls.ts";
import type { PollRow } from "#app/domain/posts/rules/polls.ts";
import type { Post, PostPreview } from "./schema.ts";
import { people } from "#drizzle/schema/identity.ts";
import { posts, postTotals } from "#drizzle/schema/posts.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

/** Source: issue 2, "The API of the spec". */
export const DEEPEST_ITEM = 1_000;

type ViewerSubscription = HeldSubscription & { accessUntil: number | null };

function json<Value>(expression: SQL, name: string) {
  return sql<Value>`${expression}`.mapWith((text: string): Value => JSON.parse(text)).as(name);
}

function flag(expression: SQL, name: string) {
  return sql<boolean>`${expression}`.mapWith((value: number) => value === 1).as(name);
}

/**
 * Selects everything that a post, its card and its access need, in one row. Each column name is
 * unique: a D1 batch tells columns apart by name only.
 */
function postColumns(ctx: Context, viewerId: string | null) {
  return {
    id: sql<string>`posts.id`.as("post_id"),
    title: posts.title,
    teaser: posts.teaser,
    content: posts.content,
    state: posts.state,
    publishedAt: posts.publishedAt,
    editedAt: posts.editedAt,
    pinnedAt: posts.pinnedAt,
    isSensitive: posts.isSensitive,
    heldAt: posts.heldAt,
    deletedAt: posts.deletedAt,
    likesCount: posts.likesCount,
    commentsCount: posts.commentsCount,
    commentsClosedAt: posts.commentsClosedAt,
    authorId: posts.authorId,
    authorName: profiles.name,
    authorUsername: profiles.username,
    authorAvatarMediaId: profiles.avatarMediaId,
    actedByName: sql<
      string | null
    >`(SELECT actor.name FROM profiles actor WHERE actor.person_id = posts.acted_by)`.as(
      "acted_by_name",
    ),
    authorBannedAt: people.bannedAt,
    authorLeavingAt: people.leavingAt,
    authorSells: flag(canSellSql(sql`posts.author_id`, ctx.now()), "author_sells"),
    authorAwayUntil: vacationUntilSql(sql`posts.author_id`, ctx.now()).as("author_away_until"),
    isForAdults: profiles.isAdult,
    rules: json<AccessRule[]>(
      sql`(SELECT json_group_array(json_object('kind', r.kind, 'planId', r.plan_id, 'amountCents', r.amount_cents, 'opensAt', r.opens_at)) FROM post_access_rules r WHERE r.post_id = posts.id)`,
      "rules",
    ),
    plans: json<{ id: string; name: string }[]>(
      sql`(SELECT json_group_array(json_object('id', p.id, 'name', p.name)) FROM post_access_rules r JOIN plans p ON p.id = r.plan_id WHERE r.post_id = posts.id)`,
      "named_plans",
    ),
    media: json<MediaItem[]>(mediaItemsJson(sql`posts.id`), "media_items"),
    offers: json<PlanPriceOffer[]>(
      sql`(SELECT json_group_array(json_object('planId', p.id, 'planName', p.name, 'interval', r.interval, 'amountCents', r.amount_cents))
        FROM plans p JOIN plan_prices r ON r.plan_id = p.id AND r.retired_at IS NULL
        WHERE p.creator_id = posts.author_id AND p.state = 'active' AND (p.seats_limit IS NULL OR p.seats_taken < p.seats_limit))`,
      "offers",
    ),
    collectionOffers: json<SoldCollection[]>(
      sql`(SELECT json_group_array(json_object('collectionId', c.id, 'title', c.title, 'amountCents', c.price_cents)) FROM collection_posts h JOIN collections c ON c.id = h.collection_id
        WHERE h.post_id = posts.id AND c.price_cents IS NOT NULL AND c.deleted_at IS NULL AND c.held_at IS NULL)`,
      "collection_offers",
    ),
    poll: json<Pick<PollRow, "closesAt" | "votersCount"> | null>(
      sql`COALESCE((SELECT json_object('closesAt', poll.closes_at, 'votersCount', poll.voters_count) FROM post_polls poll WHERE poll.post_id = posts.id), 'null')`,
      "poll_glimpse",
    ),
    ...viewerColumns(ctx, viewerId),
  };
}

function viewerColumns(ctx: Context, viewerId: string | null) {
  return {
    isLiked: flag(
      sql`EXISTS (SELECT 1 FROM post_likes l WHERE l.post_id = posts.id AND l.person_id = ${viewerId})`,
      "is_liked",
    ),
    isModerator: flag(
      sql`EXISTS (SELECT 1 FROM people v WHERE v.id = ${viewerId} AND v.is_moderator = 1)`,
      "viewer_moderates",
    ),
    isTeam: flag(isInTeam(viewerId, sql`posts.author_id`), "viewer_in_team"),
    follows: flag(
      sql`EXISTS (SELECT 1 FROM follows f WHERE f.follower_id = ${viewerId} AND f.creator_id = posts.author_id)`,
      "viewer_follows",
    ),
    blocked: flag(sql`${isBlockedBetween(viewerId, sql`posts.author_id`)}`, "is_blocked"),
    isAgeChecked: flag(isAgeChecked(viewerId, ctx.settings.adultSpaces), "viewer_age_checked"),
    purchased: flag(isPurchased(viewerId), "viewer_bought"),
    subscriptions: json<ViewerSubscription[]>(
      sql`(SELECT json_group_array(json_object('id', s.id, 'planId', s.plan_id, 'status', s.status, 'accessUntil', s.access_until, 'isGiven', json(iif(s.gifted_by IS NULL AND s.comp_ends_at IS NULL, 'false', 'true')))) FROM subscriptions s WHERE s.fan_id = ${viewerId} AND s.creator_id = posts.author_id)`,
      "viewer_subscriptions",
    ),
  };
}

const newestFirst = [desc(posts.publishedAt), desc(posts.id)];

/**
 * Builds the query of posts where `condition` holds, with all that `postFromRow` needs. Leaves out
 * posts that the viewer cannot know of.
 */
export function postRows(
  ctx: Context,
  viewerId: string | null,
  condition: SQL | undefined,
  order: SQL[] = newestFirst,
) {
  return ctx.db
    .select(postColumns(ctx, viewerId))
    .from(posts)
    .innerJoin(profiles, eq(profiles.personId, posts.authorId))
    .innerJoin(people, eq(people.id, posts.authorId))
    .where(condition)
    .orderBy(...order);
}

export type PostRow = Awaited<ReturnType<typeof postRows>>[number];

/**
 * Maps a row to the post that its viewer sees. A locked post has no content. Null when not even the
 * card can be shown.
 */
export function postFromRow(row: PostRow, viewerId: string | null, now: number): Post | null {
  const access = decideAccess(row, { ...row, viewerId }, now);
  if (!canList(access)) return null;
  return {
    id: row.id,
    title: row.title,
    teaser: row.teaser,
    content: access.visible ? row.content : null,
    publishedAt: row.publishedAt ?? now,
    editedAt: row.editedAt,
    isPinned: row.pinnedAt !== null,
    isSensitive: row.isSensitive,
    state: row.state,
    likesCount: row.likesCount,
    commentsCount: row.commentsCount,
    areCommentsClosed: row.commentsClosedAt !== null,
    isLiked: row.isLiked,
    author: {
      id: row.authorId,
      name: row.authorName,
      username: row.authorUsername,
      avatarMediaId: row.authorAvatarMediaId,
    },
    rules: row.rules,
    plans: row.plans,
    media: access.visible ? row.media : row.media.map(faceOf),
    poll: access.visible && row.poll ? pollSummary(row.poll, now) : null,
    access,
    isOwn: viewerId === row.authorId,
    publishedBy: viewerId === row.authorId || row.isTeam ? row.actedByName : null,
  };
}

/**
 * Reduces a file of a locked post to its thumbnail. The name and the description are locked
 * content.
 */
function faceOf(item: MediaItem): MediaItem {
  return { ...item, alt: "", filename: "", captionsVersion: 0 };
}

/** Makes a page of cards from rows fetched with `limit + 1`. */
export function cardsFromRows(
  ctx: Context,
  rows: PostRow[],
  viewerId: string | null,
  limit: number,
): Page<PostPreview> {
  const page = pageOf(rows, limit, (row) => ({ at: row.publishedAt ?? 0, id: row.id }));
  return {
    items: postsFromRows(page.items, viewerId, ctx.now()).map(toPostPreview),
    next: page.next,
  };
}

function postsFromRows(rows: PostRow[], viewerId: string | null, now: number): Post[] {
  return rows.flatMap((row) => postFromRow(row, viewerId, now) ?? []);
}

type PostListRequest = { viewerId: string | null; cursor: string | null; limit: number };

function after(cursor: string | null): SQL | undefined {
  const last = decodeCursor(cursor);
  return last ? sql`(posts.published_at, posts.id) < (${last.at}, ${last.id})` : undefined;
}

/** Builds the statement behind `postFor`. */
export function postStatement(
  ctx: Context,
  { postId, viewerId }: { postId: string; viewerId: string | null },
) {
  return postRows(ctx, viewerId, and(eq(posts.id, postId), sql`posts.deleted_at IS NULL`)).limit(1);
}

/**
 * Reads one post as `viewerId` (null for a visitor) sees it: open or locked. Null when they cannot
 * know of it.
 */
export async function postFor(
  ctx: Context,
  input: { postId: string; viewerId: string | null },
): Promise<Post | null> {
  const [row] = await postStatement(ctx, input);
  return row ? postFromRow(row, input.viewerId, ctx.now()) : null;
}

/**
 * Builds the statement that reads the author's previous and next post that `viewerId` can know of,
 * for the page's batch. At most one of each, identified by `side`.
 */
export function adjacentPostsStatement(
  ctx: Context,
  { postId, viewerId }: { postId: string; viewerId: string | null },
) {
  const here = sql`(SELECT here.published_at, here.id FROM posts here WHERE here.id = ${postId})`;
  const ofAuthor = sql`posts.author_id = (SELECT here.author_id FROM posts here WHERE here.id = ${postId}) AND ${publishedAndListable(viewerId, ctx.now(), ctx.settings.adultSpaces)}`;
  const neighbour = (side: "older" | "newer", comparison: SQL, order: SQL) =>
    sql`SELECT * FROM (SELECT ${side} AS side, posts.id AS id, posts.title AS title FROM posts WHERE ${ofAuthor} AND (posts.published_at, posts.id) ${comparison} ${here} ORDER BY posts.published_at ${order}, posts.id ${order} LIMIT 1)`;
  const both = sql`${neighbour("older", sql`<`, sql`DESC`)} UNION ALL ${neighbour("newer", sql`>`, sql`ASC`)}`;
  return ctx.db
    .select({ side: sql<"older" | "newer">`side`, id: sql<string>`id`, title: sql<string>`title` })
    .from(sql`(${both})`);
}

/** Builds the statement behind `spacePosts`. `authorKey` is the author's id or lower-case username. */
export function spacePostsStatement(
  ctx: Context,
  { authorKey, viewerId, cursor, limit }: PostListRequest & { authorKey: string },
) {
  const author = sql`posts.author_id = ${personIdByKey(authorKey)}`;
  return postRows(
    ctx,
    viewerId,
    and(author, publishedAndListable(viewerId, ctx.now(), ctx.settings.adultSpaces), after(cursor)),
  ).limit(limit + 1);
}

/**
 * Builds the statement that reads the author's pinned posts, at most three, latest pinned first.
 * Only the first page shows them.
 */
export function pinnedPostsStatement(
  ctx: Context,
  { authorKey, viewerId }: { authorKey: string; viewerId: string | null },
) {
  const author = sql`posts.author_id = ${personIdByKey(authorKey)}`;
  return postRows(
    ctx,
    viewerId,
    and(
      author,
      sql`posts.pinned_at IS NOT NULL`,
      publishedAndListable(viewerId, ctx.now(), ctx.settings.adultSpaces),
    ),
    [desc(posts.pinnedAt)],
  ).limit(PINS_MAX);
}

/** Reads the posts of one page, newest first. */
export async function spacePosts(
  ctx: Context,
  input: PostListRequest & { authorKey: string },
): Promise<Page<PostPreview>> {
  return cardsFromRows(ctx, await spacePostsStatement(ctx, input), input.viewerId, input.limit);
}

type CollectionPostsRequest = {
  collectionId: string;
  viewerId: string | null;
  cursor: string | null;
  limit: number;
};

/**
 * Builds the statement that reads published posts of a collection in its order. Starts after the
 * post `cursor` and reads up to `limit` + 1. The caller checks that the viewer can know of the
 * collection.
 */
export function collectionPostsStatement(
  ctx: Context,
  { collectionId, viewerId, cursor, limit }: CollectionPostsRequest,
) {
  const place = (postId: SQL) =>
    sql`(SELECT c.position FROM collection_posts c WHERE c.collection_id = ${collectionId} AND c.post_id = ${postId})`;
  const own = place(sql`posts.id`);
  const rest =
    cursor === null
      ? undefined
      : sql`(${own}, posts.id) > (COALESCE(${place(sql`${cursor}`)}, -1), ${cursor})`;
  const inCollection = sql`posts.id IN (SELECT c.post_id FROM collection_posts c WHERE c.collection_id = ${collectionId})`;
  return postRows(
    ctx,
    viewerId,
    and(
      inCollection,
      sql`posts.held_at IS NULL`,
      rest,
      publishedAndListable(viewerId, ctx.now(), ctx.settings.adultSpaces),
    ),
    [own, sql`posts.id`],
  ).limit(limit + 1);
}

/**
 * Reads page `page` (from 1) of every post that the viewer can know of, newest first. A counter
 * gives the total. `GET /posts` answers it. The caller limits `page * limit` to `DEEPEST_ITEM`.
 */
export async function postsPage(
  ctx: Context,
  { viewerId, page, limit }: { viewerId: string | null; page: number; limit: number },
): Promise<{ items: Post[]; totalItems: number }> {
  const now = ctx.now();
  const isListable = publishedAndListable(viewerId, now, ctx.settings.adultSpaces);
  // Only keys are skipped, on the index. Full rows are read from the page's first on.
  const fromFirst = sql`(posts.published_at, posts.id) <= (
    SELECT posts.published_at, posts.id FROM posts WHERE ${isListable} ORDER BY posts.published_at DESC, posts.id DESC LIMIT 1 OFFSET ${(page - 1) * limit})`;
  const [rows, [total]] = await ctx.db.batch([
    postRows(ctx, viewerId, and(isListable, fromFirst)).limit(limit),
    ctx.db
      .select({ publishedCount: postTotals.publishedCount })
      .from(postTotals)
      .where(eq(postTotals.id, 1)),
  ]);
  return { items: postsFromRows(rows, viewerId, now), totalItems: total?.publishedCount ?? 0 };
}
