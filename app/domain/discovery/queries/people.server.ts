import { and, eq, ne, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { isBlockedBetween } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { fuzzyTextQuery, nearestNames } from "#app/domain/discovery/rules.ts";
import { fullTextQuery } from "#app/lib/full-text.ts";
import type { ExploreRequest, FoundCreator } from "#app/domain/discovery/schema.ts";
import { decodeCursor, encodeCursor } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import { isListableProfile } from "#app/domain/profiles/queries.server.ts";
import { creatorListColumns } from "#app/domain/profiles/queries/creators.server.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { WINDOW } from "./posts.server.ts";

const NEAR_CANDIDATES = 300;
const NEAR_SHOWN = 6;
/**
 * Makes a positive cursor of row numbers in the creators' index, which are negative for the most
 * followed.
 */
const ROW_OFFSET = 2 ** 38;

type PeopleRequest = Pick<ExploreRequest, "viewerId" | "cursor" | "category"> & { limit: number };

function mayBeFound(
  ctx: Context,
  { viewerId, category }: Pick<ExploreRequest, "viewerId" | "category">,
): SQL | undefined {
  return and(
    sql`profiles.is_creator = 1`,
    isListableProfile(ctx, viewerId),
    viewerId === null ? undefined : ne(profiles.personId, viewerId),
    category === null ? undefined : eq(profiles.category, category),
    sql`NOT ${isBlockedBetween(viewerId, sql`profiles.person_id`)}`,
  );
}

/**
 * Builds the query of people whose rows `index` numbers as `found_row`, in its order. It stops when
 * there are enough, as the post windows do.
 */
function peopleOf(ctx: Context, asked: Pick<ExploreRequest, "viewerId" | "category">, index: SQL) {
  const rows = sql`SELECT stopped.person_id AS found_id, hit.found_row AS found_row FROM (${index}) hit CROSS JOIN searchable_creators stopped ON stopped.seq = ${SEQ_OF_ROW}`;
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

export function foundPeopleStatement(
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
export function exactCreatorStatement(
  ctx: Context,
  { limit, ...asked }: PeopleRequest & { q: string },
) {
  const named = sql`(SELECT named.person_id FROM profiles named WHERE named.username = ${asked.q.replace(/^@/, "").toLowerCase()})`;
  return peopleOf(
    ctx,
    asked,
    sql`SELECT seq AS found_row FROM searchable_creators WHERE person_id = ${named}`,
  ).limit(asked.cursor === null ? limit : 0);
}

type FoundCreatorRow = Awaited<ReturnType<typeof foundPeopleStatement>>[number];

export function foundPage(
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
export async function nearPeople(
  ctx: Context,
  asked: ExploreRequest,
  terms: string[],
  found: Page<FoundCreator>,
): Promise<FoundCreator[]> {
  const pieces = fuzzyTextQuery(terms);
  if (pieces === null) return [];
  const index = sql`SELECT rowid AS found_row FROM creator_trigrams WHERE creator_trigrams MATCH ${pieces} ORDER BY rowid LIMIT ${NEAR_CANDIDATES}`;
  const candidates = await peopleOf(ctx, asked, index);
  const foundIds = new Set(found.items.map(({ id }) => id));
  return nearestNames(
    terms,
    candidates.filter(({ id }) => !foundIds.has(id)),
    NEAR_SHOWN,
  );
}
