import { afterEach, beforeEach, vi } from "vitest";
import { expectInvariantsAgain, expectMoneyInvariants } from "./ledger-invariants.ts";
import { beginTest, cleanStorage, endTest } from "./clean-storage.ts";
import { testClock } from "./clock.ts";
import { testEnv } from "./worker-env.ts";

// A build replaces these two names with their values. workerd under vitest reads them as globals.
Object.assign(globalThis, { __LOCAL__: true, __VERSION__: "test" });

// Runs before each test file. Files share a workerd and its modules, because loading these takes
// longer than running most files. Files must not share stored rows or stubs.
vi.useRealTimers();
vi.unstubAllGlobals();
// A test that failed in its last hook never called `endTest`.
endTest();
await cleanStorage();

expectInvariantsAgain();
beforeEach(async () => await beginTest(testClock.now()));
afterEach(endTest);
afterEach(async () => await expectMoneyInvariants(testEnv.DB));
