import "./local-globals.ts";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { readConfiguration } from "#app/configuration/configuration.ts";
import { buildProduct } from "./build.ts";
import { claimDataDirectory, emptyDataDirectory } from "./data-directory.ts";
import type { DirectoryClaim } from "./data-directory.ts";
import { migrate, readMigrations } from "./migrations.ts";
import { inRoot } from "./paths.ts";
import { freePortPair, isPortFree } from "./ports.ts";
import { clockOffsetMs } from "./shifted-clock.ts";
import { startTicking } from "./ticker.ts";
import { localVariables, miniflareOptions, originOf, sandboxOriginOf } from "./topology.ts";
import type { Topology } from "./topology.ts";

/** Loaded only if data must be seeded. */
const SEED_SCRIPT = "./seed.ts";

export type StartOptions = {
  /** 0 or undefined means two free ports. The sandbox provider uses the next port. */
  port?: number;
  host?: string;
  dataDirectory: string;
  /** Seed the product if it is empty. */
  seed: boolean;
  /** Run the crons every few seconds; a test that moves the time itself may disable it. */
  tick?: boolean;
  env?: Record<string, string>;
  report?: (line: string) => void;
} & Pick<Topology, "appModules" | "inspectorPort" | "log">;

export type RunningProduct = {
  origin: string;
  sandboxOrigin: string;
  miniflare: Miniflare;
  stop(): Promise<void>;
};

/** The arguments of `scripts/seed.ts`: the bindings of two workers, usable from Node. */
export type SeedHandles = {
  miniflare: Miniflare;
  /** The bindings and variables of the web worker. */
  app: Record<string, unknown>;
  /** Those of the sandbox provider: PSP_DB and its variables. */
  sandbox: Record<string, unknown>;
  origin: string;
  sandboxOrigin: string;
  report: (line: string) => void;
};

/**
 * Builds and starts every worker in one process, migrates the data, seeds it if requested and
 * empty, and ticks the crons.
 */
export async function startLocalProduct(options: StartOptions): Promise<RunningProduct> {
  return onData(options, (topology, claim, report) => run(topology, options, report, claim));
}

/** Prepares `dataDirectory` before the first start: migrates it, and seeds it if requested. */
export async function prepareLocalProduct(options: StartOptions): Promise<void> {
  await onData(options, async (topology, claim, report) => {
    await prepare(topology, options, report, claim);
    claim.release();
  });
}

/** Runs with an exclusive claim on `dataDirectory`, released if it fails. */
async function onData<Result>(
  options: StartOptions,
  work: (
    topology: Topology,
    claim: DirectoryClaim,
    report: (line: string) => void,
  ) => Promise<Result>,
): Promise<Result> {
  const report = options.report ?? (() => {});
  const port = options.port || (await freePortPair());
  const claim = claimDataDirectory(options.dataDirectory);
  try {
    await refuseTakenPorts(port);
    const buildDirectory = await buildProduct("local", report);
    const topology = {
      host: options.host ?? "localhost",
      port,
      sandboxPort: port + 1,
      buildDirectory,
      dataDirectory: options.dataDirectory,
      env: options.env,
      appModules: options.appModules,
      inspectorPort: options.inspectorPort,
      log: options.log,
      clockOffsetMs: clockOffsetMs(),
    };
    refuseBadConfiguration(topology);
    return await work(topology, claim, report);
  } catch (error) {
    claim.release();
    throw error;
  }
}

async function run(
  topology: Topology,
  options: StartOptions,
  report: (line: string) => void,
  claim: DirectoryClaim,
): Promise<RunningProduct> {
  // A page cached by an older build names assets that no longer exist.
  rmSync(join(topology.dataDirectory, "cache"), { recursive: true, force: true });
  await prepare(topology, options, report, claim);
  const miniflare = new Miniflare(miniflareOptions(topology));
  let stopTicking = async (): Promise<void> => {};
  const stop = async (): Promise<void> => {
    await stopTicking();
    await miniflare.dispose();
    claim.release();
  };
  try {
    await miniflare.ready;
    claim.noteRuntimes();
    if (options.tick ?? true) stopTicking = startTicking(miniflare, report);
    return {
      origin: originOf(topology),
      sandboxOrigin: sandboxOriginOf(topology),
      miniflare,
      stop,
    };
  } catch (error) {
    await miniflare.dispose();
    throw error;
  }
}

