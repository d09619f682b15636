import { AsyncLocalStorage } from "node:async_hooks";

export type Binding = Pick<D1DatabaseSession, "prepare" | "batch">;
/** A query that drizzle runs on `execute`, prepared before or not. */
export type Executable = { execute(): Promise<unknown> };

type Row = Record<string, unknown>;
type Asked = { query: string; values: unknown[]; answer(result: D1Result<Row>): void };
type Batch = { asked: Asked[]; isSent: boolean };

const batches = new AsyncLocalStorage<Batch>();

/**
 * The client that drizzle is given: what a query asks goes to `binding`, or into the batch in which
 * the query is executed. Without a binding it serves batches alone.
 */
export function batchClient(binding: Binding | null): D1Database {
  // Drizzle uses nothing else of a D1Database.
  return { prepare: (query: string) => statementOf(binding, query, []) } as unknown as D1Database;
}

/**
 * Executes `items` so that what they ask crosses to D1 as one batch, in their order. Drizzle's own
 * `batch` takes no prepared queries.
 */
export async function executeTogether(
  binding: Binding,
  items: readonly Executable[],
): Promise<unknown[]> {
  const batch: Batch = { asked: [], isSent: false };
  const answers = batches.run(batch, () => items.map(async (item) => await item.execute()));
  batch.isSent = true;
  if (batch.asked.length !== items.length) {
    // A query that could not be asked says why, such as a placeholder without a value.
    await Promise.race([...answers, new Promise((resolve) => setTimeout(resolve, 0))]);
    throw new Error(`A batch of ${items.length} queries asked ${batch.asked.length} statements.`);
  }
  const results = await binding.batch<Row>(
    batch.asked.map(({ query, values }) => binding.prepare(query).bind(...values)),
  );
  for (const [at, result] of results.entries()) batch.asked[at]?.answer(result);
  return await Promise.all(answers);
}

/** What D1 will answer; null outside a batch. */
function inBatch(query: string, values: unknown[]): Promise<D1Result<Row>> | null {
  const batch = batches.getStore();
  if (!batch) return null;
  if (batch.isSent) throw new Error("A statement was asked after its batch was sent.");
  return new Promise((answer) => batch.asked.push({ query, values, answer }));
}

/** Half of a D1PreparedStatement: what drizzle calls. */
function statementOf(binding: Binding | null, query: string, values: unknown[]) {
  const alone = (): D1PreparedStatement => {
    if (!binding) throw new Error("A query that is built once is asked in a batch.");
    return binding.prepare(query).bind(...values);
  };
  return {
    bind: (...bound: unknown[]) => statementOf(binding, query, bound),
    run: () => inBatch(query, values) ?? alone().run(),
    all: () => inBatch(query, values) ?? alone().all(),
    raw: () => inBatch(query, values)?.then(rowsByPosition) ?? alone().raw(),
  };
}

/** A batch gives rows by column; each column has a name of its own (select-names.ts). */
const rowsByPosition = ({ results }: D1Result<Row>): unknown[][] =>
  results.map((row) => Object.values(row));
