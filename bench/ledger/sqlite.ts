import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { StatementSync } from "node:sqlite";
import { sized } from "#bench/size.ts";
import { readMigrations } from "#scripts/migrations.ts";
import { inRoot } from "#scripts/paths.ts";
import {
  BENCH_BATCH_SIZE,
  handWrittenSale,
  SMALL_CREATORS,
  SMALL_ENTRIES,
  BENCH_ROUNDS,
  randomSale,
} from "./hand-written.ts";
import { fillLedger } from "./fill-ledger.ts";
import type { FillableDatabase } from "./fill-ledger.ts";
import type { OtherDatabaseResult } from "./transfers.ts";

/**
 * Measures the same statements on `node:sqlite` in this process, in a file with the same
 * migrations. Each statement is prepared once. Returns milliseconds a transfer.
 */
export async function benchSqlite(): Promise<OtherDatabaseResult> {
  const directory = mkdtempSync(join(tmpdir(), "coreto-bench-sqlite-"));
  const database = new DatabaseSync(join(directory, "books.sqlite"));
  try {
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    for (const { statements } of readMigrations(inRoot("drizzle", "migrations")))
      for (const statement of statements) database.exec(statement);
    await fillLedger({
      database: likeD1(database),
      entries: sized(SMALL_ENTRIES, 1_000),
      creators: SMALL_CREATORS,
      until: Date.now(),
    });
    const prepared = new Map<string, StatementSync>();
    const transfers = (count: number): void => {
      database.exec("BEGIN IMMEDIATE");
      for (const { sql, params } of Array.from({ length: count }, () =>
        handWrittenSale(randomSale(SMALL_CREATORS)),
      ).flat()) {
        const statement = prepared.get(sql) ?? database.prepare(sql);
        prepared.set(sql, statement);
        statement.run(...params);
      }
      database.exec("COMMIT");
    };
    return sampled((count) => transfers(count));
  } finally {
    database.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

function sampled(transfers: (count: number) => void): OtherDatabaseResult {
  const timed = (work: () => void): number => {
    const startedAt = performance.now();
    work();
    return (performance.now() - startedAt) / BENCH_BATCH_SIZE;
  };
  const found: OtherDatabaseResult = { single: [], batch: [] };
  for (let round = 0; round < sized(BENCH_ROUNDS, 1); round += 1) {
    found.single.push(timed(() => Array.from({ length: BENCH_BATCH_SIZE }, () => transfers(1))));
    found.batch.push(timed(() => transfers(BENCH_BATCH_SIZE)));
  }
  return found;
}

const likeD1 = (database: DatabaseSync): FillableDatabase => ({
  prepare: (sql) => ({
    run: async () => database.prepare(sql).run(),
    all: async <Row>() => ({ results: database.prepare(sql).all() as Row[] }),
  }),
});