/**
 * Migrates and seeds on ports that nobody knows, so that the product is complete when its own ports
 * open. A seed that was killed half-way is discarded and restarted.
 */
async function prepare(
  topology: Topology,
  options: StartOptions,
  report: (line: string) => void,
  claim: DirectoryClaim,
): Promise<void> {
  const seeding = join(topology.dataDirectory, "seeding");
  if (existsSync(seeding)) emptyDataDirectory(topology.dataDirectory);
  const prepared = join(topology.dataDirectory, "prepared");
  const wanted = JSON.stringify({ migrations: allMigrationNames(), seed: options.seed });
  if (existsSync(prepared) && readFileSync(prepared, "utf8") === wanted) return;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await prepareOnce(topology, options, report, claim, seeding);
      break;
    } catch (error) {
      if (!isLostConnection(error) || attempt === PREPARE_ATTEMPTS) throw error;
      report("The local runtime dropped a connection; beginning again.");
      if (existsSync(seeding)) emptyDataDirectory(topology.dataDirectory);
    }
  }
  writeFileSync(prepared, wanted);
}

const PREPARE_ATTEMPTS = 3;

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

async function prepareOnce(
  topology: Topology,
  options: StartOptions,
  report: (line: string) => void,
  claim: DirectoryClaim,
  seeding: string,
): Promise<void> {
  const hidden = await freePortPair();
  const miniflare = new Miniflare(
    miniflareOptions({ ...topology, hidden: { port: hidden, sandboxPort: hidden + 1 } }),
  );
  try {
    await miniflare.ready;
    claim.noteRuntimes();
    await migrateAll(miniflare, report);
    if (options.seed) {
      writeFileSync(seeding, "");
      await seedIfEmpty(miniflare, topology, report);
      rmSync(seeding);
    }
  } finally {
    await miniflare.dispose();
  }
}

function allMigrationNames(): string[] {
  return [
    readMigrations(inRoot("drizzle", "migrations")),
    readMigrations(inRoot("workers", "sandbox-psp", "migrations")),
  ].flatMap((migrations) => migrations.map(({ name }) => name));
}

async function refuseTakenPorts(port: number): Promise<void> {
  for (const wanted of [port, port + 1]) {
    if (!(await isPortFree(wanted)))
      throw new Error(
        `Port ${wanted} is taken: choose another with PORT (the sandbox provider uses the next one).`,
      );
  }
}

function refuseBadConfiguration(topology: Topology): void {
  const checked = readConfiguration({
    FEE_PERCENTAGE: "5",
    PIX_AVAILABLE: "true",
    ...localVariables(topology),
  });
  if (!checked.ok)
    throw new Error(
      `The configuration is wrong:\n${checked.problems.map((problem) => `  - ${problem}`).join("\n")}`,
    );
}

async function migrateAll(miniflare: Miniflare, report: (line: string) => void): Promise<void> {
  const product = await migrate(
    await miniflare.getD1Database("DB", "app"),
    readMigrations(inRoot("drizzle", "migrations")),
  );
  const sandbox = await migrate(
    await miniflare.getD1Database("PSP_DB", "sandbox-psp"),
    readMigrations(inRoot("workers", "sandbox-psp", "migrations")),
  );
  if (product + sandbox > 0) report(`Applied ${product + sandbox} migrations.`);
}

async function seedIfEmpty(
  miniflare: Miniflare,
  topology: Topology,
  report: (line: string) => void,
): Promise<void> {
  const db = await miniflare.getD1Database("DB", "app");
  const anyone = await db.prepare("SELECT 1 FROM people LIMIT 1").first();
  if (anyone || !existsSync(inRoot("scripts", "seed.ts"))) return;
  report("Seeding a small town…");
  const startedAt = Date.now();
  const { seed } = (await import(SEED_SCRIPT)) as { seed(handles: SeedHandles): Promise<void> };
  await seed({
    miniflare,
    app: await miniflare.getBindings("app"),
    sandbox: await miniflare.getBindings("sandbox-psp"),
    origin: originOf(topology),
    sandboxOrigin: sandboxOriginOf(topology),
    report,
  });
  report(`Seeded in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`);
}
