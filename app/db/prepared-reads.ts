import type { BatchItem } from "drizzle-orm/batch";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import type { Executable } from "./batch-client.ts";
import type { Database } from "./client.server.ts";
import { databaseForBatches } from "./client.server.ts";
import { columnsOf } from "./select-names.ts";

type ReadStatements = readonly BatchItem<"sqlite">[];
/** What every query builder of drizzle has. */
type Built = { toSQL(): { sql: string }; prepare(): PreparedItem };
type PreparedItem = { execute(values: Record<string, unknown>): Promise<unknown> };
/** For a batch alone: it cannot be awaited by itself. */
type BatchOnlyStatement<Asked extends ReadStatements> = {
  [Item in keyof Asked]: RunnableQuery<Asked[Item]["_"]["result"], "sqlite">;
};

/**
 * D1 refuses a row of more than a hundred columns only when it is asked: a statement that nears
 * them is refused when it is written, by the first test that uses it.
 */
const MOST_COLUMNS = 95;

/**
 * Reads for a batch whose SQL never changes but for its values: `build` writes them once in the
 * life of an isolate, with `sql.placeholder(name)` where a value goes, since writing a long query
 * anew costs as much as asking it. What it gives takes the values by name and goes into `db.batch`
 * of any database, with the rows and types of what was built.
 */
export function prepareReads<const Asked extends ReadStatements>(
  build: (db: Database) => Asked,
): (db: Database, values: Record<string, unknown>) => BatchOnlyStatement<Asked> {
  let built: PreparedItem[] | null = null;
  return (_db, values) => {
    built ??= build(databaseForBatches).map(prepared);
    const items = built.map((query): Executable => ({ execute: () => query.execute(values) }));
    return items as unknown as BatchOnlyStatement<Asked>;
  };
}

type StatementRowTypes<Asked extends ReadStatements> = {
  readonly [Item in keyof Asked]: Asked[Item]["_"]["result"];
};

/** The rows of the same reads of several things, of each in the order of its statements. */
export async function batchReads<const Asked extends ReadStatements>(
  db: Database,
  asked: readonly Asked[],
): Promise<StatementRowTypes<Asked>[]> {
  const [first, ...others] = asked.flat();
  if (!first) return [];
  const rows: unknown[] = await db.batch([first, ...others]);
  return asked.map(
    ({ length }, at) =>
      rows.slice(at * length, (at + 1) * length) as unknown as StatementRowTypes<Asked>,
  );
}

function prepared(read: ReadStatements[number]): PreparedItem {
  const query = read as unknown as Built;
  const { sql } = query.toSQL();
  const columns = columnsOf(sql);
  if (columns > MOST_COLUMNS)
    throw new Error(
      `A statement gives ${columns} columns, and ${MOST_COLUMNS} are the most: ${sql.slice(0, 100)}…`,
    );
  return query.prepare();
}
