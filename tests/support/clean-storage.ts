import { applyD1Migrations } from "cloudflare:test";
import type { D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";

/** Contents of a database right after its migrations. */
type FreshDatabase = {
  schema: SchemaSize;
  triggers: { name: string; table: string; sql: string }[];
  tables: string[];
  /** Tables of full-text indexes. Whether they are empty cannot be read from their rows. */
  virtualTables: string[];
  rows: Record<string, Record<string, unknown>[]>;
};

/** Number and length of all definitions. A test that changed one changed these. */
type SchemaSize = { count: number; length: number };

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
 * Later calls delete the rows instead, only from the tables that have other rows than after the
 * migrations. If a test changed the schema, they restore every table and trigger.
 */
export async function cleanDatabase(
  name: string,
  database: D1Database,
  migrations: D1Migration[],
): Promise<void> {
  const fresh = freshDatabases.get(name);
  if (!fresh) {
    await applyD1Migrations(database, migrations);
    freshDatabases.set(name, await databaseContents(database));
    return;
  }
  const { schema, changed } = await stateOf(database, fresh);
  if (isEqual(schema, fresh.schema)) await restore(database, fresh, changed, fresh.triggers);
  else await restore(database, fresh, fresh.tables, await triggersOf(database));
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
  const [schema, virtual] = await database.batch<Record<string, unknown>>([
    database.prepare(SCHEMA_SIZE),
    database.prepare(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'virtual'",
    ),
  ]);
  return {
    schema: schema?.results[0] as SchemaSize,
    triggers,
    tables,
    virtualTables: tables.filter((table) => virtual?.results.some(({ name }) => name === table)),
    rows: Object.fromEntries(
      tables.flatMap((table, index) => {
        const rows = read[index]?.results ?? [];
        return rows.length === 0 ? [] : [[table, rows]];
      }),
    ),
  };
}

/** D1 returns at most a hundred columns. */
const TABLES_PER_READ = 100;

/** The size of the schema, and the tables with other rows than `fresh` has. */
async function stateOf(
  database: D1Database,
  fresh: FreshDatabase,
): Promise<{ schema: SchemaSize; changed: string[] }> {
  const filled = Object.keys(fresh.rows);
  const empty = fresh.tables.filter(
    (table) => !filled.includes(table) && !fresh.virtualTables.includes(table),
  );
  const reads: string[] = [];
  for (let from = 0; from < empty.length; from += TABLES_PER_READ) {
    const columns = empty
      .slice(from, from + TABLES_PER_READ)
      .map((table) => `EXISTS (SELECT 1 FROM "${table}") AS "${table}"`);
    reads.push(`SELECT ${columns.join(", ")}`);
  }
  const [schema, ...rest] = await database.batch<Record<string, unknown>>(
    [SCHEMA_SIZE, ...filled.map((table) => `SELECT * FROM "${table}"`), ...reads].map((read) =>
      database.prepare(read),
    ),
  );
  const changed = filled.filter(
    (table, index) => !isEqual(rest[index]?.results, fresh.rows[table]),
  );
  const nowFilled = rest
    .slice(filled.length)
    .flatMap(({ results }) => Object.entries(results[0] ?? {}))
    .flatMap(([table, isFilled]) => (isFilled ? [table] : []));
  return {
    schema: schema?.results[0] as SchemaSize,
    changed: [...changed, ...nowFilled, ...fresh.virtualTables],
  };
}

const SCHEMA_SIZE = "SELECT COUNT(*) AS count, SUM(LENGTH(sql)) AS length FROM sqlite_schema";

const isEqual = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Where SQLite keeps the last number of each table that counts its rows. */
const SEQUENCES = "sqlite_sequence";

/** Gives `changed` the rows of `fresh`, without the `triggers` that exist on these tables. */
async function restore(
  database: D1Database,
  fresh: FreshDatabase,
  changed: string[],
  triggers: FreshDatabase["triggers"],
): Promise<void> {
  const isChanged = ({ table }: { table: string }) => changed.includes(table);
  const isWhole = triggers !== fresh.triggers;
  const refilled = (table: string) =>
    (fresh.rows[table] ?? []).map((row) => inserted(database, table, row));
  const own = isWhole
    ? (await tablesOf(database)).filter((table) => !fresh.tables.includes(table))
    : [];
  await database.batch([
    database.prepare("PRAGMA defer_foreign_keys = on"),
    ...triggers
      .filter((trigger) => isWhole || isChanged(trigger))
      .map(({ name }) => database.prepare(`DROP TRIGGER "${name}"`)),
    ...own.map((table) => database.prepare(`DROP TABLE "${table}"`)),
    ...changed.map((table) => database.prepare(`DELETE FROM "${table}"`)),
    ...changed.filter((table) => table !== SEQUENCES).flatMap(refilled),
    // The inserts above moved the sequences again.
    ...(changed.includes(SEQUENCES)
      ? [database.prepare(`DELETE FROM ${SEQUENCES}`), ...refilled(SEQUENCES)]
      : []),
    ...fresh.triggers.filter(isChanged).map(({ sql }) => database.prepare(sql)),
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
      .prepare(
        "SELECT name, tbl_name AS 'table', sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name",
      )
      .all<FreshDatabase["triggers"][number]>()
  ).results;
}

async function tablesOf(database: D1Database): Promise<string[]> {
  return (await database.prepare(OURS).all<{ name: string }>()).results.map(({ name }) => name);
}
