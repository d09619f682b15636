import { AsyncLocalStorage } from "node:async_hooks";

export type Binding = Pick<D1DatabaseSession, "prepare" | "batch">;
/** A query that drizzle runs on `execute`, prepared or not. */
export type Executable = { execute(): Promise<unknown> };

type Row = Record<string, unknown>;
type Asked = { query: string; values: unknown[]; answer(result: D1Result<Row>): void };
type Batch = { asked: Asked[]; isSent: boolean };

const batches = new AsyncLocalStorage<Batch>();

/**
 * Creates the client that drizzle uses. A query goes to `binding`, whose answer `onAnswer` gets, or
 * into the batch in which it is executed. Without a binding it only serves batches.
 */
export function batchClient(
  binding: Pick<Binding, "prepare"> | null,
  onAnswer: (result: D1Result<Row>) => void = () => {},
): D1Database {
  const alone = async (query: string, values: unknown[]): Promise<D1Result<Row>> => {
    if (!binding) throw new Error("A query that is built once is asked in a batch.");
    const result = await binding
      .prepare(query)
      .bind(...values)
      .all<Row>();
    onAnswer(result);
    return result;
  };
  // Drizzle uses nothing else of a D1Database.
  return { prepare: (query: string) => statementOf(alone, query, []) } as unknown as D1Database;
}

/**
 * Executes `items` so that their statements reach D1 as one batch, in order. Drizzle's own `batch`
 * takes no prepared queries.
 */
export async function executeTogether(
  binding: Binding,
  items: readonly Executable[],
): Promise<unknown[]> {
  const batch: Batch = { asked: [], isSent: false };
  const answers = batches.run(batch, () => items.map(async (item) => await item.execute()));
  batch.isSent = true;
  if (batch.asked.length !== items.length) {
    // A query that could not be built rejects with its reason, such as a placeholder without a
    // value.
    await Promise.race([...answers, new Promise((resolve) => setTimeout(resolve, 0))]);
    throw new Error(`A batch of ${items.length} queries asked ${batch.asked.length} statements.`);
  }
  const results = await binding.batch<Row>(
    batch.asked.map(({ query, values }) => binding.prepare(query).bind(...values)),
  );
  for (const [at, result] of results.entries()) batch.asked[at]?.answer(result);
  return await Promise.all(answers);
}

/** Returns the answer that D1 will give; null outside a batch. */
function inBatch(query: string, values: unknown[]): Promise<D1Result<Row>> | null {
  const batch = batches.getStore();
  if (!batch) return null;
  if (batch.isSent) throw new Error("A statement was asked after its batch was sent.");
  return new Promise((answer) => batch.asked.push({ query, values, answer }));
}

/** The part of D1PreparedStatement that drizzle calls. */
function statementOf(
  alone: (query: string, values: unknown[]) => Promise<D1Result<Row>>,
  query: string,
  values: unknown[],
) {
  const answer = (): Promise<D1Result<Row>> => inBatch(query, values) ?? alone(query, values);
  return {
    bind: (...bound: unknown[]) => statementOf(alone, query, bound),
    run: answer,
    all: answer,
    raw: async () => rowsByPosition(await answer()),
  };
}

/** Rows come by column name; each column name is unique (select-names.ts). */
const rowsByPosition = ({ results }: D1Result<Row>): unknown[][] =>
  results.map((row) => Object.values(row));
