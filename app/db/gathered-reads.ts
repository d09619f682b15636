import type { Binding } from "./batch-client.ts";

type Row = Record<string, unknown>;
type Asked = {
  query: string;
  values: unknown[];
  resolve(result: D1Result<Row>): void;
  reject(error: unknown): void;
};

const READS = /^\s*select\b/i;

/**
 * Wraps `binding` so that the reads of one tick reach D1 as one batch, each read asked alone. A
 * write goes alone. Reads that fail together are made again one by one, so that one faulty read
 * fails alone.
 */
export function gatherReads(binding: Binding): Pick<Binding, "prepare"> {
  let waiting: Asked[] = [];

  function ask(query: string, values: unknown[]): Promise<D1Result<Row>> {
    return new Promise((resolve, reject) => {
      waiting.push({ query, values, resolve, reject });
      if (waiting.length > 1) return;
      // Waits for whatever else this tick requests.
      setTimeout(() => {
        const asked = waiting;
        waiting = [];
        void answer(asked);
      }, 0);
    });
  }

  async function answer(asked: Asked[]): Promise<void> {
    try {
      const results = await binding.batch<Row>(
        asked.map(({ query, values }) => binding.prepare(query).bind(...values)),
      );
      for (const [at, result] of results.entries()) asked[at]?.resolve(result);
    } catch (error) {
      const [first, ...others] = asked;
      if (others.length === 0) return first?.reject(error);
      for (const one of asked) await answer([one]);
    }
  }

  function statement(query: string, values: unknown[]) {
    return {
      bind: (...bound: unknown[]) => statement(query, bound),
      all: () => ask(query, values),
    };
  }

  return {
    prepare: (query) =>
      READS.test(query)
        ? (statement(query, []) as unknown as D1PreparedStatement)
        : binding.prepare(query),
  };
}
