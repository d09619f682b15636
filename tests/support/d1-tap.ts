/** One statement as the database ran it. */
export type Asked = { query: string; params: unknown[]; rowsRead: number };

/**
 * A database that tells what it was asked: each trip is one call across to D1, a batch with all its
 * statements.
 */
export type Tap = { database: D1Database; trips: Asked[][] };

/**
 * Wraps a D1 binding so that `onTrip` is told of every call that crosses to it, with the rows that
 * D1 says it read.
 */
export function tappedDatabase(binding: D1Database, onTrip: (trip: Asked[]) => void): D1Database {
  return {
    ...speaking(binding, onTrip),
    withSession: (bookmark?: string) => tappedSession(binding.withSession(bookmark), onTrip),
  } as unknown as D1Database;
}

/** `tappedDatabase` that keeps what it is told. */
export function databaseTap(binding: D1Database): Tap {
  const trips: Asked[][] = [];
  return { trips, database: tappedDatabase(binding, (trip) => trips.push(trip)) };
}

function tappedSession(session: D1DatabaseSession, onTrip: (trip: Asked[]) => void) {
  return { ...speaking(session, onTrip), getBookmark: () => session.getBookmark() };
}

type Known = { statement: D1PreparedStatement; query: string; params: unknown[] };
type Rows = D1Result<Record<string, unknown>>;

function speaking(binding: D1Database | D1DatabaseSession, onTrip: (trip: Asked[]) => void) {
  const known = new WeakMap<object, Known>();

  async function crossed(asked: Known[], work: () => Promise<Rows[]>): Promise<Rows[]> {
    const results = await work();
    onTrip(
      asked.map(({ query, params }, index) => ({
        query,
        params,
        rowsRead: results[index]?.meta.rows_read ?? 0,
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
      // Only `all` tells what it read; every column has its own name (app/db/select-names.ts).
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
