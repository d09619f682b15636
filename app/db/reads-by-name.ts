import type { BatchItem } from "drizzle-orm/batch";
import { prepareReads } from "./prepared-reads.ts";
import type { Database } from "./client.server.ts";

type Reads = Readonly<Record<string, readonly BatchItem<"sqlite">[]>>;
/** The rows of each named group of statements, in the order of its statements. */
export type RowsByName<Asked extends Reads> = {
  readonly [Name in keyof Asked]: {
    readonly [Index in keyof Asked[Name]]: Asked[Name][Index] extends BatchItem<"sqlite">
      ? Asked[Name][Index]["_"]["result"]
      : never;
  };
};

type Reader = { db: Database; settings: { adultSpaces: boolean } };
type Values = Record<string, unknown>;

/**
 * Builds named groups of statements that are read in one round trip. Their SQL is built once per
 * isolate, with `sql.placeholder(name)` for each value. `one` reads them for one set of values;
 * `each` for several sets, in the same round trip.
 */
export function readsByName<const Asked extends Reads>(
  build: (options: { db: Database; adultSpaces: boolean }) => Asked,
) {
  const readsFor = (adultSpaces: boolean) => {
    let names: [name: string, count: number][] = [];
    const built = prepareReads((db) => {
      const asked = build({ db, adultSpaces });
      names = Object.entries(asked).map(([name, statements]) => [name, statements.length]);
      return Object.values(asked).flat();
    });
    return (db: Database, values: Values) => {
      const statements = built(db, values);
      return { statements, names };
    };
  };
  const reads = { true: readsFor(true), false: readsFor(false) };

  async function each(
    { db, settings }: Reader,
    values: readonly Values[],
  ): Promise<RowsByName<Asked>[]> {
    const asked = values.map((one) => reads[`${settings.adultSpaces}`](db, one));
    const [first, ...others] = asked.flatMap(({ statements }) => statements);
    if (!first) return [];
    const rows: unknown[] = await db.batch([first, ...others]);
    let at = 0;
    return asked.map(({ names }) => {
      const groups = names.map(([name, count]) => [name, rows.slice(at, (at += count))]);
      return Object.fromEntries(groups) as RowsByName<Asked>;
    });
  }

  return {
    each,
    async one(ctx: Reader, values: Values): Promise<RowsByName<Asked>> {
      const [rows] = await each(ctx, [values]);
      if (!rows) throw new Error("a batch without statements");
      return rows;
    },
  };
}
