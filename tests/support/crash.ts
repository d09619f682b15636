/** Simulates a crash of the process: nothing after this line runs. */
class Crash extends Error {
  override readonly name = "Crash";
}

/**
 * Runs a call when its turn comes among the calls of other processes. `createScheduler`
 * (`tests/support/chaos/scheduler.ts`) chooses turns at random.
 */
export type Turn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Adds crash points before and after every write to D1 and every call to a port, such as the
 * provider or a queue. Armed with n, the n-th point throws. Every later point throws too, because a
 * dead process does nothing more. Every call, also a read, goes through `turn`.
 *
 * With nothing else in flight, the points after one call and before the next are the same moment
 * and count once. A test that also writes without crash points, as to R2, passes `both`.
 */
export function crashPoints(
  turn: Turn = (work) => work(),
  { both = false }: { both?: boolean } = {},
) {
  let passed = 0;
  let armedAt = Number.POSITIVE_INFINITY;
  let inFlight = 0;
  let isCounted = false;
  function point(): void {
    passed += 1;
    if (passed >= armedAt) throw new Crash(`at point ${armedAt}`);
  }
  async function around<Result>(work: () => Promise<Result>): Promise<Result> {
    if (both || !isCounted || inFlight > 0 || passed >= armedAt) point();
    isCounted = false;
    inFlight += 1;
    const result = await turn(work).finally(() => (inFlight -= 1));
    point();
    isCounted = true;
    return result;
  }
  const inner = new WeakMap<object, D1PreparedStatement>();
  function wrapStatement(statement: D1PreparedStatement): D1PreparedStatement {
    const wrapped = {
      bind: (...values: unknown[]) => wrapStatement(statement.bind(...values)),
      run: () => around(() => statement.run()),
      all: () => turn(() => statement.all()),
      raw: (options?: { columnNames?: false }) => turn(() => statement.raw(options)),
      first: (column?: string) =>
        turn(() => (column === undefined ? statement.first() : statement.first(column))),
    } as unknown as D1PreparedStatement;
    inner.set(wrapped, statement);
    return wrapped;
  }
  return {
    arm(at: number): void {
      passed = 0;
      isCounted = false;
      armedAt = at;
    },
    crashed: () => passed >= armedAt,
    disarm(): void {
      armedAt = Number.POSITIVE_INFINITY;
    },
    database(binding: D1Database): D1Database {
      return {
        prepare: (query: string) => wrapStatement(binding.prepare(query)),
        batch: (statements: D1PreparedStatement[]) =>
          around(() => binding.batch(statements.map((one) => inner.get(one) ?? one))),
      } as unknown as D1Database;
    },
    /** Adds a crash point before and after every call of a port. */
    port<Port extends object>(port: Port): Port {
      return new Proxy(port, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name);
          if (typeof value !== "function") return value;
          return (...given: unknown[]) =>
            around(() => Promise.resolve(Reflect.apply(value, target, given)));
        },
      });
    },
  };
}

/**
 * Runs `work` until it finishes or crashes, and returns which. It counts as crashed even if the
 * code caught the error.
 */
export async function survives(
  points: { crashed(): boolean },
  work: () => Promise<unknown>,
): Promise<"finished" | "crashed"> {
  try {
    await work();
  } catch (error) {
    if (!points.crashed()) throw error;
  }
  return points.crashed() ? "crashed" : "finished";
}
