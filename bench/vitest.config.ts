import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { inRoot } from "#scripts/paths.ts";
import { BUNDLED_PACKAGES, workerTestOptions } from "#scripts/worker-test-options.ts";
import { SMALL } from "./size.ts";

/**
 * Runs the benches of `*.worker.ts` inside workerd, over real D1. `MANY_DB` is a second, large
 * database for comparison.
 */
export default defineConfig({
  define: { __LOCAL__: "true", __VERSION__: '"test"' },
  logLevel: "error",
  root: inRoot(),
  plugins: [
    cloudflareTest(async () => {
      const { miniflare } = workerTestOptions({
        BENCH_ENTRIES: Number(process.env.BENCH_ENTRIES ?? 0),
        [SMALL]: process.env[SMALL] ?? "",
        BENCH_CPU_URL: process.env.BENCH_CPU_URL ?? "",
        TEST_MIGRATIONS: await readD1Migrations(inRoot("drizzle", "migrations")),
        TEST_PSP_MIGRATIONS: await readD1Migrations(inRoot("workers", "sandbox-psp", "migrations")),
      });
      return {
        miniflare: {
          ...miniflare,
          d1Databases: { ...miniflare.d1Databases, MANY_DB: "coreto-bench-many" },
        },
      };
    }),
  ],
  test: {
    include: ["bench/**/*.worker.ts"],
    setupFiles: ["tests/support/worker-setup.ts"],
    deps: { optimizer: { ssr: { enabled: true, include: BUNDLED_PACKAGES } } },
    experimental: { fsModuleCache: true },
    testTimeout: 1_800_000,
  },
});
