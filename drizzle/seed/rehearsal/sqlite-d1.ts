import { DatabaseSync } from "node:sqlite";
import type { SQLInputValue, StatementSync } from "node:sqlite";

/** One write as it was made: SQL and what was bound. */
export type WriteMade = { query: string; values: SQLInputValue[] };

export type RehearsalDatabase = {
  /** Speaks D1 as Drizzle and the product's `commit` use it. */
  binding: D1Database;
  /**
   * Every write that held, in order; those of one batch are one entry, to be made again as one
   * transaction.
   */
  writes: WriteMade[][];
};

/**
 * A D1 in memory of this process that remembers what was written. Four months of a town are tens of
 * thousands of small reads and writes: asked of a real D1 one by one they take minutes, here a few
 * seconds; then `replay` makes the same writes there, through the same triggers.
 */
export function rehearsalDatabase(migrations: readonly string[]): RehearsalDatabase {
  const sqlite = new DatabaseSync(":memory:");
  for (const migration of migrations) sqlite.exec(migration);
  const prepared = new Map<string, StatementSync>();
  const writes: WriteMade[][] = [];

  const statementOf = (query: string): StatementSync => {
    const statement = prepared.get(query) ?? sqlite.prepare(query);
    prepared.set(query, statement);
    return statement;
  };
  const execute = (write: WriteMade, asArrays: boolean): unknown[] => {
    const statement = statementOf(write.query);
    statement.setReturnArrays(asArrays);
    return statement.all(...write.values);
  };
  const single = (write: WriteMade, asArrays: boolean): unknown[] => {
    const rows = execute(write, asArrays);
    if (isWrite(write)) writes.push([write]);
    return rows;
  };
  const together = (batch: readonly WriteMade[]): unknown[][] => {
    sqlite.exec("BEGIN");
    try {
      const results = batch.map((write) => execute(write, false));
      sqlite.exec("COMMIT");
      // A batch that wrote is kept whole: its guards look at the statement before them.
      if (batch.some(isWrite)) writes.push([...batch]);
      return results;
    } catch (error) {
      sqlite.exec("ROLLBACK");
      throw error;
    }
  };
  return { binding: asD1(single, together), writes };
}

const isWrite = ({ query }: WriteMade): boolean => !/^\s*select\b/i.test(query);

type Bound = { write: WriteMade };

function asD1(
  single: (write: WriteMade, asArrays: boolean) => unknown[],
  together: (batch: readonly WriteMade[]) => unknown[][],
): D1Database {
  const prepare = (query: string, values: SQLInputValue[] = []) => ({
    write: { query, values },
    bind: (...bound: unknown[]) => prepare(query, bound.map(asBound)),
    all: async () => ({ results: single({ query, values }, false), success: true, meta: {} }),
    run: async () => ({ results: single({ query, values }, false), success: true, meta: {} }),
    raw: async () => single({ query, values }, true),
    first: async () => single({ query, values }, false)[0] ?? null,
  });
  const database = {
    prepare,
    batch: async (statements: Bound[]) =>
      together(statements.map(({ write }) => write)).map((results) => ({
        results,
        success: true,
        meta: {},
      })),
    withSession: () => database,
  };
  // Only the methods above are reached; the rest of D1 is for administration.
  return database as unknown as D1Database;
}

function asBound(value: unknown): SQLInputValue {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value === undefined || value === null) return null;
  if (
    typeof value === "string" ||
    typeof value === "number" ||
    typeof value === "bigint" ||
    value instanceof Uint8Array
  )
    return value;
  throw new Error(`cannot bind ${typeof value}`);
}
