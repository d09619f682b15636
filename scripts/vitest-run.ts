import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { z } from "zod";
import { inRoot, ROOT } from "./paths.ts";
import { scratchDirectory } from "./scratch.ts";

export type TestResult = {
  project: string;
  file: string;
  name: string;
  passed: boolean;
  tookMs: number;
  /** Counts by name (`task.meta.found`). */ found?: Record<string, number>;
};

const jsonReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          duration: z.number().nullish(),
          meta: z.looseObject({ found: z.record(z.string(), z.number()).default({}) }).optional(),
        }),
      ),
    }),
  ),
});

/**
 * Runs one of vitest's projects and returns each test. A file that could not run is one failure.
 * Prints failures with their logs; with `isTalkative` every file and every log, as they arrive.
 */
export async function runVitest(
  project: string,
  {
    filters = [],
    isTalkative = false,
  }: { filters?: readonly string[]; isTalkative?: boolean } = {},
): Promise<TestResult[]> {
  mkdirSync(inRoot(".tmp"), { recursive: true });
  const file = inRoot(".tmp", `vitest-${project}-${process.pid}.json`);
  rmSync(file, { force: true });
  const args = [
    "run",
    "--project",
    project,
    `--reporter=${isTalkative ? "default" : "minimal"}`,
    "--reporter=json",
    `--outputFile.json=${file}`,
    "--passWithNoTests",
    ...filters,
  ];
  const code = await new Promise<number>((resolve) => {
    const child = spawn(
      process.execPath,
      [inRoot("node_modules", "vitest", "vitest.mjs"), ...args],
      { cwd: ROOT, stdio: "inherit", env: testEnvironment() },
    );
    child.on("close", (status) => resolve(status ?? 1));
  });
  const results = readResults(project, file);
  rmSync(file, { force: true });
  if (code !== 0 && results.every(({ passed }) => passed)) {
    results.push({
      project,
      file: "",
      name: `vitest stopped with code ${code}`,
      passed: false,
      tookMs: 0,
    });
  }
  return results;
}

let scratch: string | null = null;

/** Room for new objects in workerd: tests make many that end at once. Saves 5% of its processor. */
const WORKERD_V8_FLAGS = "--min_semi_space_size=32";

/** Tests store files in a scratch directory; without a terminal the output has no colours. */
function testEnvironment(): NodeJS.ProcessEnv {
  scratch ??= scratchDirectory();
  const isPlain = !process.stdout.isTTY && process.env.FORCE_COLOR === undefined;
  return {
    MINIFLARE_WORKERD_V8_FLAGS: WORKERD_V8_FLAGS,
    ...process.env,
    TMPDIR: scratch,
    ...(isPlain ? { NO_COLOR: "1" } : {}),
  };
}

function readResults(project: string, file: string): TestResult[] {
  const report = jsonReport.safeParse(readJson(file));
  if (!report.success) return [];
  return report.data.testResults.flatMap((suite) => {
    const path = suite.name.replace(`${ROOT}/`, "");
    const tests = suite.assertionResults.map((test) => ({
      project,
      file: path,
      name: test.fullName,
      // A skipped test counts as a failure.
      passed: test.status === "passed",
      tookMs: test.duration ?? 0,
      found: test.meta?.found ?? {},
    }));
    const couldNotRun = suite.status === "failed" && tests.every(({ passed }) => passed);
    return couldNotRun
      ? [...tests, { project, file: path, name: `${path} could not run`, passed: false, tookMs: 0 }]
      : tests;
  });
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}
