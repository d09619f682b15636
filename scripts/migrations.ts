import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { clockOffsetMs, onShiftedClock } from "./shifted-clock.ts";

export type Migration = { name: string; statements: string[] };

/** The part of D1 that migrating needs; the types of Miniflare and of Workers both have it. */
export type MigratedDatabase = {
  prepare(query: string): MigratedStatement;
  batch(statements: never[]): Promise<unknown>;
};
type MigratedStatement = {
  bind(...values: unknown[]): MigratedStatement;
  all<Row>(): Promise<{ results: Row[] }>;
  run(): Promise<unknown>;
};

/** Reads the .sql files of `directory` in order, split at drizzle-kit's breakpoints. */
export function readMigrations(directory: string): Migration[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((name) => ({
      name,
      statements: onShiftedClock(readFileSync(join(directory, name), "utf8"), clockOffsetMs())
        .split("--> statement-breakpoint")
        .map((text) => text.trim())
        .filter((text) => text !== ""),
    }));
}

/**
 * Applies the migrations that `db` does not have, each in one transaction. Records them in the
 * table that wrangler uses too. Returns how many.
 */
export async function migrate(db: MigratedDatabase, migrations: Migration[]): Promise<number> {
  await db
    .prepare(
      "CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)",
    )
    .run();
  const { results } = await db.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  const missing = migrations.filter(({ name }) => !applied.has(name));
  for (const { name, statements } of missing) {
    const note = db.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name);
    await db.batch([...statements.map((statement) => db.prepare(statement)), note] as never[]);
  }
  return missing.length;
}
