import { and, asc, desc, eq, gt, isNotNull, isNull, lte, ne, sql } from "drizzle-orm";
import type { AccessRule } from "#app/domain/access/rules.ts";
import type { Context } from "#app/domain/context.ts";
import { mediaItemsJson } from "#app/domain/media/queries.server.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";
import { storedPollJson, parseStoredPoll } from "./polls.server.ts";
import { RESTORABLE_MS } from "#app/domain/posts/rules/composing.ts";
import type { MailAudience } from "#app/domain/posts/schema.ts";
import type { PostState } from "#app/domain/posts/rules/composing.ts";
import type { StoredPoll } from "#app/domain/posts/schema/polls.ts";
import type { Instant } from "#app/domain/time.ts";
import {
  notBoughtIndividually,
  notInSoldCollection,
} from "#app/domain/purchases/queries.server.ts";
import { postAccessRules, posts } from "#drizzle/schema/posts.ts";

/** What a command reads of a post before it changes it. */
export type StoredPost = {
  id: string;
  authorId: string;
  title: string;
  state: PostState;
  version: number;
  savedByTab: string;
  publishedAt: Instant | null;
  scheduledAt: Instant | null;
  deletedAt: Instant | null;
  pinnedAt: Instant | null;
  mailTo: MailAudience;
  planIds: string[];
  poll: StoredPoll | null;
  /** The post has a price. */
  isSold: boolean;
};

const storedPoll = () =>
  sql<StoredPoll | null>`${storedPollJson(sql`posts.id`)}`.mapWith(parseStoredPoll).as("kept_poll");
const lists = <Value>(expression: ReturnType<typeof sql>, name: string) =>
  sql<Value>`${expression}`.mapWith((text: string): Value => JSON.parse(text)).as(name);

/** Reads a post in any state, also a deleted one, for its author's commands. */
export async function storedPost(
  ctx: Context,
  { postId }: { postId: string },
): Promise<StoredPost | null> {
  const [row] = await ctx.db
    .select({
      id: posts.id,
      authorId: posts.authorId,
      title: posts.title,
      state: posts.state,
      version: posts.version,
      savedByTab: posts.savedByTab,
      publishedAt: posts.publishedAt,
      scheduledAt: posts.scheduledAt,
      deletedAt: posts.deletedAt,
      pinnedAt: posts.pinnedAt,
      mailTo: posts.mailTo,
      planIds: lists<string[]>(
        sql`(SELECT json_group_array(r.plan_id) FROM ${postAccessRules} r WHERE r.post_id = posts.id AND r.plan_id IS NOT NULL)`,
        "rule_plan_ids",
      ),
      poll: storedPoll(),
      isSold:
        sql<boolean>`EXISTS (SELECT 1 FROM ${postAccessRules} r WHERE r.post_id = posts.id AND r.kind = 'price')`
          .mapWith((value: number) => value === 1)
          .as("has_price"),
    })
    .from(posts)
    .where(eq(posts.id, postId))
    .limit(1);
  return row ?? null;
}

/** What a composer opens with. */
export type PostToEdit = Pick<StoredPost, "id" | "state" | "version" | "scheduledAt" | "poll"> & {
  title: string;
  content: string;
  teaser: string;
  isSensitive: boolean;
  mailTo: MailAudience;
  updatedAt: Instant;
  rules: AccessRule[];
  media: MediaItem[];
  collectionIds: string[];
};

/** Reads a post for its author's composer. Null when it is another author's, or deleted. */
export async function postToEdit(
  ctx: Context,
  { postId, authorId }: { postId: string; authorId: string },
): Promise<PostToEdit | null> {
  const [row] = await ctx.db
    .select({
      id: posts.id,
      state: posts.state,
      version: posts.version,
      scheduledAt: posts.scheduledAt,
      title: posts.title,
      content: posts.content,
      teaser: posts.teaser,
      isSensitive: posts.isSensitive,
      mailTo: posts.mailTo,
      updatedAt: posts.updatedAt,
      rules: lists<AccessRule[]>(
        sql`(SELECT json_group_array(json_object('kind', r.kind, 'planId', r.plan_id, 'amountCents', r.amount_cents, 'opensAt', r.opens_at)) FROM ${postAccessRules} r WHERE r.post_id = posts.id)`,
        "kept_rules",
      ),
      media: lists<MediaItem[]>(mediaItemsJson(sql`posts.id`), "kept_media"),
      poll: storedPoll(),
      collectionIds: lists<string[]>(
        sql`(SELECT json_group_array(c.collection_id) FROM collection_posts c WHERE c.post_id = posts.id)`,
        "kept_collections",
      ),
    })
    .from(posts)
    .where(and(eq(posts.id, postId), eq(posts.authorId, authorId), isNull(posts.deletedAt)))
    .limit(1);
  return row ?? null;
}

export type UnpublishedPost = {
  id: string;
  title: string;
  state: PostState;
  scheduledAt: Instant | null;
  updatedAt: Instant;
};

/** Reads the drafts and scheduled posts of one author, latest changed first. */
export async function unpublishedPosts(
  ctx: Context,
  { authorId, limit }: { authorId: string; limit: number },
): Promise<UnpublishedPost[]> {
  return await ctx.db
    .select({
      id: posts.id,
      title: posts.title,
      state: posts.state,
      scheduledAt: posts.scheduledAt,
      updatedAt: posts.updatedAt,
    })
    .from(posts)
    .where(and(eq(posts.authorId, authorId), ne(posts.state, "published"), isNull(posts.deletedAt)))
    .orderBy(desc(posts.updatedAt))
    .limit(limit);
}

