import { and, asc, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import {
  collectionListableTo,
  eventListableTo,
  publishedAndListable,
} from "#app/domain/access/sql.server.ts";
import { publicCollectionPath } from "#app/domain/collections/rules.ts";
import type { Context } from "#app/domain/context.ts";
import { publicEventPath } from "#app/domain/events/rules.ts";
import { publicPostPath } from "#app/domain/posts/rules.ts";
import { SITEMAP_PAGE_ENTRIES } from "#app/domain/syndication/schema.ts";
import type { SitemapEntry, SitemapKind, SitemapPage } from "#app/domain/syndication/schema.ts";
import { collections } from "#drizzle/schema/collections.ts";
import { events } from "#drizzle/schema/events.ts";
import { people } from "#drizzle/schema/identity.ts";
import { posts } from "#drizzle/schema/posts.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { sitemapPages } from "#drizzle/schema/syndication.ts";

/** A sitemap index may name 50,000 files. */
const FILES_MAX = 50_000;
/** Sorts after every key: ids are ASCII letters and digits. */
const END = "~";

/** Reads every file of the sitemap, in the order of its keys. */
export async function allSitemapFiles(ctx: Context): Promise<SitemapPage[]> {
  return ctx.db
    .select({ id: sitemapPages.id, kind: sitemapPages.kind, changedAt: sitemapPages.changedAt })
    .from(sitemapPages)
    .orderBy(asc(sitemapPages.kind), asc(sitemapPages.afterKey))
    .limit(FILES_MAX);
}

const postChangedAt = sql<number>`COALESCE(posts.edited_at, posts.published_at)`;
const collectionChangedAt = sql<number>`COALESCE((SELECT max(own.published_at) FROM collection_posts held JOIN posts own ON own.id = held.post_id WHERE held.collection_id = collections.id AND own.state = 'published'), collections.created_at)`;
const eventChangedAt = sql<number>`MAX(events.updated_at, COALESCE(events.published_at, 0))`;
const lastPublishedAt = sql<number>`COALESCE((SELECT max(own.published_at) FROM posts own WHERE own.author_id = profiles.person_id AND own.state = 'published'), profiles.created_at)`;

const within = (key: SQL): SQL =>
  sql`${key} > ${sitemapPages.afterKey} AND ${key} <= COALESCE(${sitemapPages.toKey}, ${END})`;

/**
 * Reads the paths of one file that a visitor can open, in the order of its keys. Null for an
 * unknown file.
 */
export async function sitemapEntries(
  ctx: Context,
  { kind, id }: Pick<SitemapPage, "kind" | "id">,
): Promise<SitemapEntry[] | null> {
  const page = and(eq(sitemapPages.id, id), eq(sitemapPages.kind, kind));
  const pageStatement = ctx.db.select({ id: sitemapPages.id }).from(sitemapPages).where(page);
  if (kind === "posts") {
    const [[found], rows] = await ctx.db.batch([pageStatement, postEntries(ctx, page)]);
    return found
      ? rows.map(({ username, postId, changedAt }) => ({
          path: publicPostPath(username, postId),
          changedAt,
        }))
      : null;
  }
  if (kind === "collections") {
    const [[found], rows] = await ctx.db.batch([pageStatement, collectionEntries(ctx, page)]);
    return found
      ? rows.map(({ username, collectionId, changedAt }) => ({
          path: publicCollectionPath(username, collectionId),
          changedAt,
        }))
      : null;
  }
  if (kind === "events") {
    const [[found], rows] = await ctx.db.batch([pageStatement, eventEntries(ctx, page)]);
    return found
      ? rows.map(({ username, eventId, changedAt }) => ({
          path: publicEventPath(username, eventId),
          changedAt,
        }))
      : null;
  }
  const [[found], rows] = await ctx.db.batch([pageStatement, creatorEntries(ctx, page)]);
  return found
    ? rows.map(({ username, changedAt }) => ({ path: `/space/${username}/public`, changedAt }))
    : null;
}

function postEntries(ctx: Context, page: SQL | undefined) {
  return ctx.db
    .select({
      postId: sql<string>`posts.id`.as("post_id"),
      username: profiles.username,
      changedAt: postChangedAt.as("changed_at"),
    })
    .from(sitemapPages)
    .crossJoin(posts)
    .innerJoin(profiles, eq(profiles.personId, posts.authorId))
    .where(
      and(
        page,
        within(sql`posts.id`),
        publishedAndListable(null, ctx.now(), ctx.settings.adultSpaces),
      ),
    )
    .orderBy(sql`posts.id`)
    .limit(SITEMAP_PAGE_ENTRIES);
}

function creatorEntries(ctx: Context, page: SQL | undefined) {
  const isWelcome = sql`people.banned_at IS NULL AND people.leaving_at IS NULL AND people.deleted_at IS NULL`;
  return ctx.db
    .select({ username: profiles.username, changedAt: lastPublishedAt.as("changed_at") })
    .from(sitemapPages)
    .crossJoin(profiles)
    .innerJoin(people, eq(people.id, profiles.personId))
    .where(
      and(
        page,
        within(sql`profiles.person_id`),
        sql`profiles.is_creator = 1 AND profiles.is_adult = 0`,
        isWelcome,
      ),
    )
    .orderBy(sql`profiles.person_id`)
    .limit(SITEMAP_PAGE_ENTRIES);
}

/** Leaves out empty collections. */
function collectionEntries(ctx: Context, page: SQL | undefined) {
  const holdsSomething = sql`EXISTS (SELECT 1 FROM collection_posts held JOIN posts ON posts.id = held.post_id WHERE held.collection_id = collections.id AND ${publishedAndListable(null, ctx.now(), ctx.settings.adultSpaces)})`;
  return ctx.db
    .select({
      collectionId: sql<string>`collections.id`.as("collection_id"),
      username: profiles.username,
      changedAt: collectionChangedAt.as("changed_at"),
    })
    .from(sitemapPages)
    .crossJoin(collections)
    .innerJoin(profiles, eq(profiles.personId, collections.creatorId))
    .where(
      and(
        page,
        within(sql`collections.id`),
        collectionListableTo(null, ctx.now(), ctx.settings.adultSpaces),
        holdsSomething,
      ),
    )
    .orderBy(sql`collections.id`)
    .limit(SITEMAP_PAGE_ENTRIES);
}

/** Leaves out what is over or canceled: its page stays, and nobody looks for it any more. */
function eventEntries(ctx: Context, page: SQL | undefined) {
  return ctx.db
    .select({
      eventId: sql<string>`events.id`.as("event_id"),
      username: profiles.username,
      changedAt: eventChangedAt.as("changed_at"),
    })
    .from(sitemapPages)
    .crossJoin(events)
    .innerJoin(profiles, eq(profiles.personId, events.creatorId))
    .where(
      and(
        page,
        within(sql`events.id`),
        sql`events.status = 'published' AND events.held_at IS NULL AND events.ends_at > ${ctx.now()}`,
        eventListableTo(null, ctx.settings.adultSpaces),
      ),
    )
    .orderBy(sql`events.id`)
    .limit(SITEMAP_PAGE_ENTRIES);
}

export type SitemapPageRow = typeof sitemapPages.$inferSelect;

/**
 * Reads the file that was checked the longest ago, before `before`. Null when all were checked
 * since.
 */
export async function stalestSitemapPage(
  ctx: Context,
  { before }: { before: number },
): Promise<SitemapPageRow | null> {
  const [row] = await ctx.db
    .select()
    .from(sitemapPages)
    .where(sql`${sitemapPages.checkedAt} < ${before}`)
    .orderBy(asc(sitemapPages.checkedAt))
    .limit(1);
  return row ?? null;
}

/**
 * A file's content: the key of its last entry among the first `limit`, whether there are more, and
 * its latest change.
 */
export type SitemapExtent = {
  lastKey: string | null;
  isOverfull: boolean;
  changedAt: number | null;
};

/** Reads the extent of a file's first `limit` keys. Drafts count, since they may be published later. */
export async function sitemapExtent(
  ctx: Context,
  { page, limit }: { page: Pick<SitemapPageRow, "kind" | "afterKey" | "toKey">; limit: number },
): Promise<SitemapExtent> {
  const { key, changedAt, from } = SOURCES[page.kind];
  const range = (after: SQL) =>
    sql`${from} AND ${key} > ${after} AND ${key} <= ${page.toKey ?? END}`;
  const first = sql`(SELECT ${key} AS key, ${changedAt} AS changed_at ${range(sql`${page.afterKey}`)} ORDER BY ${key} LIMIT ${limit})`;
  const [row] = await ctx.db
    .select({
      lastKey: sql<string | null>`extent.last_key`.as("last_key"),
      changedAt: sql<number | null>`extent.last_changed_at`.as("last_changed_at"),
      isOverfull: sql<number>`EXISTS (SELECT 1 ${range(sql`extent.last_key`)})`.as("is_overfull"),
    })
    .from(
      sql`(SELECT max(key) AS last_key, max(changed_at) AS last_changed_at FROM ${first}) extent`,
    );
  return {
    lastKey: row?.lastKey ?? null,
    changedAt: row?.changedAt ?? null,
    isOverfull: row?.isOverfull === 1,
  };
}

const SOURCES: Record<SitemapKind, { key: SQL; changedAt: SQL; from: SQL }> = {
  posts: { key: sql`posts.id`, changedAt: postChangedAt, from: sql`FROM posts WHERE 1` },
  collections: {
    key: sql`collections.id`,
    changedAt: collectionChangedAt,
    from: sql`FROM collections WHERE 1`,
  },
  events: { key: sql`events.id`, changedAt: eventChangedAt, from: sql`FROM events WHERE 1` },
  creators: {
    key: sql`profiles.person_id`,
    changedAt: lastPublishedAt,
    from: sql`FROM profiles WHERE profiles.is_creator = 1`,
  },
};
