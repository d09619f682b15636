import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { inRoot } from "./scripts/paths.ts";
import { onShiftedClock, setClockOffset } from "./scripts/shifted-clock.ts";
import { BUNDLED_PACKAGES, workerTestOptions } from "./scripts/worker-test-options.ts";

/** An ordinary Wednesday, at noon in São Paulo: when every test starts, unless TEST_NOW says. */
const TEST_NOW = "2026-11-11T15:00:00Z";
/** A provider's own test mode has the time of the world. */
const clockOffsetMs = process.env.CORETO_TEST_MODE
  ? 0
  : setClockOffset(process.env.TEST_NOW ?? TEST_NOW);
const clock = { setupFiles: ["tests/support/start-clock.ts"], provide: { clockOffsetMs } };

async function migrationsIn(...path: string[]) {
  const migrations = await readD1Migrations(inRoot(...path));
  return migrations.map(({ name, queries }) => ({
    name,
    queries: queries.map((query) => onShiftedClock(query, clockOffsetMs)),
  }));
}

const define = { __LOCAL__: "true", __VERSION__: '"test"' };
const never = ["node_modules/**", "build/**", ".data/**", ".tmp/**"];

/**
 * Three kinds of test, told apart by the name of the file (see tests/README.md):
 * `*.unit.test.ts(x)` in Node, `*.worker.test.ts` in workerd with real D1, R2, Images and queues,
 * `*.e2e.test.ts` in Chromium.
 */
export default defineConfig({
  test: {
    // `npm test` starts vitest more than twenty times: transform each module once.
    experimental: { fsModuleCache: true },
    projects: [
      // Only where `npm run test-mode` asks for it: it speaks to a provider's own test mode
      // (scripts/test-mode.ts).
      ...(process.env.CORETO_TEST_MODE
        ? [
            {
              define,
              test: {
                name: "test-mode",
                include: ["tests/test-mode/*.provider.ts"],
                exclude: never,
                environment: "node",
                testTimeout: 60_000,
                fileParallelism: false,
              },
            },
          ]
        : []),
      // Likewise `npm run chaos -- payouts` (scripts/chaos.ts): it kills the product many times.
      ...(process.env.CORETO_CHAOS
        ? [
            {
              define,
              test: {
                ...clock,
                name: "chaos",
                include: ["tests/chaos/*.chaos.ts"],
                exclude: never,
                environment: "node",
                fileParallelism: false,
              },
            },
          ]
        : []),
      {
        define,
        test: {
          ...clock,
          name: "unit",
          include: ["tests/**/*.unit.test.{ts,tsx}"],
          exclude: never,
          environment: "node",
          testTimeout: 15_000,
          isolate: false,
        },
      },
      {
        define,
        // A package whose source map names files that it does not ship is no news.
        logLevel: "error",
        plugins: [
          cloudflareTest(async () =>
            workerTestOptions({
              CHAOS: process.env.CORETO_CHAOS ?? "",
              TEST_MIGRATIONS: await migrationsIn("drizzle", "migrations"),
              TEST_PSP_MIGRATIONS: await migrationsIn("workers", "sandbox-psp", "migrations"),
            }),
          ),
        ],
        test: {
          name: "workers",
          include: ["tests/**/*.worker.test.ts"],
          exclude: never,
          ...clock,
          setupFiles: [...clock.setupFiles, "tests/support/worker-setup.ts"],
          globalSetup: ["tests/support/doubles/setup.ts"],
          // One module instead of several hundred for each file: most of a file's time is its
          // imports.
          deps: { optimizer: { ssr: { enabled: true, include: BUNDLED_PACKAGES } } },
          // Most of a file's time is its imports, which wait for the disk and for each other: two
          // at once, whatever the machine.
          maxWorkers: 2,
          isolate: false,
          // The first import of better-auth takes seconds.
          testTimeout: 90_000,
          hookTimeout: 60_000,
        },
      },
      {
        define,
        test: {
          name: "e2e",
          include: ["tests/**/*.e2e.test.ts"],
          exclude: never,
          environment: "node",
          globalSetup: ["tests/support/e2e-setup.ts"],
          setupFiles: ["tests/support/journey-setup.ts"],
          isolate: false,
          // A browser and its person wait for each other more than they compute: two at once, each
          // with people of its own.
          maxWorkers: 2,
          testTimeout: 240_000,
          hookTimeout: 120_000,
          // A journey waits for a state as long as the browser itself does.
          expect: { poll: { timeout: 60_000 } },
        },
      },
    ],
  },
});
