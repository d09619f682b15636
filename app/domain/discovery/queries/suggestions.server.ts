import { sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import {
  correctedSearches,
  spellingProbes,
  writtenWord,
} from "#app/domain/discovery/rules/spelling.ts";
import type { VocabularyTerm } from "#app/domain/discovery/rules/spelling.ts";
import type { ExploreRequest } from "#app/domain/discovery/schema.ts";
import { foundPeopleStatement } from "./people.server.ts";
import { filterOf, searchWindow } from "./posts.server.ts";

/**
 * Returns the search that was probably meant by `terms`, which found nothing: one mistake a word.
 * Null if there is none. The words come from the full-text indexes, which hold what some people may
 * not see. So a search is suggested only if it finds something for this viewer, with the same
 * filters. Takes two round trips: some hundred look-ups of spellings, then at most six searches
 * that stop at their first result.
 */
export async function suggestedSearch(
  ctx: Context,
  asked: ExploreRequest,
  terms: string[],
): Promise<string | null> {
  const corrections = correctedSearches(terms, await vocabularyWith(ctx, asked, terms));
  const [first, ...rest] = corrections.map((corrected) =>
    firstTextStatement(ctx, asked, corrected),
  );
  if (!first) return null;
  const found = await ctx.db.batch([first, ...rest]);
  for (const [index, corrected] of corrections.entries()) {
    const text = found[index]?.[0]?.text;
    if (text !== undefined) return corrected.map((word) => writtenWord(word, text)).join(" ");
  }
  return null;
}

/** The words of the indexes that are at most one mistake away from a term. */
async function vocabularyWith(
  ctx: Context,
  { show }: ExploreRequest,
  terms: string[],
): Promise<VocabularyTerm[]> {
  const probes = JSON.stringify(spellingProbes(terms));
  const vocabularies = [
    ...(show === "people" ? [] : ["post_vocabulary"]),
    ...(show === "posts" ? [] : ["creator_vocabulary"]),
  ];
  // CROSS JOIN makes SQLite look each probe up, instead of reading the whole vocabulary.
  const counts = vocabularies.map(
    (vocabulary) =>
      sql`SELECT listed.term AS term, listed.doc AS texts FROM json_each(${probes}) probe CROSS JOIN ${sql.raw(vocabulary)} listed ON listed.term = probe.value`,
  );
  return await ctx.db
    .select({ term: sql<string>`term`, count: sql<number>`SUM(texts)` })
    .from(sql`(${sql.join(counts, sql` UNION ALL `)})`)
    .groupBy(sql`term`);
}

/** The text of the first post or creator that the viewer finds by `terms`. */
function firstTextStatement(ctx: Context, asked: ExploreRequest, terms: string[]) {
  const posts = sql`SELECT posts.title || ' ' || posts.teaser || ' ' || posts.content AS text
    FROM (${searchWindow(terms, null)}) seen CROSS JOIN posts ON posts.id = seen.id WHERE ${filterOf(ctx, asked, terms)} LIMIT 1`;
  const people = sql`SELECT name || ' ' || craft || ' ' || city AS text
    FROM (${foundPeopleStatement(ctx, { ...asked, cursor: null, terms, limit: 1 }).getSQL()}) LIMIT 1`;
  const texts = [
    ...(asked.show === "people" ? [] : [posts]),
    ...(asked.show === "posts" ? [] : [people]),
  ].map((text) => sql`SELECT text FROM (${text})`);
  return ctx.db
    .select({ text: sql<string>`text` })
    .from(sql`(${sql.join(texts, sql` UNION ALL `)})`)
    .limit(1);
}
