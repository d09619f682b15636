import { openDatabase } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { testEnv } from "./worker-env.ts";

/** `ctx` for whom `happens` is done by somebody else right before its first transaction is written: after all that it read, once. */
export function meanwhile(ctx: Context, happens: () => Promise<unknown>): Context {
  let isDone = false;
  const between = {
    prepare: (query: string) => testEnv.DB.prepare(query),
    batch: async (statements: D1PreparedStatement[]) => {
      if (!isDone) {
        isDone = true;
        await happens();
      }
      return testEnv.DB.batch(statements);
    },
  };
  return { ...ctx, db: openDatabase(between as unknown as D1Database) };
}
