import { applyD1Migrations } from "cloudflare:test";
import type { D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";

// A build replaces these two by their values; workerd under vitest looks them up.
Object.assign(globalThis, { __LOCAL__: true, __VERSION__: "test" });

type Migrated = { DB: D1Database; PSP_DB: D1Database; TEST_MIGRATIONS: D1Migration[]; TEST_PSP_MIGRATIONS: D1Migration[] };

// Runs before each test file; what is applied already is left alone.
const given = env as unknown as Migrated;
await applyD1Migrations(given.DB, given.TEST_MIGRATIONS);
await applyD1Migrations(given.PSP_DB, given.TEST_PSP_MIGRATIONS);
