import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { emptyDataDirectory } from "./data-directory.ts";
import type { DirectoryClaim } from "./data-directory.ts";
import { migrate, readMigrations } from "./migrations.ts";
import { inRoot } from "./paths.ts";
import { openStores } from "./stores.ts";
import type { Stores } from "./stores.ts";
import { localVariables, originOf, sandboxOriginOf } from "./topology.ts";
import type { UnbuiltTopology } from "./topology.ts";

type PrepareOptions = { seed: boolean; report: (line: string) => void; claim: DirectoryClaim };

const PREPARE_ATTEMPTS = 3;

/**
 * Migrates the data, and seeds it if requested and empty, without any worker: the product is
 * complete when its ports open. A seed that was killed half-way is discarded and restarted.
 */
export async function prepareData(
  topology: UnbuiltTopology,
  options: PrepareOptions,
): Promise<void> {
  const { dataDirectory } = topology;
  const seeding = join(dataDirectory, "seeding");
  if (existsSync(seeding)) emptyDataDirectory(dataDirectory);
  const prepared = join(dataDirectory, "prepared");
  const wanted = JSON.stringify({ migrations: allMigrationNames(), seed: options.seed });
  if (existsSync(prepared) && readFileSync(prepared, "utf8") === wanted) return;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await prepareOnce(topology, options, seeding);
      break;
    } catch (error) {
      if (!isLostConnection(error) || attempt === PREPARE_ATTEMPTS) throw error;
      options.report("The local runtime dropped a connection; beginning again.");
      if (existsSync(seeding)) emptyDataDirectory(dataDirectory);
    }
  }
  writeFileSync(prepared, wanted);
}

async function prepareOnce(
  topology: UnbuiltTopology,
  options: PrepareOptions,
  seeding: string,
): Promise<void> {
  const stores = await openStores(topology.dataDirectory);
  let storeSeed = async (): Promise<void> => {};
  try {
    options.claim.noteRuntimes();
    if (options.seed && (await isEmpty(stores.db))) {
      writeFileSync(seeding, "");
      storeSeed = await makeSeed(stores, topology, options.report);
    } else await migrateAll(stores, options.report);
  } finally {
    await stores.miniflare.dispose();
  }
  await storeSeed();
  rmSync(seeding, { force: true });
}

async function isEmpty(db: D1Database): Promise<boolean> {
  const table = await db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'people'").first();
  return table === null || (await db.prepare("SELECT 1 FROM people LIMIT 1").first()) === null;
}

/** Returns how to store what was seeded, once the runtime of `stores` has stopped. */
async function makeSeed(
  stores: Stores,
  topology: UnbuiltTopology,
  report: (line: string) => void,
): Promise<() => Promise<void>> {
  report("Seeding a small town…");
  const startedAt = Date.now();
  // Loaded only here: it is most of the product.
  const seed = await import("./seed.ts");
  const { SANDBOX_API_KEY, UNCOMPLETED_FEATURES } = localVariables(topology);
  const world = await seed.makeSeed(stores, {
    sandboxApiKey: String(SANDBOX_API_KEY),
    sandboxOrigin: sandboxOriginOf(topology),
    appOrigin: originOf(topology),
    uncompletedFeatures: UNCOMPLETED_FEATURES === "true",
    log: report,
  });
  report(`Seeded in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`);
  return () => seed.storeSeed(topology.dataDirectory, world);
}

async function migrateAll(stores: Stores, report: (line: string) => void): Promise<void> {
  const product = await migrate(stores.db, migrationsOf("drizzle"));
  const sandbox = await migrate(stores.pspDb, migrationsOf("workers", "sandbox-psp"));
  if (product + sandbox > 0) report(`Applied ${product + sandbox} migrations.`);
}

const migrationsOf = (...parts: string[]) => readMigrations(inRoot(...parts, "migrations"));

const allMigrationNames = (): string[] =>
  [...migrationsOf("drizzle"), ...migrationsOf("workers", "sandbox-psp")].map(({ name }) => name);

/**
 * Whether the connection to workerd was lost. Miniflare's bindings speak HTTP to it, and a busy
 * machine closes idle connections; the next request on one is lost.
 */
function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    /fetch failed|other side closed|ECONNRESET|socket hang up/i.test(error.message) ||
    isLostConnection(error.cause)
  );
}
