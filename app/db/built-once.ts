import type { BatchItem } from "drizzle-orm/batch";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import type { Executable } from "./batch-client.ts";
import type { Database } from "./client.server.ts";
import { databaseForBatches } from "./client.server.ts";
import { columnsOf } from "./select-names.ts";

type Reads = readonly BatchItem<"sqlite">[];
/** What every query builder of drizzle has. */
type Built = { toSQL(): { sql: string }; prepare(): Prepared };
type Prepared = { execute(values: Record<string, unknown>): Promise<unknown> };
/** For a batch alone: it cannot be awaited by itself. */
type InBatch<Asked extends Reads> = {
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
export function builtOnce<const Asked extends Reads>(
  build: (db: Database) => Asked,
): (db: Database, values: Record<string, unknown>) => InBatch<Asked> {
  let built: Prepared[] | null = null;
  return (_db, values) => {
    built ??= build(databaseForBatches).map(prepared);
    const items = built.map((query): Executable => ({ execute: () => query.execute(values) }));
    return items as unknown as InBatch<Asked>;
  };
}

type RowsOf<Asked extends Reads> = { readonly [Item in keyof Asked]: Asked[Item]["_"]["result"] };

/** The rows of the same reads of several things, of each in the order of its statements. */
export async function inOneTrip<const Asked extends Reads>(
  db: Database,
  asked: readonly Asked[],
): Promise<RowsOf<Asked>[]> {
  const [first, ...others] = asked.flat();
  if (!first) return [];
  const rows: unknown[] = await db.batch([first, ...others]);
  return asked.map(
    ({ length }, at) => rows.slice(at * length, (at + 1) * length) as unknown as RowsOf<Asked>,
  );
}

function prepared(read: Reads[number]): Prepared {
  const query = read as unknown as Built;
  const { sql } = query.toSQL();
  const columns = columnsOf(sql);
  if (columns > MOST_COLUMNS)
    throw new Error(
      `A statement gives ${columns} columns, and ${MOST_COLUMNS} are the most: ${sql.slice(0, 100)}…`,
    );
  return query.prepare();
}
