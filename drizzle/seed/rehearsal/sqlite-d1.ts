import { backup, DatabaseSync } from "node:sqlite";
import type { SQLInputValue, StatementSync } from "node:sqlite";

type BoundStatement = { query: string; values: SQLInputValue[] };

export type RehearsalDatabase = {
  /** Speaks D1 as Drizzle and the product's `commit` use it. */
  binding: D1Database;
  /** How many statements announced something so far, also those that were undone. */
  announcedCount(): number;
  /** Writes everything to `file`, page by page, so that every row keeps its number. */
  saveTo(file: string): Promise<unknown>;
};

/**
 * A D1 in memory of this process. Four months of a town are tens of thousands of small reads and
 * writes: asked of a real D1 one by one they take minutes, here a few seconds. D1's files are
 * SQLite's, so that what is here is saved as one.
 */
export function rehearsalDatabase(): RehearsalDatabase {
  const sqlite = new DatabaseSync(":memory:");
  const prepared = new Map<string, StatementSync>();
  let announced = 0;

  const statementOf = (query: string): StatementSync => {
    const statement = prepared.get(query) ?? sqlite.prepare(query);
    prepared.set(query, statement);
    return statement;
  };
  const totalChanges = sqlite.prepare("SELECT total_changes() AS changes");
  const changesMade = (): number => Number(totalChanges.get()?.changes);
  const execute = (bound: BoundStatement): Result => {
    if (bound.query.startsWith('insert into "outbox"')) announced += 1;
    const before = changesMade();
    const results = statementOf(bound.query).all(...bound.values);
    return { results, success: true, meta: { changes: changesMade() - before } };
  };
  const together = (batch: readonly BoundStatement[]): Result[] => {
    sqlite.exec("BEGIN");
    try {
      const results = batch.map(execute);
      sqlite.exec("COMMIT");
      return results;
    } catch (error) {
      sqlite.exec("ROLLBACK");
      throw error;
    }
  };
  return {
    binding: asD1(execute, together),
    announcedCount: () => announced,
    saveTo: (file) => backup(sqlite, file),
  };
}

type Bound = { statement: BoundStatement };
/** The part of a D1Result that the product reads. */
type Result = { results: unknown[]; success: true; meta: { changes: number } };

function asD1(
  single: (bound: BoundStatement) => Result,
  together: (batch: readonly BoundStatement[]) => Result[],
): D1Database {
  const prepare = (query: string, values: SQLInputValue[] = []) => ({
    statement: { query, values },
    bind: (...bound: unknown[]) => prepare(query, bound.map(asBound)),
    all: async () => single({ query, values }),
    run: async () => single({ query, values }),
    first: async () => single({ query, values }).results[0] ?? null,
  });
  const database = {
    prepare,
    batch: async (statements: Bound[]) => together(statements.map(({ statement }) => statement)),
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
