import { fillPlaceholders } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import type { Database } from "./client.server.ts";
import { openDatabase } from "./client.server.ts";

type Reads = readonly BatchItem<"sqlite">[];
/**
 * What a batch asks of each of its items (`SQLiteD1Session.batch`); drizzle knows prepared
 * statements, but takes none in a batch.
 */
type Prepared = {
  fields?: readonly unknown[];
  getQuery(): { sql: string; params: unknown[] };
  mapResult(result: unknown, isFromBatch: boolean): unknown;
};
/** For a batch alone: it cannot be awaited by itself. */
type InBatch<Asked extends Reads> = {
  [Item in keyof Asked]: RunnableQuery<Asked[Item]["_"]["result"], "sqlite">;
};

/**
 * D1 refuses a row of more than a hundred columns only when it is asked: a statement that nears
 * them is refused when it is written, by the first test that uses it.
 */
const MOST_COLUMNS = 95;

/** Takes down what is asked of it, and asks nothing. */
const paper = openDatabase({
  prepare: () => ({}) as D1PreparedStatement,
  batch: () => Promise.reject(new Error("nothing is asked of paper")),
});

/**
 * Reads for a batch whose SQL never changes but for its values: `build` writes them once in the
 * life of an isolate, with `sql.placeholder(name)` where a value goes, since writing a long query
 * anew costs as much as asking it. What it gives takes the values by name and goes into `db.batch`,
 * with the rows and types of what was built.
 */
export function builtOnce<const Asked extends Reads>(
  build: (db: Database) => Asked,
): (db: Database, values: Record<string, unknown>) => InBatch<Asked> {
  let built: Prepared[] | null = null;
  return (db, values) => {
    built ??= build(paper).map(written);
    const items = built.map((prepared) => {
      const { sql, params } = prepared.getQuery();
      const asked = { sql, params: fillPlaceholders(params, values) };
      return {
        _prepare: () => ({
          stmt: db.$client.prepare(sql),
          getQuery: () => asked,
          mapResult: (result: unknown, isFromBatch: boolean) =>
            prepared.mapResult(result, isFromBatch),
        }),
      };
    });
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

function written(read: Reads[number]): Prepared {
  const prepared = (read as unknown as { _prepare(): Prepared })._prepare();
  const columns = prepared.fields?.length ?? 0;
  if (columns > MOST_COLUMNS)
    throw new Error(
      `A statement gives ${columns} columns, and ${MOST_COLUMNS} are the most: ${prepared.getQuery().sql.slice(0, 100)}…`,
    );
  return prepared;
}
