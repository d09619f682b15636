import { openDatabase } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { testEnv } from "./worker-env.ts";

/**
 * A context that runs `happens` once, right before its first batch of writes. With `before`, it
 * waits for the first batch with a matching statement.
 */
export const interleaveBeforeWrite = (
  ctx: Context,
  happens: () => Promise<unknown>,
  before: RegExp | null = null,
): Context => interleaved(ctx, { happens, like: before, isAfter: false });

/**
 * A context that runs `happens` once, right after the first batch with a statement that matches
 * `like`.
 */
export const interleaveAfterWrite = (
  ctx: Context,
  happens: () => Promise<unknown>,
  like: RegExp,
): Context => interleaved(ctx, { happens, like, isAfter: true });

function interleaved(
  ctx: Context,
  {
    happens,
    like,
    isAfter,
  }: { happens: () => Promise<unknown>; like: RegExp | null; isAfter: boolean },
): Context {
  const awaited = new WeakSet<D1PreparedStatement>();
  let isDone = false;
  function marked(statement: D1PreparedStatement): D1PreparedStatement {
    awaited.add(statement);
    const bind = statement.bind.bind(statement);
    statement.bind = (...values: unknown[]) => marked(bind(...values));
    return statement;
  }
  const between = {
    prepare: (query: string) =>
      like?.test(query) ? marked(testEnv.DB.prepare(query)) : testEnv.DB.prepare(query),
    batch: async (statements: D1PreparedStatement[]) => {
      const isNow =
        !isDone && (like === null || statements.some((statement) => awaited.has(statement)));
      isDone ||= isNow;
      if (isNow && !isAfter) await happens();
      const results = await testEnv.DB.batch(statements);
      if (isNow && isAfter) await happens();
      return results;
    },
  };
  return { ...ctx, db: openDatabase(between as unknown as D1Database) };
}
