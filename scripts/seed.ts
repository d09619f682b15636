import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { seed as seedWorld } from "#drizzle/seed.ts";
import type { RehearsalDatabase } from "#drizzle/seed/rehearsal/sqlite-d1.ts";
import type { SeededWorld, SeedHandles } from "#drizzle/seed.ts";
import type { Stores } from "./stores.ts";

/** The tables by which the files of the two databases are found. */
const MARKS = { product: "product_file", psp: "provider_file" };

/**
 * Makes the seeded demo data for empty stores, and puts its files there. The databases are made in
 * this process: `storeSeed` stores them once the runtime of `stores` has stopped.
 */
export async function makeSeed(
  stores: Stores,
  handles: Omit<SeedHandles, "media">,
  world: (handles: SeedHandles) => Promise<SeededWorld> = seedWorld,
): Promise<SeededWorld> {
  await mark(stores.db, MARKS.product);
  await mark(stores.pspDb, MARKS.psp);
  return world({ ...handles, media: stores.media });
}

/**
 * Stores the seeded databases as the files of the local ones. To make their tens of thousands of
 * writes again in the runtime would take as long as the rest of a start.
 */
export async function storeSeed(dataDirectory: string, world: SeededWorld): Promise<void> {
  await replaceFile(markedFile(dataDirectory, MARKS.product), world.product);
  await replaceFile(markedFile(dataDirectory, MARKS.psp), world.psp);
}

/** Makes the file of a database known by a table. Its name is the runtime's own affair. */
async function mark(db: D1Database, table: string): Promise<void> {
  await db.exec(`CREATE TABLE IF NOT EXISTS ${table} (id INTEGER)`);
}

function markedFile(dataDirectory: string, table: string): string {
  const root = join(dataDirectory, "d1");
  const found = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".sqlite"))
    .map((name) => join(root, name))
    .find((file) => hasTable(file, table));
  if (!found) throw new Error(`${root} has no database with ${table}`);
  return found;
}

function hasTable(file: string, table: string): boolean {
  const database = new DatabaseSync(file);
  try {
    return database.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(table) !== undefined;
  } finally {
    database.close();
  }
}

async function replaceFile(file: string, by: RehearsalDatabase): Promise<void> {
  for (const part of [file, `${file}-wal`, `${file}-shm`]) rmSync(part, { force: true });
  await by.saveTo(file);
}
