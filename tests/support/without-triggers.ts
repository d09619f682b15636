import { testEnv } from "./worker-env.ts";

/**
 * Runs a query without the triggers of the ledger and recreates them, as somebody with full access
 * to the database could.
 */
export async function withoutTriggers(query: string, ...values: unknown[]): Promise<void> {
  const { results } = await testEnv.DB.prepare(
    "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND (tbl_name LIKE 'ledger~_%' ESCAPE '~' OR tbl_name = 'write_offs')",
  ).all<{ name: string; sql: string }>();
  await testEnv.DB.batch([
    ...results.map(({ name }) => testEnv.DB.prepare(`DROP TRIGGER "${name}"`)),
    testEnv.DB.prepare(query).bind(...values),
    ...results.map(({ sql }) => testEnv.DB.prepare(sql)),
  ]);
}
