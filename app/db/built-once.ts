import { fillPlaceholders } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import type { Database } from "./client.server.ts";
import { openDatabase } from "./client.server.ts";

type Reads = readonly BatchItem<"sqlite">[];
/** What a batch asks of each of its items (`SQLiteD1Session.batch`); drizzle knows prepared statements, but takes none in a batch. */
type Prepared = { getQuery(): { sql: string; params: unknown[] }; mapResult(result: unknown, isFromBatch: boolean): unknown };
/** For a batch alone: it cannot be awaited by itself. */
type InBatch<Asked extends Reads> = { [Item in keyof Asked]: RunnableQuery<Asked[Item]["_"]["result"], "sqlite"> };

/** Takes down what is asked of it, and asks nothing. */
const paper = openDatabase({ prepare: () => ({}) as D1PreparedStatement, batch: () => Promise.reject(new Error("nothing is asked of paper")) });

/**
 * Reads for a batch whose SQL never changes but for its values: `build` writes them once in the life of an isolate, with
 * `sql.placeholder(name)` where a value goes, since writing a long query anew costs as much as asking it. What it gives takes
 * the values by name and goes into `db.batch`, with the rows and types of what was built.
 */
export function builtOnce<const Asked extends Reads>(build: (db: Database) => Asked): (db: Database, values: Record<string, unknown>) => InBatch<Asked> {
  let built: Prepared[] | null = null;
  return (db, values) => {
    built ??= build(paper).map((read) => (read as unknown as { _prepare(): Prepared })._prepare());
    const items = built.map((prepared) => {
      const { sql, params } = prepared.getQuery();
      const asked = { sql, params: fillPlaceholders(params, values) };
      return { _prepare: () => ({ stmt: db.$client.prepare(sql), getQuery: () => asked, mapResult: (result: unknown, isFromBatch: boolean) => prepared.mapResult(result, isFromBatch) }) };
    });
    return items as unknown as InBatch<Asked>;
  };
}
