/** One statement as the database ran it. */
export type RecordedStatement = {
  query: string;
  params: unknown[];
  rowsRead: number;
  rowsWritten: number;
};

/**
 * A database and its recorded calls. Each trip is one call to D1; a batch is one trip with all its
 * statements.
 */
export type DatabaseRecorder = { database: D1Database; trips: RecordedStatement[][] };

/**
 * Wraps a D1 binding so that `onTrip` receives every call to it, with the number of rows that D1
 * reports as read.
 */
export function observeDatabase(
  binding: D1Database,
  onTrip: (trip: RecordedStatement[]) => void,
): D1Database {
  return {
    ...speaking(binding, onTrip),
    withSession: (bookmark?: string) => tappedSession(binding.withSession(bookmark), onTrip),
  } as unknown as D1Database;
}

/** `observeDatabase` that collects the trips. */
export function recordDatabase(binding: D1Database): DatabaseRecorder {
  const trips: RecordedStatement[][] = [];
  return { trips, database: observeDatabase(binding, (trip) => trips.push(trip)) };
}

function tappedSession(session: D1DatabaseSession, onTrip: (trip: RecordedStatement[]) => void) {
  return { ...speaking(session, onTrip), getBookmark: () => session.getBookmark() };
}

type Known = { statement: D1PreparedStatement; query: string; params: unknown[] };
type Rows = D1Result<Record<string, unknown>>;

function speaking(
  binding: D1Database | D1DatabaseSession,
  onTrip: (trip: RecordedStatement[]) => void,
) {
  const known = new WeakMap<object, Known>();

  async function crossed(asked: Known[], work: () => Promise<Rows[]>): Promise<Rows[]> {
    const results = await work();
    onTrip(
      asked.map(({ query, params }, index) => ({
        query,
        params,
        rowsRead: results[index]?.meta.rows_read ?? 0,
        rowsWritten: results[index]?.meta.rows_written ?? 0,
      })),
    );
    return results;
  }

  async function one(asked: Known): Promise<Rows> {
    const [result] = await crossed([asked], async () => [
      await asked.statement.all<Record<string, unknown>>(),
    ]);
    if (!result) throw new Error("D1 answered nothing");
    return result;
  }

  function wrapped(asked: Known): D1PreparedStatement {
    const statement = {
      bind: (...params: unknown[]) =>
        wrapped({ ...asked, statement: asked.statement.bind(...params), params }),
      run: () => one(asked),
      all: () => one(asked),
      // Only `all` reports the rows read. Every column has a unique name (app/db/select-names.ts).
      raw: async () => (await one(asked)).results.map((row) => Object.values(row)),
      first: async (column?: string) => {
        const [row] = (await one(asked)).results;
        return (column === undefined ? row : row?.[column]) ?? null;
      },
    } as unknown as D1PreparedStatement;
    known.set(statement, asked);
    return statement;
  }

  return {
    prepare: (query: string) => wrapped({ statement: binding.prepare(query), query, params: [] }),
    batch: (statements: D1PreparedStatement[]) => {
      const asked = statements.map(
        (statement) => known.get(statement) ?? { statement, query: "?", params: [] },
      );
      return crossed(asked, () => binding.batch(asked.map(({ statement }) => statement)));
    },
  };
}
