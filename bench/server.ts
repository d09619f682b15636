import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { startLocalProduct } from "#scripts/local-product.ts";
import type { StartOptions } from "#scripts/local-product.ts";
import { inRoot } from "#scripts/paths.ts";

const READY = "bench server ready";

const moduleOf = (...path: string[]): string =>
  stripTypeScriptTypes(readFileSync(inRoot(...path), "utf8"));

/** Modules that monitor the database, put before the built web worker. */
const watchingModules = (): StartOptions["appModules"] => [
  {
    name: "bench-entry.js",
    contents:
      'import app from "./index.js"; import { instrumentWorker } from "./bench-watched.js"; export * from "./index.js"; export default instrumentWorker(app);',
  },
  {
    name: "bench-watched.js",
    contents: moduleOf("bench", "instrumented-worker.ts").replace(
      "#tests/support/d1-recorder.ts",
      "./bench-tap.js",
    ),
  },
  { name: "bench-tap.js", contents: moduleOf("tests", "support", "d1-recorder.ts") },
];

// Serves the built product without crons, unless BENCH_TICK is "on", so that only requests are
// measured. Reports the database cost in response headers, or opens the runtime's inspector at
// BENCH_INSPECTOR_PORT.
const inspectorPort = Number(process.env.BENCH_INSPECTOR_PORT ?? 0);
const running = await startLocalProduct({
  port: Number(process.env.PORT),
  dataDirectory: process.env.CORETO_DATA_DIRECTORY ?? "",
  seed: false,
  tick: process.env.BENCH_TICK === "on",
  ...(inspectorPort > 0 ? { inspectorPort } : { appModules: watchingModules() }),
});
process.once("SIGTERM", () => void running.stop().then(() => process.exit(0)));
console.log(READY);
