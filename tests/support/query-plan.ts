import { withUniqueNames } from "#app/db/select-names.ts";
import type { RecordedStatement } from "./d1-recorder.ts";

/** Of fts5vocab: the plan has an equal sign on `term`. */
const VOCABULARY_WORD = 0x0100;

/**
 * Steps of SQLite's plan that read a whole table: a SCAN without an index, a SCAN along an index
 * without a LIMIT, or an automatic index. Subqueries and lists of parameters are not tables.
 */
export async function wholeTableReads(
  db: D1Database,
  { query, params }: Pick<RecordedStatement, "query" | "params">,
): Promise<string[]> {
  const tables = await tableNames(db);
  const named = namesIn(query, tables);
  const hasLimit = /\blimit\b/i.test(query);
  return (await queryPlan(db, { query, params })).filter((detail) => {
    if (/\bAUTOMATIC\b/.test(detail)) return true;
    const [, name = "", rest = ""] = /^SCAN (\S+)(.*)$/.exec(detail) ?? [];
    if (!named.has(name)) return false;
    // A full-text index with a MATCH (M) reads only the matching rows.
    if (/ VIRTUAL TABLE INDEX \d+:\S*M/.test(rest)) return false;
    // A vocabulary that is asked for one word (256) reads only that word.
    if ((Number(/ VIRTUAL TABLE INDEX (\d+):$/.exec(rest)?.[1] ?? 0) & VOCABULARY_WORD) > 0)
      return false;
    return !(/ USING (COVERING )?INDEX /.test(rest) && hasLimit);
  });
}

/** SQLite's plan for a statement, one line a step. */
export async function queryPlan(
  db: D1Database,
  { query, params }: Pick<RecordedStatement, "query" | "params">,
): Promise<string[]> {
  const { results } = await db
    .prepare(`EXPLAIN QUERY PLAN ${withUniqueNames(query)}`)
    .bind(...params)
    .all<{ detail: string }>();
  return results.map(({ detail }) => detail);
}

const known = new WeakMap<D1Database, Promise<Set<string>>>();

function tableNames(db: D1Database): Promise<Set<string>> {
  const found =
    known.get(db) ??
    db
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all<{ name: string }>()
      .then(({ results }) => new Set(results.map(({ name }) => name)));
  known.set(db, found);
  return found;
}

/** Names of all tables, and their aliases in the statement. */
function namesIn(query: string, tables: Set<string>): Set<string> {
  const names = new Set(tables);
  for (const [, table = "", alias] of query.matchAll(
    /\b(?:from|join)\s+["`]?(\w+)["`]?(?:\s+(?:as\s+)?["`]?(\w+)["`]?)?/gi,
  ))
    if (tables.has(table) && alias) names.add(alias);
  return names;
}
