/**
 * Wraps a D1 binding and counts the calls to it; a batch is one. `kinds` names each call without
 * its values, such as `select auth_users`.
 */
export function countedDatabase(binding: D1Database): {
  database: D1Database;
  count(): number;
  kinds(): string[];
  reset(): void;
} {
  let trips: string[] = [];
  const inner = new WeakMap<object, { statement: D1PreparedStatement; kind: string }>();
  function counted(statement: D1PreparedStatement, kind: string): D1PreparedStatement {
    const trip = <Result>(work: () => Result): Result => {
      trips.push(kind);
      return work();
    };
    const wrapped = {
      bind: (...values: unknown[]) => counted(statement.bind(...values), kind),
      run: () => trip(() => statement.run()),
      all: () => trip(() => statement.all()),
      raw: (options?: { columnNames?: false }) => trip(() => statement.raw(options)),
      first: (column?: string) =>
        trip(() => (column === undefined ? statement.first() : statement.first(column))),
    } as unknown as D1PreparedStatement;
    inner.set(wrapped, { statement, kind });
    return wrapped;
  }
  const database = {
    prepare: (query: string) => counted(binding.prepare(query), kindOf(query)),
    batch: (statements: D1PreparedStatement[]) => {
      const known = statements.map((one) => inner.get(one) ?? { statement: one, kind: "?" });
      trips.push(known.map(({ kind }) => kind).join("; "));
      return binding.batch(known.map(({ statement }) => statement));
    },
  } as unknown as D1Database;
  return {
    database,
    count: () => trips.length,
    kinds: () => trips,
    reset: () => {
      trips = [];
    },
  };
}

/** The verb of a query and its first table. */
function kindOf(query: string): string {
  const verb = /^\s*(\w+)/.exec(query)?.[1] ?? "?";
  const table = /\b(?:from|into|update)\s+["`]?(\w+)/i.exec(query)?.[1] ?? "";
  return `${verb} ${table}`.toLowerCase().trim();
}
