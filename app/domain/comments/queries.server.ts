import { and, asc, desc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { isBlockedBetween, visibleTo } from "#app/domain/access/sql.server.ts";
import { allowedCommentActions, UNDO_WINDOW_MS } from "./rules.ts";
import type { Comment, CommentThread } from "./schema.ts";
import type { Context } from "#app/domain/context.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import type { Instant } from "#app/domain/time.ts";
import { comments } from "#drizzle/schema/comments.ts";
import { people } from "#drizzle/schema/identity.ts";
import { posts } from "#drizzle/schema/posts.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

/** Replies shown below each comment of a list. */
export const REPLIES_SHOWN = 3;

/**
 * `hostId` is the owner of the posts that the viewer moderates: themselves, or the owner of the
 * team's page they act for. Undefined for a mere reader.
 */
type CommentViewing = { postId: string; viewerId: string | null; hostId?: string | undefined };
type CommentViewer = { viewerId: string | null; hostId?: string | undefined; now: Instant };
type CommentListing = CommentViewing & { cursor: string | null; limit: number };

/** One comment as one viewer sees it. */
type CommentViewRow = {
  id: string;
  parentId: string | null;
  body: string;
  mentions: string;
  createdAt: Instant;
  editedAt: Instant | null;
  hiddenAt: Instant | null;
  heldAt: Instant | null;
  pinnedAt: Instant | null;
  deletedAt: Instant | null;
  likesCount: number;
  repliesCount: number;
  authorId: string;
  authorName: string;
  authorUsername: string;
  authorAvatarMediaId: string | null;
  hostId: string;
  closedAt: Instant | null;
  isLiked: 0 | 1;
  moderates: 0 | 1;
  isThere: 0 | 1;
};

const moderates = (viewerId: string | null): SQL =>
  viewerId === null
    ? sql`0`
    : sql`EXISTS (SELECT 1 FROM people moderator WHERE moderator.id = ${viewerId} AND moderator.is_moderator = 1)`;

/**
 * Whether the viewer can read the comment `c` (an alias) of a post that they can see. Not across a
 * block, and not of a muted or banned author. A hidden one is shown to its author, the post's owner
 * and moderators only. A removed one is shown to its author while they can restore it.
 */
function isThere(c: SQL, { viewerId, hostId, now }: CommentViewer): SQL {
  const own = viewerId === null ? sql`0` : sql`${c}.author_id = ${viewerId}`;
  const host = hostId === undefined ? sql`0` : sql`posts.author_id = ${hostId}`;
  const muted =
    viewerId === null
      ? sql`0`
      : sql`EXISTS (SELECT 1 FROM mutes m WHERE m.muter_id = ${viewerId} AND m.muted_id = ${c}.author_id)`;
  return sql`(NOT ${isBlockedBetween(viewerId, sql`${c}.author_id`)} AND NOT ${muted}
    AND NOT EXISTS (SELECT 1 FROM people banned WHERE banned.id = ${c}.author_id AND banned.banned_at IS NOT NULL)
    AND (${c}.hidden_at IS NULL OR ${own} OR ${host} OR ${moderates(viewerId)})
    AND (${c}.deleted_at IS NULL OR (${own} AND ${c}.deleted_at > ${now - UNDO_WINDOW_MS})))`;
}

function factOf(c: SQL, profile: SQL, eyes: CommentViewer): SQL {
  const { viewerId } = eyes;
  const isLiked =
    viewerId === null
      ? sql`0`
      : sql`EXISTS (SELECT 1 FROM comment_likes liked WHERE liked.comment_id = ${c}.id AND liked.person_id = ${viewerId})`;
  return sql`json_object('id', ${c}.id, 'parentId', ${c}.parent_id, 'body', ${c}.body, 'mentions', ${c}.mentions, 'createdAt', ${c}.created_at,
    'editedAt', ${c}.edited_at, 'hiddenAt', ${c}.hidden_at, 'heldAt', ${c}.held_at, 'pinnedAt', ${c}.pinned_at, 'deletedAt', ${c}.deleted_at,
    'likesCount', ${c}.likes_count, 'repliesCount', ${c}.replies_count, 'authorId', ${c}.author_id, 'authorName', ${profile}.name,
    'authorUsername', ${profile}.username, 'authorAvatarMediaId', ${profile}.avatar_media_id, 'hostId', posts.author_id,
    'closedAt', posts.comments_closed_at, 'isLiked', ${isLiked}, 'moderates', ${moderates(viewerId)}, 'isThere', ${isThere(c, eyes)})`;
}

const parsed = <Value>(expression: SQL, name: string) =>
  sql<Value>`${expression}`.mapWith((text: string): Value => JSON.parse(text)).as(name);

function rootRows(
  ctx: Context,
  { postId, ...viewing }: CommentViewing,
  condition: SQL | undefined,
) {
  const now = ctx.now();
  const eyes = { ...viewing, now };
  const root = sql`comments`;
  const reply = sql`reply`;
  const answered = sql`EXISTS (SELECT 1 FROM comments reply WHERE reply.parent_id = comments.id AND ${isThere(reply, eyes)})`;
  return ctx.db
    .select({
      id: sql<string>`comments.id`.as("comment_id"),
      createdAt: sql<number>`comments.created_at`.as("commented_at"),
      fact: parsed<CommentViewRow>(factOf(root, sql`profiles`, eyes), "comment_fact"),
      replies: parsed<CommentViewRow[]>(
        sql`(SELECT json_group_array(json(first_replies.fact)) FROM (
          SELECT ${factOf(reply, sql`replier`, eyes)} AS fact FROM comments reply JOIN profiles replier ON replier.person_id = reply.author_id
          WHERE reply.parent_id = comments.id AND ${isThere(reply, eyes)} ORDER BY reply.created_at, reply.id LIMIT ${REPLIES_SHOWN}) first_replies)`,
        "comment_replies",
      ),
    })
    .from(comments)
    .innerJoin(posts, eq(posts.id, comments.postId))
    .innerJoin(profiles, eq(profiles.personId, comments.authorId))
    .where(
      and(
        eq(comments.postId, postId),
        isNull(comments.parentId),
        visibleTo(eyes.viewerId, now, ctx.settings.adultSpaces),
        sql`(${isThere(root, eyes)} OR ${answered})`,
        condition,
      ),
    );
}

/**
 * Builds the statement behind `commentsOf`: comments on the post itself, newest first, without the
 * pinned one.
 */
export function commentsStatement(ctx: Context, listing: CommentListing) {
  const last = decodeCursor(listing.cursor);
  const after = last
    ? sql`(comments.created_at, comments.id) < (${last.at}, ${last.id})`
    : undefined;
  return rootRows(ctx, listing, and(isNull(comments.pinnedAt), after))
    .orderBy(desc(comments.createdAt), desc(comments.id))
    .limit(listing.limit + 1);
}

/** Builds the statement that reads a post's pinned comment, for the top of its first page. */
export function pinnedStatement(ctx: Context, viewing: CommentViewing) {
  return rootRows(ctx, viewing, isNotNull(comments.pinnedAt)).limit(1);
}

/**
 * Builds the statement that reads one conversation: the comment `commentId`, or the one that it
 * replies to.
 */
export function threadStatement(
  ctx: Context,
  { commentId, ...viewing }: CommentViewing & { commentId: string },
) {
  const rootId = sql`coalesce((SELECT named.parent_id FROM comments named WHERE named.id = ${commentId}), ${commentId})`;
  return rootRows(ctx, viewing, sql`comments.id = ${rootId}`).limit(1);
}

/**
 * Builds the statement that reads a conversation's replies, oldest first. `commentId` as in
 * `threadStatement`.
 */
export function repliesStatement(
  ctx: Context,
  { postId, viewerId, hostId, commentId, cursor, limit }: CommentListing & { commentId: string },
) {
  const now = ctx.now();
  const eyes = { viewerId, hostId, now };
  const last = decodeCursor(cursor);
  const rootId = sql`coalesce((SELECT named.parent_id FROM comments named WHERE named.id = ${commentId}), ${commentId})`;
  return ctx.db
    .select({
      id: sql<string>`comments.id`.as("comment_id"),
      createdAt: sql<number>`comments.created_at`.as("commented_at"),
      fact: parsed<CommentViewRow>(factOf(sql`comments`, sql`profiles`, eyes), "comment_fact"),
    })
    .from(comments)
    .innerJoin(posts, eq(posts.id, comments.postId))
    .innerJoin(profiles, eq(profiles.personId, comments.authorId))
    .where(
      and(
        eq(comments.postId, postId),
        sql`comments.parent_id = ${rootId}`,
        visibleTo(viewerId, now, ctx.settings.adultSpaces),
        isThere(sql`comments`, eyes),
        last ? sql`(comments.created_at, comments.id) > (${last.at}, ${last.id})` : undefined,
      ),
    )
    .orderBy(asc(comments.createdAt), asc(comments.id))
    .limit(limit + 1);
}

type RootRow = Awaited<ReturnType<typeof commentsStatement>>[number];
type ReplyRow = Awaited<ReturnType<typeof repliesStatement>>[number];

const cursorOf = (row: { id: string; createdAt: Instant }) => ({ at: row.createdAt, id: row.id });

export function threadsFromRows(
  rows: RootRow[],
  eyes: CommentViewer,
  limit: number,
): Page<CommentThread> {
  const page = pageOf(rows, limit, cursorOf);
  return { items: page.items.map((row) => threadFromRow(row, eyes)), next: page.next };
}

export function threadFromRow({ fact, replies }: RootRow, eyes: CommentViewer): CommentThread {
  return {
    ...commentFrom(fact, eyes),
    repliesCount: fact.repliesCount,
    replies: replies.map((reply) => commentFrom(reply, eyes)),
  };
}

export function repliesFromRows(
  rows: ReplyRow[],
  eyes: CommentViewer,
  limit: number,
): Page<Comment> {
  const page = pageOf(rows, limit, cursorOf);
  return { items: page.items.map(({ fact }) => commentFrom(fact, eyes)), next: page.next };
}

/**
 * Reads comments of a post that `viewerId` can see, newest first, each with its first replies.
 * Empty when the post is closed to them.
 */
export async function commentsOf(
  ctx: Context,
  input: CommentListing,
): Promise<Page<CommentThread>> {
  return threadsFromRows(
    await commentsStatement(ctx, input),
    { ...input, now: ctx.now() },
    input.limit,
  );
}

function commentFrom(fact: CommentViewRow, { viewerId, hostId, now }: CommentViewer): Comment {
  const isOwn = viewerId === fact.authorId;
  const isHost = hostId === fact.hostId || fact.moderates === 1;
  const isRead = fact.isThere === 1;
  const state =
    fact.deletedAt !== null ? "removed" : fact.hiddenAt !== null || !isRead ? "hidden" : "there";
  const input = {
    ...fact,
    isAuthor: isOwn,
    isHost,
    isReply: fact.parentId !== null,
    areCommentsClosed: fact.closedAt !== null,
  };
  return {
    id: fact.id,
    state,
    body: isRead && state !== "removed" ? fact.body : "",
    mentions: isRead ? fact.mentions.split(" ").filter(Boolean) : [],
    createdAt: fact.createdAt,
    isEdited: fact.editedAt !== null,
    isPinned: fact.pinnedAt !== null,
    isHeld: isRead && fact.heldAt !== null,
    author: isRead
      ? {
          id: fact.authorId,
          name: fact.authorName,
          username: fact.authorUsername,
          avatarMediaId: fact.authorAvatarMediaId,
        }
      : null,
    isByHost: isRead && fact.authorId === fact.hostId,
    isOwn,
    isLiked: fact.isLiked === 1,
    likesCount: fact.likesCount,
    may: isRead ? allowedCommentActions(input, now) : NOTHING,
  };
}

const NOTHING = {
  like: false,
  reply: false,
  edit: false,
  remove: false,
  restore: false,
  hide: false,
  show: false,
  pin: false,
};

/** Whether the person can read the comment, on a post that they can see. */
export async function commentForViewer(
  ctx: Context,
  { commentId, viewerId }: { commentId: string; viewerId: string },
): Promise<boolean> {
  const now = ctx.now();
  const found = await ctx.db
    .select({ id: sql<string>`comments.id`.as("comment_id") })
    .from(comments)
    .innerJoin(posts, eq(posts.id, comments.postId))
    .where(
      and(
        eq(comments.id, commentId),
        isNull(comments.deletedAt),
        visibleTo(viewerId, now, ctx.settings.adultSpaces),
        isThere(sql`comments`, { viewerId, now }),
      ),
    )
    .limit(1);
  return found.length > 0;
}

/** Reads what decides the allowed actions on one comment, for any person; null for an unknown one. */
export async function loadCommentSnapshot(ctx: Context, { commentId }: { commentId: string }) {
  const row = await ctx.db
    .select({
      id: sql<string>`comments.id`.as("comment_id"),
      postId: comments.postId,
      parentId: comments.parentId,
      authorId: sql<string>`comments.author_id`.as("commenter_id"),
      body: comments.body,
      createdAt: sql<number>`comments.created_at`.as("commented_at"),
      deletedAt: sql<number | null>`comments.deleted_at`.as("removed_at"),
      hiddenAt: comments.hiddenAt,
      heldAt: sql<number | null>`comments.held_at`.as("held_by_moderation_at"),
      hostId: sql<string>`posts.author_id`.as("host_id"),
      closedAt: posts.commentsClosedAt,
    })
    .from(comments)
    .innerJoin(posts, eq(posts.id, comments.postId))
    .where(eq(comments.id, commentId))
    .get();
  return row ?? null;
}

/** Reads a person's relation to the author of a comment. */
export async function relationToAuthor(
  ctx: Context,
  { personId, authorId }: { personId: string; authorId: string },
): Promise<{ isModerator: boolean; isBlocked: boolean }> {
  const row = await ctx.db
    .select({
      isModerator: people.isModerator,
      isBlocked: sql<number>`${isBlockedBetween(personId, sql`${authorId}`)}`.as("is_blocked"),
    })
    .from(people)
    .where(eq(people.id, personId))
    .get();
  return { isModerator: row?.isModerator ?? false, isBlocked: row?.isBlocked === 1 };
}
