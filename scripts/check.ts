import { CHECKS, runChecks } from "./checks.ts";
import { runVitest } from "./vitest-run.ts";

// Runs the fast checks: `npm run check`, or only some: `npm run check types lint`.
const asked = process.argv.slice(2);
const results = await runChecks(asked.length > 0 ? asked : Object.keys(CHECKS));
const tests = asked.length > 0 ? [] : await runVitest("unit");
const outcomes = [...results.map(({ ok }) => ok), ...tests.map(({ passed }) => passed)];
const failed = outcomes.filter((ok) => !ok).length;
console.log(`${outcomes.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
