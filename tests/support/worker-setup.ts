import type { D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, vi } from "vitest";
import { booksAreWhole, expectMoneyToHold } from "./books.ts";
import { cleanBucket, cleanDatabase } from "./clean-storage.ts";

// A build replaces these two by their values; workerd under vitest looks them up.
Object.assign(globalThis, { __LOCAL__: true, __VERSION__: "test" });

type Given = { DB: D1Database; PSP_DB: D1Database; MEDIA: R2Bucket; TEST_MIGRATIONS: D1Migration[]; TEST_PSP_MIGRATIONS: D1Migration[] };

// Runs before each test file. Files share a workerd and its modules, which take longer to load than most files to run: never what another file stored or stubbed.
vi.useRealTimers();
vi.unstubAllGlobals();
const given = env as unknown as Given;
await cleanDatabase("DB", given.DB, given.TEST_MIGRATIONS);
await cleanDatabase("PSP_DB", given.PSP_DB, given.TEST_PSP_MIGRATIONS);
await cleanBucket(given.MEDIA);

booksAreWhole();
afterEach(async () => await expectMoneyToHold(given.DB));
