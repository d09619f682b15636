import { and, eq, ne, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { isBlockedBetween, publishedAndListable } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import {
  discoveryFacet,
  fullTextQuery,
  fuzzyTextQuery,
  nearestNames,
  risingHeatThreshold,
  searchTerms,
} from "#app/domain/discovery/rules.ts";
import type { ExploreFilter, FoundCreator, PostKind } from "#app/domain/discovery/schema.ts";
import { decodeCursor, encodeCursor } from "#app/domain/page.ts";
import type { Cursor, Page } from "#app/domain/page.ts";
import { cardsFromRows, postRows } from "#app/domain/posts/queries.server.ts";
import type { PostRow } from "#app/domain/posts/queries.server.ts";
import type { PostPreview } from "#app/domain/posts/schema.ts";
import {
  creatorsPage,
  creatorsStatement,
  isListableProfile,
  creatorListColumns,
} from "#app/domain/profiles/queries.server.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

const PEOPLE_SHOWN = 6;
const PEOPLE_PER_PAGE = 24;
const POSTS_PER_PAGE = 10;
/**
 * A page reads at most this many rows of an index, however few of them its viewer can see. The next
 * page continues from there.
 */
const WINDOW = 200;
/** With fewer people found, similar names are searched too. */
const FEW_PEOPLE = 3;
const NEAR_CANDIDATES = 300;
/**
 * Makes a positive cursor of row numbers in the creators' index, which are negative for the most
 * followed.
 */
const ROW_OFFSET = 2 ** 38;

export type ExploreResults = {
  people: Page<FoundCreator>;
  near: FoundCreator[];
  posts: Page<PostPreview>;
};

type ExploreRequest = ExploreFilter & { viewerId: string };

/**
 * Reads what `/explore` shows: people and posts of a kind, trending or new, or those that match a
 * search. Takes one round trip, and a second for misspelled names.
 */
export async function loadExplore(ctx: Context, asked: ExploreRequest): Promise<ExploreResults> {
  const terms = searchTerms(asked.q);
  if (asked.q !== "" && terms.length === 0) return { people: NOBODY, near: [], posts: NOTHING };
  const peopleLimit =
    asked.show === "people"
      ? PEOPLE_PER_PAGE
      : asked.cursor === null && asked.show === "all"
        ? PEOPLE_SHOWN
        : 0;
  const postsLimit = asked.show === "people" ? 0 : POSTS_PER_PAGE;
  const listing = { ...asked, cursor: asked.show === "people" ? asked.cursor : null };
  const window = postsWindow(ctx, asked, terms);
  const [people, exact, hits, ends, rows] = await ctx.db.batch([
    terms.length > 0
      ? foundPeopleStatement(ctx, { ...listing, terms, limit: peopleLimit })
      : creatorsStatement(ctx, { ...listing, limit: peopleLimit }),
    exactCreatorStatement(ctx, { ...listing, limit: terms.length > 0 && peopleLimit > 0 ? 1 : 0 }),
    ...windowStatements(ctx, {
      window,
      filter: filterOf(ctx, asked, terms),
      viewerId: asked.viewerId,
      limit: postsLimit,
    }),
  ]);
  const shown =
    peopleLimit === 0
      ? NOBODY
      : terms.length > 0
        ? foundPage(people, exact, peopleLimit)
        : creatorsPage(people, peopleLimit);
  return {
    people: shown,
    near:
      peopleLimit > 0 &&
      terms.length > 0 &&
      asked.cursor === null &&
      shown.items.length < FEW_PEOPLE
        ? await nearPeople(ctx, asked, terms, shown)
        : [],
    posts:
      postsLimit === 0
        ? NOTHING
        : windowPage(ctx, { hits, ends, rows, viewerId: asked.viewerId, limit: postsLimit }),
  };
}

const NOBODY: Page<FoundCreator> = { items: [], next: null };
const NOTHING: Page<PostPreview> = { items: [], next: null };

/**
 * Builds the query of candidate posts, newest or hottest first: at most `WINDOW` rows `(at, id)` of
 * one index.
 */
function postsWindow(
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

function searchWindow(terms: string[], last: Cursor | null): SQL {
  const before = last ? sql`AND rowid < ${last.at}` : sql``;
  return sql`SELECT hit.seq AS at, searchable_posts.post_id AS id FROM (
      SELECT rowid AS seq FROM post_search WHERE post_search MATCH ${fullTextQuery(terms)} ${before} ORDER BY rowid DESC LIMIT ${WINDOW}) hit
    CROSS JOIN searchable_posts ON searchable_posts.seq = hit.seq`;
}

/**
 * Builds the condition of posts that the viewer can see and did not mute. For a search it also
 * applies the filters that the rollup has facets for.
 */
function filterOf(
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
  viewerId: string;
  limit: number;
};

/**
 * Builds the statements that read a page of a window: the post ids, the window's end for a short
 * page, and the posts. The window is read in its order and left when the page is full. An outer
 * ORDER BY would read all of it.
 */
function windowStatements(ctx: Context, { window, filter, viewerId, limit }: ExploreWindowRequest) {
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
  viewerId: string;
  limit: number;
};

/**
 * Maps the rows in the order of the window. After a short page of a whole window, the next page
 * continues from the window's end.
 */
function windowPage(
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

type PeopleRequest = Pick<ExploreRequest, "viewerId" | "cursor" | "category"> & { limit: number };

function mayBeFound(
  ctx: Context,
  { viewerId, category }: Pick<ExploreRequest, "viewerId" | "category">,
): SQL | undefined {
  return and(
    sql`profiles.is_creator = 1`,
    isListableProfile(ctx, viewerId),
    ne(profiles.personId, viewerId),
    category === null ? undefined : eq(profiles.category, category),
    sql`NOT ${isBlockedBetween(viewerId, sql`profiles.person_id`)}`,
  );
}

/**
 * Builds the query of people whose rows `index` numbers as `found_row`, in its order. It stops when
 * there are enough, as the post windows do.
 */
function peopleOf(ctx: Context, asked: Pick<ExploreRequest, "viewerId" | "category">, index: SQL) {
  const rows = sql`SELECT known.person_id AS found_id, hit.found_row AS found_row FROM (${index}) hit CROSS JOIN searchable_creators known ON known.seq = ${SEQ_OF_ROW}`;
  return ctx.db
    .select({
      ...creatorListColumns(asked.viewerId),
      indexRow: sql<number>`found_row`.as("index_row"),
    })
    .from(sql`(${rows}) found`)
    .innerJoin(profiles, sql`profiles.person_id = found.found_id`)
    .where(mayBeFound(ctx, asked));
}

/** A row's number is `seq - tier * 2^32`, so the remainder of the division is the seq. */
const SEQ_OF_ROW = sql`((hit.found_row % 4294967296) + 4294967296) % 4294967296`;

function foundPeopleStatement(
  ctx: Context,
  { terms, limit, ...asked }: PeopleRequest & { terms: string[] },
) {
  const last = decodeCursor(asked.cursor);
  const after = last ? sql`AND rowid > ${last.at - ROW_OFFSET}` : sql``;
  return peopleOf(
    ctx,
    asked,
    sql`SELECT rowid AS found_row FROM creator_search WHERE creator_search MATCH ${fullTextQuery(terms)} ${after} ORDER BY rowid LIMIT ${WINDOW}`,
  ).limit(limit === 0 ? 0 : limit + 1);
}

/**
 * Builds the statement that reads the creator of exactly this username, who comes first however few
 * follow them.
 */
function exactCreatorStatement(ctx: Context, { limit, ...asked }: PeopleRequest & { q: string }) {
  const named = sql`(SELECT named.person_id FROM profiles named WHERE named.username = ${asked.q.replace(/^@/, "").toLowerCase()})`;
  return peopleOf(
    ctx,
    asked,
    sql`SELECT seq AS found_row FROM searchable_creators WHERE person_id = ${named}`,
  ).limit(asked.cursor === null ? limit : 0);
}

type FoundCreatorRow = Awaited<ReturnType<typeof foundPeopleStatement>>[number];

function foundPage(
  rows: (FoundCreator & { indexRow?: number })[],
  exact: FoundCreatorRow[],
  limit: number,
): Page<FoundCreator> {
  const shown = rows
    .toSorted((one, other) => (one.indexRow ?? 0) - (other.indexRow ?? 0))
    .slice(0, limit);
  const last = shown.at(-1);
  const next =
    rows.length > limit && last?.indexRow !== undefined
      ? encodeCursor({ at: last.indexRow + ROW_OFFSET, id: "0" })
      : null;
  const first = exact.map(({ id }) => id);
  return { items: [...exact, ...shown.filter(({ id }) => !first.includes(id))], next };
}

/** Reads people whose name is similar to the search, without those found already. */
async function nearPeople(
  ctx: Context,
  asked: ExploreRequest,
  terms: string[],
  found: Page<FoundCreator>,
): Promise<FoundCreator[]> {
  const pieces = fuzzyTextQuery(terms);
  if (pieces === null) return [];
  const index = sql`SELECT rowid AS found_row FROM creator_trigrams WHERE creator_trigrams MATCH ${pieces} ORDER BY rowid LIMIT ${NEAR_CANDIDATES}`;
  const candidates = await peopleOf(ctx, asked, index);
  const known = new Set(found.items.map(({ id }) => id));
  return nearestNames(
    terms,
    candidates.filter(({ id }) => !known.has(id)),
    PEOPLE_SHOWN,
  );
}
