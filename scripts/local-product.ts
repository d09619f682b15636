import "./local-globals.ts";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { readConfiguration } from "#app/configuration/configuration.ts";
import { allDone } from "./all-done.ts";
import { buildProduct } from "./build.ts";
import { claimDataDirectory } from "./data-directory.ts";
import type { DirectoryClaim } from "./data-directory.ts";
import { freePortPair, isPortFree } from "./ports.ts";
import { prepareData } from "./prepare-data.ts";
import { clockOffsetMs } from "./shifted-clock.ts";
import { startTicking } from "./ticker.ts";
import { localVariables, miniflareOptions, originOf, sandboxOriginOf } from "./topology.ts";
import type { Topology, UnbuiltTopology } from "./topology.ts";

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

/**
 * Builds and starts every worker in one process, migrates the data, seeds it if requested and
 * empty, and ticks the crons.
 */
export async function startLocalProduct(options: StartOptions): Promise<RunningProduct> {
  return onData(options, (topology, claim) => run(topology, options, claim));
}

/** Prepares `dataDirectory` before the first start: migrates it, and seeds it if requested. */
export async function prepareLocalProduct(options: StartOptions): Promise<void> {
  await onData(options, async (_topology, claim) => claim.release());
}

/**
 * Builds the product while its data is prepared, then does `work`. Holds an exclusive claim on
 * `dataDirectory`, released if anything fails.
 */
async function onData<Result>(
  options: StartOptions,
  work: (topology: Topology, claim: DirectoryClaim) => Promise<Result>,
): Promise<Result> {
  const report = options.report ?? (() => {});
  const port = options.port || (await freePortPair());
  const claim = claimDataDirectory(options.dataDirectory);
  try {
    await refuseTakenPorts(port);
    const unbuilt = {
      host: options.host ?? "localhost",
      port,
      sandboxPort: port + 1,
      dataDirectory: options.dataDirectory,
      env: options.env,
      appModules: options.appModules,
      inspectorPort: options.inspectorPort,
      log: options.log,
      clockOffsetMs: clockOffsetMs(),
    };
    refuseBadConfiguration(unbuilt);
    const [buildDirectory] = await allDone([
      buildProduct("local", report),
      prepareData(unbuilt, { seed: options.seed, report, claim }),
    ]);
    return await work({ ...unbuilt, buildDirectory }, claim);
  } catch (error) {
    claim.release();
    throw error;
  }
}

async function run(
  topology: Topology,
  { tick = true, report = () => {} }: StartOptions,
  claim: DirectoryClaim,
): Promise<RunningProduct> {
  // A page cached by an older build names assets that no longer exist.
  rmSync(join(topology.dataDirectory, "cache"), { recursive: true, force: true });
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
    if (tick) stopTicking = startTicking(miniflare, report);
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

async function refuseTakenPorts(port: number): Promise<void> {
  for (const wanted of [port, port + 1]) {
    if (!(await isPortFree(wanted)))
      throw new Error(
        `Port ${wanted} is taken: choose another with PORT (the sandbox provider uses the next one).`,
      );
  }
}

function refuseBadConfiguration(topology: UnbuiltTopology): void {
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
