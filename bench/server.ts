import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { build } from "esbuild";
import { startLocalProduct } from "#scripts/local-product.ts";
import type { StartOptions } from "#scripts/local-product.ts";
import { inRoot } from "#scripts/paths.ts";

const READY = "bench server ready";

const moduleOf = (...path: string[]): string =>
  stripTypeScriptTypes(readFileSync(inRoot(...path), "utf8"));

/** The entry that wraps the built web worker with what `module` exports as `wrapper`. */
const entryOf = (module: string, wrapper: string) => ({
  name: "bench-entry.js",
  contents: `import app from "./index.js"; import { ${wrapper} } from "./${module}"; export * from "./index.js"; export default ${wrapper}(app);`,
});

/** Modules that monitor the database, put before the built web worker. */
const watchingModules = (): StartOptions["appModules"] => [
  entryOf("bench-watched.js", "instrumentWorker"),
  {
    name: "bench-watched.js",
    contents: moduleOf("bench", "instrumented-worker.ts")
      .replace("#tests/support/d1-recorder.ts", "./bench-tap.js")
      .replace("./baseline-paths.ts", "./bench-paths.js")
      .replace("./fresh-request.ts", "./bench-fresh.js"),
  },
  { name: "bench-paths.js", contents: moduleOf("bench", "baseline-paths.ts") },
  { name: "bench-fresh.js", contents: moduleOf("bench", "fresh-request.ts") },
  { name: "bench-tap.js", contents: moduleOf("tests", "support", "d1-recorder.ts") },
];

/** Modules that answer the baselines, with a React Router of their own. */
async function baselineModules(): Promise<StartOptions["appModules"]> {
  const { outputFiles } = await build({
    entryPoints: [inRoot("bench", "baselines.ts")],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2024",
    platform: "browser",
    conditions: ["workerd", "worker", "browser"],
    external: ["node:*", "cloudflare:*"],
    minify: true,
    define: { "process.env.NODE_ENV": '"production"' },
  });
  return [
    entryOf("bench-baselines.js", "withBaselines"),
    { name: "bench-baselines.js", contents: outputFiles[0]?.text ?? "" },
  ];
}

// Serves the built product without crons, unless BENCH_TICK is "on", so that only requests are
// measured. Reports the database cost in response headers, or answers the baselines of `benchPages`
// too (BENCH_ENTRY), or adds nothing (BENCH_ENTRY is "none"), or opens the runtime's inspector at BENCH_INSPECTOR_PORT.
const inspectorPort = Number(process.env.BENCH_INSPECTOR_PORT ?? 0);
const running = await startLocalProduct({
  port: Number(process.env.PORT),
  dataDirectory: process.env.CORETO_DATA_DIRECTORY ?? "",
  seed: process.env.BENCH_SEED === "true",
  tick: process.env.BENCH_TICK === "on",
  ...(inspectorPort > 0 ? { inspectorPort } : {}),
  ...(process.env.BENCH_AUTH_SECRET ? { env: { AUTH_SECRET: process.env.BENCH_AUTH_SECRET } } : {}),
  appModules:
    process.env.BENCH_ENTRY === "baselines"
      ? await baselineModules()
      : inspectorPort > 0 || process.env.BENCH_ENTRY === "none"
        ? []
        : watchingModules(),
});
process.once("SIGTERM", () => void running.stop().then(() => process.exit(0)));
console.log(READY);
