import { spawnSync } from "node:child_process";
import { inRoot, ROOT } from "./paths.ts";
import { testModeProblem } from "./test-mode-keys.ts";

// npm run test-mode -- stripe|asaas: runs the provider contract tests against the provider's test
// mode, with the keys of the environment.
const [provider = ""] = process.argv.slice(2);
const problem = testModeProblem(provider, process.env);
if (problem) {
  console.error(problem);
  process.exit(1);
}
const vitest = inRoot("node_modules", "vitest", "vitest.mjs");
const { status } = spawnSync(
  process.execPath,
  [vitest, "run", "--project", "test-mode", `tests/test-mode/${provider}`],
  { cwd: ROOT, stdio: "inherit", env: { ...process.env, CORETO_TEST_MODE: provider } },
);
process.exitCode = status ?? 1;
