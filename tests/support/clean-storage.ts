import { applyD1Migrations } from "cloudflare:test";
import type { D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";

/** What a database holds right after its migrations. */
type FreshDatabase = {
  triggers: { name: string; sql: string }[];
  tables: string[];
  rows: Record<string, Record<string, unknown>[]>;
};

const OURS =
  "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual') AND name NOT LIKE 'sqlite~_schema' ESCAPE '~' AND name NOT LIKE '~_cf~_%' ESCAPE '~' ORDER BY name";
const kept = new Map<string, FreshDatabase>();

/**
 * The time of what this file stored: how far a world took it, and whether a world was made outside
 * of any test, for all of them.
 */
let stored = { until: 0, isShared: false };
let isInTest = false;
let testHasWorld = false;

type Given = {
  DB: D1Database;
  PSP_DB: D1Database;
  MEDIA: R2Bucket;
  TEST_MIGRATIONS: D1Migration[];
  TEST_PSP_MIGRATIONS: D1Migration[];
};

/**
 * Called before each test. Its time begins `at` again: where an earlier test moved the time beyond,
 * what is stored is taken out. It is of a time that has not come, such as money that the books have
 * and the provider will receive next month. What all tests of a file share stays.
 */
export async function beginTest(at: number): Promise<void> {
  isInTest = true;
  testHasWorld = false;
  await beginWorld(at);
}

/**
 * Called before a world is made that begins `at` a time of its own: the first one of a test finds
 * nothing of a later time either.
 */
export async function beginWorld(at: number): Promise<void> {
  if (stored.until > at && !stored.isShared && !testHasWorld) await cleanStorage();
}

/** Called after each test. */
export function endTest(): void {
  isInTest = false;
}

/** Called whenever a world is made or moved. */
export function noteWorld(at: number): void {
  stored.isShared ||= !isInTest;
  testHasWorld ||= isInTest;
  stored.until = Math.max(stored.until, at);
}

/** Takes out whatever tests stored. */
export async function cleanStorage(): Promise<void> {
  stored = { until: 0, isShared: false };
  const given = env as unknown as Given;
  await cleanDatabase("DB", given.DB, given.TEST_MIGRATIONS);
  await cleanDatabase("PSP_DB", given.PSP_DB, given.TEST_PSP_MIGRATIONS);
  await cleanBucket(given.MEDIA);
}

/**
 * Makes `database` as its migrations leave it. The first file of a workerd applies them; a later
 * one takes out what the files before it left, in a tenth of the time: triggers go, tables that a
 * test made go, rows go, the rows that migrations make are put back, triggers return.
 */
export async function cleanDatabase(
  name: string,
  database: D1Database,
  migrations: D1Migration[],
): Promise<void> {
  const fresh = kept.get(name);
  if (fresh) return await empty(database, fresh);
  await applyD1Migrations(database, migrations);
  kept.set(name, await databaseContents(database));
}

/** Deletes every object of `bucket`. */
export async function cleanBucket(bucket: R2Bucket): Promise<void> {
  for (let left = await bucket.list(); left.objects.length > 0; left = await bucket.list())
    await bucket.delete(left.objects.map(({ key }) => key));
}

/** Everything that `database` holds, except for the bytes of its indexes. */
export async function databaseContents(database: D1Database): Promise<FreshDatabase> {
  const triggers = await triggersOf(database);
  const tables = await tablesOf(database);
  const read = await database.batch<Record<string, unknown>>(
    tables.map((table) => database.prepare(`SELECT * FROM "${table}"`)),
  );
  return {
    triggers,
    tables,
    rows: Object.fromEntries(tables.map((table, index) => [table, read[index]?.results ?? []])),
  };
}

async function empty(database: D1Database, fresh: FreshDatabase): Promise<void> {
  const triggers = await triggersOf(database);
  const own = (await tablesOf(database)).filter((table) => !fresh.tables.includes(table));
  await database.batch([
    database.prepare("PRAGMA defer_foreign_keys = on"),
    ...triggers.map(({ name }) => database.prepare(`DROP TRIGGER "${name}"`)),
    ...own.map((table) => database.prepare(`DROP TABLE "${table}"`)),
    ...fresh.tables.map((table) => database.prepare(`DELETE FROM "${table}"`)),
    ...Object.entries(fresh.rows).flatMap(([table, rows]) =>
      rows.map((row) => inserted(database, table, row)),
    ),
    ...fresh.triggers.map(({ sql }) => database.prepare(sql)),
  ]);
}

function inserted(
  database: D1Database,
  table: string,
  row: Record<string, unknown>,
): D1PreparedStatement {
  const columns = Object.keys(row);
  return database
    .prepare(
      `INSERT INTO "${table}" (${columns.map((column) => `"${column}"`).join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    )
    .bind(...Object.values(row));
}

async function triggersOf(database: D1Database): Promise<FreshDatabase["triggers"]> {
  return (
    await database
      .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")
      .all<FreshDatabase["triggers"][number]>()
  ).results;
}

async function tablesOf(database: D1Database): Promise<string[]> {
  return (await database.prepare(OURS).all<{ name: string }>()).results.map(({ name }) => name);
}
