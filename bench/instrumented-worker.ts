import { AsyncLocalStorage } from "node:async_hooks";
import type { Env } from "#app/configuration/env.ts";
import { observeDatabase } from "#tests/support/d1-recorder.ts";
import type { RecordedStatement } from "#tests/support/d1-recorder.ts";
import { FRESH_HEADER } from "./baseline-paths.ts";
import { atOwnHost } from "./fresh-request.ts";

/** Headers with the number of database calls for a response, and the rows that D1 read and wrote. */
export const DB_CALLS_HEADER = "X-Bench-Round-Trips";
export const DB_ROWS_HEADER = "X-Bench-Rows-Read";
export const DB_WRITES_HEADER = "X-Bench-Rows-Written";

type Worker = { fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> };

/**
 * Wraps the unchanged web worker with a monitored database. Each response states its database cost.
 * A request with `FRESH_HEADER` finds no page in the edge's cache.
 *
 * @public `bench/server.ts` imports it in the text of a module.
 */
export function instrumentWorker(app: Worker): Worker {
  const costs = new AsyncLocalStorage<RecordedStatement[][]>();
  const tapped = new WeakMap<Env, Env>();
  const tappedEnv = (env: Env): Env => {
    const cached = tapped.get(env) ?? {
      ...env,
      DB: observeDatabase(env.DB, (trip) => costs.getStore()?.push(trip)),
    };
    tapped.set(env, cached);
    return cached;
  };
  return {
    ...app,
    fetch: (request, env, ctx) =>
      costs.run([], async () => {
        const asked = request.headers.has(FRESH_HEADER) ? atOwnHost(request) : request;
        const answer = await app.fetch(asked, tappedEnv(env), ctx);
        const trips = costs.getStore() ?? [];
        const measured = new Response(answer.body, answer);
        const rows = (of: "rowsRead" | "rowsWritten") =>
          String(trips.flat().reduce((sum, statement) => sum + statement[of], 0));
        measured.headers.set(DB_CALLS_HEADER, String(trips.length));
        measured.headers.set(DB_ROWS_HEADER, rows("rowsRead"));
        measured.headers.set(DB_WRITES_HEADER, rows("rowsWritten"));
        return measured;
      }),
  };
}
