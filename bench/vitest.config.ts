import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { inRoot } from "#scripts/paths.ts";
import { workerTestOptions } from "#scripts/worker-test-options.ts";

/** The benches that run inside workerd, over real D1: `bench/*.worker.ts`. */
export default defineConfig({
  define: { __LOCAL__: "true", __VERSION__: '"test"' },
  root: inRoot(),
  plugins: [
    cloudflareTest(async () =>
      workerTestOptions({
        TEST_MIGRATIONS: await readD1Migrations(inRoot("drizzle", "migrations")),
        TEST_PSP_MIGRATIONS: await readD1Migrations(inRoot("workers", "sandbox-psp", "migrations")),
      }),
    ),
  ],
  test: { include: ["bench/*.worker.ts"], setupFiles: ["tests/support/worker-setup.ts"], testTimeout: 900_000 },
});