/**
 * The numbers of an author's drafts and scheduled posts, and the first few: soonest scheduled, then
 * latest changed.
 */
export type UnpublishedSummary = { drafts: number; scheduled: number; next: UnpublishedPost[] };

/** Counts stop at this number. */
const COUNTED_MAX = 100;

/** Builds the statements of an author's unpublished posts. `toUnpublishedSummary` maps their rows. */
export function unpublishedSummaryStatements(
  ctx: Context,
  { authorId, limit }: { authorId: string; limit: number },
) {
  const unpublished = (columns: ReturnType<typeof sql>, rest: ReturnType<typeof sql>) =>
    sql`SELECT ${columns} FROM posts INDEXED BY posts_unpublished WHERE author_id = ${authorId} AND state <> 'published' AND deleted_at IS NULL ${rest}`;
  return [
    ctx.db
      .select({ state: sql<PostState>`state`, count: sql<number>`counted` })
      .from(
        sql`(SELECT state, COUNT(*) AS counted FROM (${unpublished(sql`state`, sql`LIMIT ${COUNTED_MAX}`)}) GROUP BY state)`,
      ),
    ctx.db
      .select({
        id: posts.id,
        title: posts.title,
        state: posts.state,
        scheduledAt: posts.scheduledAt,
        updatedAt: posts.updatedAt,
      })
      .from(posts)
      .where(
        and(eq(posts.authorId, authorId), ne(posts.state, "published"), isNull(posts.deletedAt)),
      )
      .orderBy(sql`posts.scheduled_at IS NULL`, asc(posts.scheduledAt), desc(posts.updatedAt))
      .limit(limit),
  ] as const;
}

/** Maps the rows of `unpublishedSummaryStatements`. */
export function toUnpublishedSummary(
  counts: { state: PostState; count: number }[],
  next: UnpublishedPost[],
): UnpublishedSummary {
  const of = (state: PostState) => counts.find((row) => row.state === state)?.count ?? 0;
  return { drafts: of("draft"), scheduled: of("scheduled"), next };
}

export type DeletedPost = { id: string; title: string; deletedAt: Instant };

/** Reads the deleted posts of one author that can be restored, latest deleted first. */
export async function deletedPosts(
  ctx: Context,
  { authorId, limit }: { authorId: string; limit: number },
): Promise<DeletedPost[]> {
  const rows = await ctx.db
    .select({ id: posts.id, title: posts.title, deletedAt: posts.deletedAt })
    .from(posts)
    .where(
      and(
        eq(posts.authorId, authorId),
        isNotNull(posts.deletedAt),
        gt(posts.deletedAt, ctx.now() - RESTORABLE_MS),
      ),
    )
    .orderBy(desc(posts.deletedAt))
    .limit(limit);
  return rows.flatMap(({ deletedAt, ...row }) =>
    deletedAt === null ? [] : [{ ...row, deletedAt }],
  );
}

export type PostOpening = {
  postId: string;
  opensAt: Instant;
  announces: boolean;
  title: string;
  authorId: string;
  authorName: string;
};

/**
 * Reads due opening times of access rules that are not announced, earliest first. `announces` is
 * true when the post was published before that time: otherwise the publication already notified
 * those people.
 */
export async function duePostOpenings(
  ctx: Context,
  { limit }: { limit: number },
): Promise<PostOpening[]> {
  return await ctx.db
    .all<Omit<PostOpening, "announces"> & { announces: number }>(sql`
    SELECT due.post_id AS "postId", due.opens_at AS "opensAt", posts.title AS "title", posts.author_id AS "authorId", COALESCE(author.name, '') AS "authorName",
      (posts.state = 'published' AND posts.deleted_at IS NULL AND posts.published_at < due.opens_at) AS "announces"
    FROM (SELECT DISTINCT rule.post_id, rule.opens_at FROM post_access_rules rule
      WHERE rule.opens_at IS NOT NULL AND rule.announced_at IS NULL AND rule.opens_at <= ${ctx.now()} ORDER BY rule.opens_at LIMIT ${limit}) due
    JOIN posts ON posts.id = due.post_id LEFT JOIN profiles author ON author.person_id = posts.author_id`)
    .then((rows) => rows.map((row) => ({ ...row, announces: row.announces === 1 })));
}

/**
 * Reads deleted posts that can no longer be restored and are not erased. A purchased post is left
 * until its purchase ends: another command refunds it.
 */
export async function postsToErase(ctx: Context, { limit }: { limit: number }): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: posts.id })
    .from(posts)
    .where(
      and(
        isNotNull(posts.deletedAt),
        isNull(posts.erasedAt),
        lte(posts.deletedAt, ctx.now() - RESTORABLE_MS),
        notPurchased,
      ),
    )
    .orderBy(asc(posts.deletedAt))
    .limit(limit);
  return rows.map((row) => row.id);
}

/** True for posts that nobody holds by a purchase of the post or of a collection. */
export const notPurchased = sql`(${notBoughtIndividually} AND ${notInSoldCollection})`;

/** Reads the due scheduled posts, longest due first. */
export async function dueScheduledPosts(
  ctx: Context,
  { limit }: { limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: posts.id })
    .from(posts)
    .where(
      and(eq(posts.state, "scheduled"), lte(posts.scheduledAt, ctx.now()), isNull(posts.deletedAt)),
    )
    .orderBy(asc(posts.scheduledAt))
    .limit(limit);
  return rows.map((row) => row.id);
}
