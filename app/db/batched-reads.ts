type ReadBinding = Pick<D1DatabaseSession, "prepare" | "batch">;

type ReadGroup = {
  statements: D1PreparedStatement[];
  resolve(results: D1Result[]): void;
  reject(error: unknown): void;
};

const READS = /^\s*select\b/i;

/**
 * Wraps `binding` for a request that reads. The batches that its loaders request in one tick reach
 * D1 as one batch. A page and its frame then cost one round trip. A batch that writes is sent
 * alone. Reads that fail together are retried one by one, so that one faulty read fails alone.
 */
export function batchRequestReads(binding: ReadBinding): ReadBinding {
  const reading = new WeakSet<D1PreparedStatement>();
  let waiting: ReadGroup[] = [];

  function prepare(query: string): D1PreparedStatement {
    const statement = binding.prepare(query);
    return READS.test(query) ? marked(statement) : statement;
  }

  function marked(statement: D1PreparedStatement): D1PreparedStatement {
    reading.add(statement);
    const bind = statement.bind.bind(statement);
    statement.bind = (...values: unknown[]) => marked(bind(...values));
    return statement;
  }

  async function crossed(groups: ReadGroup[]): Promise<void> {
    const [first] = groups;
    if (!first) return;
    try {
      const results = await binding.batch(groups.flatMap(({ statements }) => statements));
      let from = 0;
      for (const { statements, resolve } of groups)
        resolve(results.slice(from, (from += statements.length)));
    } catch (error) {
      if (groups.length === 1) return first.reject(error);
      for (const group of groups) await crossed([group]);
    }
  }

  function batch<Row>(statements: D1PreparedStatement[]): Promise<D1Result<Row>[]> {
    if (!statements.every((statement) => reading.has(statement)))
      return binding.batch<Row>(statements);
    return new Promise((resolve, reject) => {
      waiting.push({
        statements,
        resolve: (results) => resolve(results as D1Result<Row>[]),
        reject,
      });
      if (waiting.length > 1) return;
      // Waits for whatever else this tick requests.
      setTimeout(() => {
        const groups = waiting;
        waiting = [];
        void crossed(groups);
      }, 0);
    });
  }

  return { prepare, batch };
}
