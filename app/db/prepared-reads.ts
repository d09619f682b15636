import type { BatchItem } from "drizzle-orm/batch";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import type { Executable } from "./batch-client.ts";
import type { Database } from "./client.server.ts";
import { databaseForBatches } from "./client.server.ts";
import { columnsOf } from "./select-names.ts";

type ReadStatements = readonly BatchItem<"sqlite">[];
/** The methods that every query builder of drizzle has. */
type Built = { toSQL(): { sql: string }; prepare(): PreparedItem };
type PreparedItem = { execute(values: Record<string, unknown>): Promise<unknown> };
/** Only for a batch: it cannot be awaited alone. */
type BatchOnlyStatement<Asked extends ReadStatements> = {
  [Item in keyof Asked]: RunnableQuery<Asked[Item]["_"]["result"], "sqlite">;
};

/**
 * D1 refuses rows of more than a hundred columns, but only at run time. A statement near that limit
 * is refused when it is built, by the first test that uses it.
 */
const MOST_COLUMNS = 95;

/**
 * Prepares reads for a batch, whose SQL is built once per isolate. `build` writes them, with
 * `sql.placeholder(name)` for each value. Building a long query costs as much as running it. The
 * result takes the values by name and joins `db.batch` of any database. It keeps the rows and types
 * of what was built.
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

/**
 * Runs the same reads for several subjects in one batch. Returns the rows of each, in the order of
 * its statements.
 */
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
