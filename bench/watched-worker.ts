import { AsyncLocalStorage } from "node:async_hooks";
import type { Env } from "#app/env.ts";
import { tappedDatabase } from "#tests/support/d1-tap.ts";
import type { Asked } from "#tests/support/d1-tap.ts";

/** How many calls to the database an answer cost, and how many rows D1 says they read. */
export const TRIPS_HEADER = "X-Bench-Round-Trips";
export const ROWS_HEADER = "X-Bench-Rows-Read";

type Worker = { fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> };

/**
 * The web worker as it is, over a database that is watched; each answer says what it cost.
 *
 * @public `bench/server.ts` imports it in the text of a module.
 */
export function watched(app: Worker): Worker {
  const costs = new AsyncLocalStorage<Asked[][]>();
  const tapped = new WeakMap<Env, Env>();
  const tappedEnv = (env: Env): Env => {
    const known = tapped.get(env) ?? {
      ...env,
      DB: tappedDatabase(env.DB, (trip) => costs.getStore()?.push(trip)),
    };
    tapped.set(env, known);
    return known;
  };
  return {
    ...app,
    fetch: (request, env, ctx) =>
      costs.run([], async () => {
        const answer = await app.fetch(request, tappedEnv(env), ctx);
        const trips = costs.getStore() ?? [];
        const said = new Response(answer.body, answer);
        said.headers.set(TRIPS_HEADER, String(trips.length));
        said.headers.set(
          ROWS_HEADER,
          String(trips.flat().reduce((sum, { rowsRead }) => sum + rowsRead, 0)),
        );
        return said;
      }),
  };
}
