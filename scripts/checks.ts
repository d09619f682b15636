import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { inRoot, ROOT } from "./paths.ts";
import { problemsOfNames } from "./word-rules.ts";
import { problemsOfTables } from "./table-rules.ts";
import { problemsOfMigrations, problemsOfSchema } from "./migration-rules.ts";

export type CheckResult = { name: string; ok: boolean; output: string; tookMs: number };
type Check = () => Promise<{ ok: boolean; output: string }>;

const bin = (...parts: string[]): string => inRoot("node_modules", ...parts);
const SOURCES = ["app", "workers", "drizzle", "scripts", "tests", "bench"];
const CONFIGURATIONS = readdirSync(ROOT).filter((file) => file.endsWith(".config.ts"));

let routeTypes: Promise<{ ok: boolean; output: string }> | null = null;

/**
 * Generates the route types once per run, before any check reads them. Generation removes them
 * first, so a concurrent check would fail.
 */
const withRouteTypes = async (check: Check): ReturnType<Check> => {
  routeTypes ??= node(bin("@react-router", "dev", "bin.cjs"), "typegen");
  const written = await routeTypes;
  return written.ok ? check() : written;
};

/** The fast checks by name, each counted as one. */
export const CHECKS: Record<string, Check> = {
  format: () => node(bin("oxfmt", "bin", "oxfmt"), "--check", "."),
  lint: () =>
    withRouteTypes(() =>
      node(
        bin("oxlint", "bin", "oxlint"),
        "--deny-warnings",
        "--format=unix",
        ...SOURCES,
        ...CONFIGURATIONS,
      ),
    ),
  boundaries: () =>
    withRouteTypes(() =>
      node(
        "--import",
        inRoot("scripts", "typescript-6.mjs"),
        bin("dependency-cruiser", "bin", "dependency-cruiser.mjs"),
        "--config",
        ".dependency-cruiser.cjs",
        "--output-type",
        "err",
        ...SOURCES,
      ),
    ),
  unused: () => node(bin("knip", "bin", "knip.js"), "--no-progress", "--reporter", "compact"),
  migrations: async () => report(problemsOfMigrations(inRoot("drizzle", "migrations"))),
  schema: async () => report(problemsOfSchema()),
  words: async () => report(problemsOfNames()),
  tables: async () => report(problemsOfTables()),
  types: () =>
    withRouteTypes(() =>
      node(
        bin("typescript", "bin", "tsc"),
        "--noEmit",
        "--pretty",
        "false",
        "--incremental",
        "--tsBuildInfoFile",
        ".tmp/types.tsbuildinfo",
      ),
    ),
};

/** Runs the named checks in parallel and prints each as it ends. */
export function runChecks(names: readonly string[]): Promise<CheckResult[]> {
  return Promise.all(names.map(runCheck));
}

async function runCheck(name: string): Promise<CheckResult> {
  const check = CHECKS[name];
  if (!check)
    throw new Error(`No check is called ${name}; there are ${Object.keys(CHECKS).join(", ")}.`);
  const startedAt = Date.now();
  const { ok, output } = await check();
  const tookMs = Date.now() - startedAt;
  console.log(`${ok ? "✓" : "✗"} ${name} (${(tookMs / 1000).toFixed(1)} s)`);
  if (!ok) console.log(output.trim().replaceAll(/^/gm, "    "));
  return { name, ok, output, tookMs };
}

function report(problems: string[]): { ok: boolean; output: string } {
  return { ok: problems.length === 0, output: problems.join("\n") };
}

function node(...args: string[]): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
    child.on("error", (error) => resolve({ ok: false, output: error.message }));
    child.on("close", (code) => resolve({ ok: code === 0, output }));
  });
}
