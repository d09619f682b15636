import type { Context } from "#app/domain/context.ts";
import { invariantFindings } from "#app/domain/ledger/queries.server.ts";
import { testEnv } from "#tests/support/worker-env.ts";

type Row = Record<string, unknown>;

const prepared = (query: string) => testEnv.DB.prepare(query);
const DEFERRED = "PRAGMA defer_foreign_keys = on";

/**
 * The names of the invariants that `statements` break, written by hand into a database whose triggers are away: what a trigger refuses can be broken only
 * so. Then the tables that they name, and the triggers, are as they were before.
 */
export async function brokenBy(ctx: Context, statements: readonly string[]): Promise<string[]> {
  const triggers = (await prepared("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name").all<{ name: string; sql: string }>()).results;
  const tables = [...new Set(statements.map((statement) => /(?:UPDATE|INTO|DELETE FROM)\s+(\w+)/.exec(statement)?.[1] ?? ""))];
  const before = await Promise.all(tables.map(async (table) => ({ table, columns: await writable(table), rows: (await prepared(`SELECT * FROM "${table}"`).all<Row>()).results })));
  await testEnv.DB.batch(triggers.map(({ name }) => prepared(`DROP TRIGGER "${name}"`)));
  try {
    await testEnv.DB.batch([DEFERRED, ...statements].map(prepared));
    return (await invariantFindings(ctx)).filter(({ rows }) => rows.length > 0).map(({ name }) => name);
  } finally {
    await testEnv.DB.batch([
      prepared(DEFERRED),
      ...tables.map((table) => prepared(`DELETE FROM "${table}"`)),
      ...before.flatMap(({ table, columns, rows }) => rows.map((row) => prepared(`INSERT INTO "${table}" (${columns.map((column) => `"${column}"`).join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`).bind(...columns.map((column) => row[column])))),
      ...triggers.map(({ sql }) => prepared(sql)),
    ]);
  }
}

/** Its columns but those that the database makes of the others. */
async function writable(table: string): Promise<string[]> {
  return (await prepared(`SELECT name FROM pragma_table_xinfo('${table}') WHERE hidden = 0`).all<{ name: string }>()).results.map(({ name }) => name);
}
