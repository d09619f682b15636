import { DAYS, dateDependentTests, isDay } from "./days.ts";
import { runOnDay } from "./vitest-on-day.ts";

// npm run test:days [-- "a Saturday" …]: runs the date-dependent tests on each day of
// scripts/days.ts, or on the named ones.
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !isDay(name));
if (unknown.length > 0) {
  console.error(`There is no day called ${unknown.join(", ")}: ${Object.keys(DAYS).join(", ")}.`);
  process.exit(1);
}
const files = { unit: [], workers: dateDependentTests() };
const tests = [];
for (const day of Object.keys(DAYS).filter(isDay))
  if (asked.length === 0 || asked.includes(day)) tests.push(...(await runOnDay(day, files)));

const failures = tests.filter(({ passed }) => !passed);
for (const { file, name } of failures) console.log(`  ${file} ${name}`);
console.log(`\n${tests.length - failures.length} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
