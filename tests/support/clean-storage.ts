import { applyD1Migrations } from "cloudflare:test";
import type { D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";

/** Contents of a database right after its migrations. */
type FreshDatabase = {
  triggers: { name: string; sql: string }[];
  tables: string[];
  rows: Record<string, Record<string, unknown>[]>;
};

/** The words of a full-text index are read from that index, and cannot be deleted by themselves. */
const OURS =
  "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual') AND name NOT LIKE 'sqlite~_schema' ESCAPE '~' AND name NOT LIKE '~_cf~_%' ESCAPE '~' AND name NOT LIKE '%~_vocabulary' ESCAPE '~' ORDER BY name";
const freshDatabases = new Map<string, FreshDatabase>();

/**
 * `until`: the latest time of a world of this file. `isShared`: whether a world was created outside
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
 * Runs before each test, which starts at `at`. Deletes all rows if an earlier test moved its clock
 * beyond that. Such rows lie in the future, such as money that the provider receives next month.
 * Keeps the rows of a world that all tests of the file share.
 */
export async function beginTest(at: number): Promise<void> {
  isInTest = true;
  testHasWorld = false;
  await beginWorld(at);
}

/**
 * Runs before a world that starts at its own time `at`. The test's first world finds no rows from a
 * later time.
 */
export async function beginWorld(at: number): Promise<void> {
  if (stored.until > at && !stored.isShared && !testHasWorld) await cleanStorage();
}

/** Runs after each test. */
export function endTest(): void {
  isInTest = false;
}

/** Runs whenever a world is created or its clock moves. */
export function noteWorld(at: number): void {
  stored.isShared ||= !isInTest;
  testHasWorld ||= isInTest;
  stored.until = Math.max(stored.until, at);
}

/** Deletes everything that tests stored in the databases and in R2. */
export async function cleanStorage(): Promise<void> {
  stored = { until: 0, isShared: false };
  const given = env as unknown as Given;
  await cleanDatabase("DB", given.DB, given.TEST_MIGRATIONS);
  await cleanDatabase("PSP_DB", given.PSP_DB, given.TEST_PSP_MIGRATIONS);
  await cleanBucket(given.MEDIA);
}

/**
 * Restores `database` to its state after the migrations. The first file of a workerd applies them.
 * Later files empty the tables instead, in a tenth of the time. They drop the triggers and the
 * tables of tests, delete all rows, insert those of the migrations and recreate the triggers.
 */
export async function cleanDatabase(
  name: string,
  database: D1Database,
  migrations: D1Migration[],
): Promise<void> {
  const fresh = freshDatabases.get(name);
  if (fresh) return await empty(database, fresh);
  await applyD1Migrations(database, migrations);
  freshDatabases.set(name, await databaseContents(database));
}

/** Deletes every object of `bucket`. */
export async function cleanBucket(bucket: R2Bucket): Promise<void> {
  for (let left = await bucket.list(); left.objects.length > 0; left = await bucket.list())
    await bucket.delete(left.objects.map(({ key }) => key));
}

/** Triggers, tables and rows of `database`. */
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
