import { DAYS } from "./days.ts";
import type { Day } from "./days.ts";
import { runVitest } from "./vitest-run.ts";
import type { TestResult } from "./vitest-run.ts";

/**
 * Runs the files of each project with a clock that starts on `day`; each test's name contains the
 * day.
 */
export async function runOnDay(
  day: Day,
  files: Record<"unit" | "workers", readonly string[]>,
): Promise<TestResult[]> {
  console.log(`\n${day}: TEST_NOW=${DAYS[day]}`);
  const before = process.env.TEST_NOW;
  process.env.TEST_NOW = DAYS[day];
  try {
    const results = [
      ...(await runVitest("unit", { filters: files.unit })),
      ...(await runVitest("workers", { filters: files.workers })),
    ];
    return results.map((one) => ({ ...one, name: `${one.name} (on ${day})` }));
  } finally {
    if (before === undefined) delete process.env.TEST_NOW;
    else process.env.TEST_NOW = before;
  }
}
