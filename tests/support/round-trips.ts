/** Counts every call that crosses to D1: a batch is one. */
export function countedDatabase(binding: D1Database): { database: D1Database; count(): number; reset(): void } {
  let trips = 0;
  const inner = new WeakMap<object, D1PreparedStatement>();
  function counted(statement: D1PreparedStatement): D1PreparedStatement {
    const trip = <Result>(work: () => Result): Result => {
      trips += 1;
      return work();
    };
    const wrapped = {
      bind: (...values: unknown[]) => counted(statement.bind(...values)),
      run: () => trip(() => statement.run()),
      all: () => trip(() => statement.all()),
      raw: (options?: { columnNames?: false }) => trip(() => statement.raw(options)),
      first: (column?: string) => trip(() => (column === undefined ? statement.first() : statement.first(column))),
    } as unknown as D1PreparedStatement;
    inner.set(wrapped, statement);
    return wrapped;
  }
  const database = {
    prepare: (query: string) => counted(binding.prepare(query)),
    batch: (statements: D1PreparedStatement[]) => {
      trips += 1;
      return binding.batch(statements.map((one) => inner.get(one) ?? one));
    },
  } as unknown as D1Database;
  return {
    database,
    count: () => trips,
    reset: () => {
      trips = 0;
    },
  };
}
