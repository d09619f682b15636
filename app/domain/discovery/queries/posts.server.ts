import { and, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { publishedAndListable } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { discoveryFacet, risingHeatThreshold } from "#app/domain/discovery/rules.ts";
import { fullTextQuery } from "#app/lib/full-text.ts";
import type { ExploreRequest, PostKind } from "#app/domain/discovery/schema.ts";
import { decodeCursor, encodeCursor } from "#app/domain/page.ts";
import type { Cursor, Page } from "#app/domain/page.ts";
import { cardsFromRows, postRows } from "#app/domain/posts/queries.server.ts";
import type { PostRow } from "#app/domain/posts/queries.server.ts";
import type { PostPreview } from "#app/domain/posts/schema.ts";

/**
 * A page reads at most this many rows of an index, however few of them its viewer can see. The next
 * page continues from there.
 */
export const WINDOW = 200;

/**
 * Builds the query of candidate posts, newest or hottest first: at most `WINDOW` rows `(at, id)` of
 * one index.
 */
export function postsWindow(
  ctx: Context,
  { cursor, category, kind, sort }: ExploreRequest,
  terms: string[],
): SQL {
  const last = decodeCursor(cursor);
  if (terms.length > 0) return searchWindow(terms, last);
  const facet = discoveryFacet({ category, kind });
  const now = ctx.now();
  const at = sort === "new" ? sql`opened_at` : sql`heat`;
  const isShown =
    sort === "new"
      ? sql`opened_at <= ${Math.min(last?.at ?? now, now)}`
      : sql`heat IS NOT NULL AND heat >= ${risingHeatThreshold(now)} AND heat <= ${last?.at ?? HOTTEST} AND +opened_at <= ${now}`;
  // The plus keeps the index range to the bounds above, which start at the cursor.
  const after = last ? sql`AND (+${at}, +post_id) < (${last.at}, ${last.id})` : sql``;
  return sql`SELECT ${at} AS at, post_id AS id FROM explore_entries WHERE facet = ${facet} AND ${isShown} ${after} ORDER BY ${at} DESC, post_id DESC LIMIT ${WINDOW}`;
}

const HOTTEST = Number.MAX_SAFE_INTEGER;

export function searchWindow(terms: string[], last: Cursor | null): SQL {
  const before = last ? sql`AND rowid < ${last.at}` : sql``;
  return sql`SELECT hit.seq AS at, searchable_posts.post_id AS id FROM (
      SELECT rowid AS seq FROM post_search WHERE post_search MATCH ${fullTextQuery(terms)} ${before} ORDER BY rowid DESC LIMIT ${WINDOW}) hit
    CROSS JOIN searchable_posts ON searchable_posts.seq = hit.seq`;
}

/**
 * Builds the condition of posts that the viewer can see and did not mute. For a search it also
 * applies the filters that the rollup has facets for.
 */
export function filterOf(
  ctx: Context,
  { viewerId, category, kind }: ExploreRequest,
  terms: string[],
): SQL | undefined {
  const isMuted = sql`EXISTS (SELECT 1 FROM mutes mute WHERE mute.muter_id = ${viewerId} AND mute.muted_id = posts.author_id)`;
  const isSearch = terms.length > 0;
  return and(
    publishedAndListable(viewerId, ctx.now(), ctx.settings.adultSpaces),
    sql`NOT ${isMuted}`,
    isSearch && category
      ? sql`EXISTS (SELECT 1 FROM profiles maker WHERE maker.person_id = posts.author_id AND maker.category = ${category})`
      : undefined,
    isSearch && kind ? hasKind(kind) : undefined,
  );
}

function hasKind(kind: PostKind): SQL {
  if (kind === "text")
    return sql`NOT EXISTS (SELECT 1 FROM post_media pm WHERE pm.post_id = posts.id)`;
  return sql`EXISTS (SELECT 1 FROM post_media pm JOIN media m ON m.id = pm.media_id WHERE pm.post_id = posts.id AND m.kind = ${kind})`;
}

type ExploreWindowRequest = {
  window: SQL;
  filter: SQL | undefined;
  viewerId: string | null;
  limit: number;
};

/**
 * Builds the statements that read a page of a window: the post ids, the window's end for a short
 * page, and the posts. The window is read in its order and left when the page is full. An outer
 * ORDER BY would read all of it.
 */
export function windowStatements(
  ctx: Context,
  { window, filter, viewerId, limit }: ExploreWindowRequest,
) {
  const hits = sql`SELECT seen.at AS at, seen.id AS id FROM (${window}) seen CROSS JOIN posts ON posts.id = seen.id WHERE ${filter} LIMIT ${limit === 0 ? 0 : limit + 1}`;
  const ends = sql`SELECT COUNT(*) OVER () AS seen_count, seen.at AS at, seen.id AS id FROM (${window}) seen WHERE (SELECT COUNT(*) FROM (${hits})) <= ${limit} ORDER BY seen.at, seen.id LIMIT ${limit === 0 ? 0 : 1}`;
  const at = sql<number>`at`;
  const id = sql<string>`id`;
  return [
    ctx.db.select({ at, id }).from(sql`(${hits})`),
    ctx.db.select({ seenCount: sql<number>`seen_count`, at, id }).from(sql`(${ends})`),
    postRows(ctx, viewerId, sql`posts.id IN (SELECT id FROM (${hits}))`),
  ] as const;
}

type WindowRows = {
  hits: Cursor[];
  ends: (Cursor & { seenCount: number })[];
  rows: PostRow[];
  viewerId: string | null;
  limit: number;
};

/**
 * Maps the rows in the order of the window. After a short page of a whole window, the next page
 * continues from the window's end.
 */
export function windowPage(
  ctx: Context,
  { hits, ends, rows, viewerId, limit }: WindowRows,
): Page<PostPreview> {
  const shown = hits
    .toSorted((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1))
    .slice(0, limit);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const ordered = shown.flatMap(({ id }) => byId.get(id) ?? []);
  const [end] = ends;
  const last = hits.length > limit ? shown.at(-1) : end && end.seenCount === WINDOW ? end : null;
  return {
    items: cardsFromRows(ctx, ordered, viewerId, limit).items,
    next: last ? encodeCursor(last) : null,
  };
}
