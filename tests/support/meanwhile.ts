import { openDatabase } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { testEnv } from "./worker-env.ts";

/**
 * `ctx` for whom `happens` is done by somebody else right before its first transaction is written, or the first that holds a statement like
 * `before`: after all that it read, once.
 */
export function meanwhile(ctx: Context, happens: () => Promise<unknown>, before: RegExp | null = null): Context {
  const awaited = new WeakSet<D1PreparedStatement>();
  let isDone = false;
  function marked(statement: D1PreparedStatement): D1PreparedStatement {
    awaited.add(statement);
    const bind = statement.bind.bind(statement);
    statement.bind = (...values: unknown[]) => marked(bind(...values));
    return statement;
  }
  const between = {
    prepare: (query: string) => (before?.test(query) ? marked(testEnv.DB.prepare(query)) : testEnv.DB.prepare(query)),
    batch: async (statements: D1PreparedStatement[]) => {
      if (!isDone && (before === null || statements.some((statement) => awaited.has(statement)))) {
        isDone = true;
        await happens();
      }
      return testEnv.DB.batch(statements);
    },
  };
  return { ...ctx, db: openDatabase(between as unknown as D1Database) };
}
