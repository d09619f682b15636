import { afterEach, beforeEach, vi } from "vitest";
import { expectInvariantsAgain, expectMoneyInvariants } from "./ledger-invariants.ts";
import { beginTest, cleanStorage, endTest } from "./clean-storage.ts";
import { testClock } from "./clock.ts";
import { testEnv } from "./worker-env.ts";

// A build replaces these two by their values; workerd under vitest looks them up.
Object.assign(globalThis, { __LOCAL__: true, __VERSION__: "test" });

// Runs before each test file. Files share a workerd and its modules, which take longer to load than
// most files to run: never what another file stored or stubbed.
vi.useRealTimers();
vi.unstubAllGlobals();
// A test that failed in its last hook did not end.
endTest();
await cleanStorage();

expectInvariantsAgain();
beforeEach(async () => await beginTest(testClock.now()));
afterEach(endTest);
afterEach(async () => await expectMoneyInvariants(testEnv.DB));
