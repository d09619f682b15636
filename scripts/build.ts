import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { build as bundle } from "esbuild";
import { allDone } from "./all-done.ts";
import { inRoot, productVersion, ROOT } from "./paths.ts";
import { LOCAL_WORKERS, QUEUE_WORKERS } from "./topology.ts";

/**
 * `local` includes the sandbox, for start, serve and tests. `deploy` is what is deployed to the
 * edge.
 */
export type BuildFlavour = "local" | "deploy";

const INPUTS = [
  "app",
  "workers",
  "drizzle/schema",
  "public",
  "vite.config.ts",
  "react-router.config.ts",
  "package.json",
  "package-lock.json",
  "scripts/build.ts",
];
const BUILDS_RETAINED = 4;
/** A running product reads assets from its build, so recently used builds stay. */
const RETAINED_FOR_MS = 30 * 60 * 1_000;

if (import.meta.main) {
  const flavour: BuildFlavour = process.argv.includes("--local") ? "local" : "deploy";
  console.log(await buildProduct(flavour));
}

/**
 * Builds every worker of `flavour` and returns the folder. The folder is named by the hash of its
 * inputs. So nothing is built twice, and parallel builds do not conflict.
 */
export async function buildProduct(
  flavour: BuildFlavour,
  report: (line: string) => void = () => {},
): Promise<string> {
  const directory = inRoot("build", `${flavour}-${hashOfInputs()}`);
  if (!existsSync(directory)) await buildInto(directory, flavour, report);
  const usedAt = new Date(machineNow());
  utimesSync(directory, usedAt, usedAt);
  forgetOldBuilds(flavour);
  if (flavour === "deploy") publishForDeploy(directory);
  return directory;
}

async function buildInto(
  directory: string,
  flavour: BuildFlavour,
  report: (line: string) => void,
): Promise<void> {
  report("Building…");
  const unfinished = `${directory}.${process.pid}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  try {
    await allDone([buildApp(unfinished, flavour), buildWorkers(unfinished, flavour)]);
    rmSync(join(unfinished, "client", ".vite"), { recursive: true, force: true });
    if (!existsSync(directory)) renameSync(unfinished, directory);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

async function buildApp(directory: string, flavour: BuildFlavour): Promise<void> {
  const cli = inRoot("node_modules", "@react-router", "dev", "bin.cjs");
  const child = spawn(process.execPath, [cli, "build", "--logLevel", "warn"], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      NODE_ENV: "production",
      CORETO_LOCAL: String(flavour === "local"),
      CORETO_BUILD_DIRECTORY: directory,
    },
  });
  const ended = once(child, "close");
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await ended;
  if (code !== 0) throw new Error(`react-router build failed:\n${output}\n${errors}`);
}

async function buildWorkers(directory: string, flavour: BuildFlavour): Promise<void> {
  const names = flavour === "local" ? [...QUEUE_WORKERS, ...LOCAL_WORKERS] : QUEUE_WORKERS;
  await bundle({
    absWorkingDir: ROOT,
    entryPoints: names.map((name) => ({
      in: inRoot("workers", name, "index.ts"),
      out: `${name}/index`,
    })),
    outdir: join(directory, "workers"),
    bundle: true,
    format: "esm",
    target: "es2024",
    platform: "browser",
    mainFields: ["module", "main"],
    conditions: ["workerd", "worker", "browser"],
    external: ["node:*", "cloudflare:*"],
    // Only the pictures worker has any: fonts in the bundle, compiled modules beside it.
    loader: { ".woff": "binary", ".wasm": "copy" },
    assetNames: "pictures/[name]-[hash]",
    minify: true,
    sourcemap: flavour === "local" ? "linked" : false,
    define: {
      __LOCAL__: String(flavour === "local"),
      __VERSION__: JSON.stringify(productVersion()),
      "process.env.NODE_ENV": '"production"',
    },
    logLevel: "warning",
  });
}

/** The machine's time for file timestamps, also in a test, whose `Date` is shifted. */
function machineNow(): number {
  return performance.timeOrigin + performance.now();
}

/** The wrangler.toml files need a fixed folder name. */
function publishForDeploy(directory: string): void {
  const target = inRoot("build", "deploy");
  rmSync(target, { recursive: true, force: true });
  cpSync(directory, target, { recursive: true });
}

function hashOfInputs(): string {
  const hash = createHash("sha256");
  for (const input of INPUTS) {
    for (const file of filesOf(inRoot(input)))
      hash.update(file.slice(ROOT.length)).update(readFileSync(file));
  }
  return hash.digest("hex").slice(0, 12);
}

function filesOf(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && !/^(README\.md|wrangler\.toml|.*\.test\.tsx?)$/.test(entry.name),
    )
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function forgetOldBuilds(flavour: BuildFlavour): void {
  const builds = readdirSync(inRoot("build"))
    .filter((name) => new RegExp(`^${flavour}-[0-9a-f]{12}$`).test(name))
    .map((name) => ({
      path: inRoot("build", name),
      usedAt: statSync(inRoot("build", name)).mtimeMs,
    }))
    .sort((one, other) => other.usedAt - one.usedAt);
  const isOld = ({ usedAt }: { usedAt: number }) => usedAt < machineNow() - RETAINED_FOR_MS;
  for (const { path } of builds.slice(BUILDS_RETAINED).filter(isOld))
    rmSync(path, { recursive: true, force: true });
}
