import { execFileSync } from "node:child_process";
import { CHECKS, runChecks } from "./checks.ts";
import { ensureChromium } from "./chromium.ts";
import { calendarTests, daysInTurn } from "./days.ts";
import { ROOT } from "./paths.ts";
import { runOnDay } from "./vitest-on-day.ts";
import { runVitest } from "./vitest-run.ts";
import type { TestResult } from "./vitest-run.ts";

const SLOWEST_SHOWN = 10;

// Runs everything: checks, unit tests in Node, tests in workerd, journeys in Chromium, and the
// calendar tests on two other days. The last line is the real totals.
const startedAt = Date.now();
// Journeys mostly wait for the product and the browser, so they run while the others compute.
const journeys = browserTests();
const checks = await runChecks(Object.keys(CHECKS));
const tests = [
  ...(await runVitest("unit")),
  ...(await runVitest("workers")),
  ...(await onTwoDays()),
  ...(await journeys),
];
summarize();

/** Runs the calendar tests on two of the days of `npm run test:days`, which change with the commit. */
async function onTwoDays(): Promise<TestResult[]> {
  const [one, other] = daysInTurn(commit());
  const files = calendarTests();
  return [...(await runOnDay(one, files)), ...(await runOnDay(other, files))];
}

/** The tested commit; a copy without git always uses the same two days. */
function commit(): string {
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], { cwd: ROOT, encoding: "utf8" });
  } catch {
    return "";
  }
}

async function browserTests(): Promise<TestResult[]> {
  const chromium = ensureChromium();
  if ("path" in chromium) return runVitest("e2e");
  console.error(chromium.problem);
  return [{ project: "e2e", file: "", name: chromium.problem, passed: false, tookMs: 0 }];
}

function summarize(): void {
  const slowest = tests.toSorted((one, other) => other.tookMs - one.tookMs).slice(0, SLOWEST_SHOWN);
  console.log(`\nSlowest of ${((Date.now() - startedAt) / 1000).toFixed(0)} s:`);
  for (const { tookMs, project, name } of slowest)
    console.log(`  ${(tookMs / 1000).toFixed(2).padStart(7)} s  ${project.padEnd(7)}  ${name}`);
  const failures = [
    ...checks.filter(({ ok }) => !ok).map(({ name }) => `check ${name}`),
    ...tests.filter(({ passed }) => !passed).map(({ file, name }) => `${file} ${name}`),
  ];
  if (failures.length > 0)
    console.log(`\nFailed:\n${failures.map((line) => `  ${line}`).join("\n")}`);
  console.log(
    `\n${checks.length + tests.length - failures.length} passed, ${failures.length} failed`,
  );
  process.exitCode = failures.length === 0 ? 0 : 1;
}
