import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { inRoot } from "#scripts/paths.ts";
import { sized } from "./size.ts";

/** A measurement beside its baseline. `ratio` is value / baseline. The bench fails above `limit`. */
export type Measurement = {
  name: string;
  value: number;
  unit: string;
  baseline: number;
  ratio: number;
  limit?: number;
};

export type LoadResult = {
  requests: number;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  bytes: number;
};

/** Two URLs to compare: a page, and one that answers with less work. */
export type LoadComparison = { subject: string; baseline: string };

const RUNS = sized(5, 1);
const SECONDS_A_RUN = sized(3, 0.1);
const WARM_UP_SECONDS = sized(1, 0.1);
const CONNECTIONS = 16;

/**
 * Loads both servers in turns from a separate process, so that a noisy minute affects both. Returns
 * medians.
 */
export async function compareServers(
  name: string,
  contest: LoadComparison,
): Promise<Measurement[]> {
  const subject: LoadResult[] = [];
  const baseline: LoadResult[] = [];
  await load(contest.subject, WARM_UP_SECONDS);
  await load(contest.baseline, WARM_UP_SECONDS);
  for (let run = 0; run < RUNS; run += 1) {
    subject.push(await load(contest.subject, SECONDS_A_RUN));
    baseline.push(await load(contest.baseline, SECONDS_A_RUN));
  }
  return [
    measurement(`${name}: requests`, "1/s", subject, baseline, (run) => run.requestsPerSecond),
    measurement(`${name}: median`, "ms", subject, baseline, (run) => run.p50Ms),
    measurement(`${name}: 99th percentile`, "ms", subject, baseline, (run) => run.p99Ms),
  ];
}

function measurement(
  name: string,
  unit: string,
  subject: LoadResult[],
  baseline: LoadResult[],
  of: (run: LoadResult) => number,
): Measurement {
  const value = median(subject.map(of));
  const baselineMedian = median(baseline.map(of));
  return {
    name,
    value: rounded(value),
    unit,
    baseline: rounded(baselineMedian),
    ratio: rounded(value / baselineMedian),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The value that `share` percent of the values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil((sorted.length * share) / 100) - 1)] ?? Number.NaN;
}

/**
 * Returns the probability that one of `some` is larger than one of `others` (Mann-Whitney). 0.5
 * means no difference, 0 or 1 a complete one.
 */
export function rankOverlap(some: readonly number[], others: readonly number[]): number {
  let larger = 0;
  for (const one of some)
    for (const other of others) larger += one > other ? 1 : one === other ? 0.5 : 0;
  return larger / (some.length * others.length);
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

type LoadOptions = { headers?: Record<string, string>; connections?: number };

/** Asks a server for one URL over and over, from a separate process. */
export async function load(
  url: string,
  seconds: number,
  { headers = {}, connections = CONNECTIONS }: LoadOptions = {},
): Promise<LoadResult> {
  const child = spawn(
    process.execPath,
    [
      inRoot("bench", "load.ts"),
      url,
      String(seconds),
      String(connections),
      JSON.stringify(headers),
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
  const code = await new Promise<number>((resolve) =>
    child.on("close", (status) => resolve(status ?? 1)),
  );
  if (code !== 0) throw new Error(`the load on ${url} failed`);
  return JSON.parse(output) as LoadResult;
}

/** Starts a server in a separate process and waits until it prints `ready`. */
export function startServer(
  script: string,
  env: Record<string, string>,
  ready: string,
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [script], {
    cwd: inRoot(),
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
      if (output.includes(ready)) resolve(child);
    });
    child.once("exit", (code) => reject(new Error(`${script} ended with ${code}:\n${output}`)));
  });
}

export function stopServer(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
}

/** Repeats a call once: a kept-alive connection may be closed when it is used again. */
export async function retryOnce<Result>(act: () => Promise<Result>): Promise<Result> {
  return await act().catch((error: unknown) => {
    if (!(error instanceof TypeError)) throw error;
    return act();
  });
}

/**
 * Runs `bench/<name>.worker.ts` in workerd over real D1. Returns the JSON that it prints after its
 * name.
 */
export const measureInWorkerd = (name: string, env: Record<string, string> = {}): Promise<string> =>
  measureInProcess(
    name,
    [
      inRoot("node_modules", "vitest", "vitest.mjs"),
      "run",
      "--config",
      inRoot("bench", "vitest.config.ts"),
      `bench/${name}.worker.ts`,
    ],
    env,
  );

/**
 * Runs a script in a separate process. Returns the JSON that it prints after `bench.<name>`, and
 * ignores other output.
 */
export async function measureInProcess(
  name: string,
  script: string[],
  env: Record<string, string> = {},
): Promise<string> {
  const prefix = `bench.${name} `;
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...script], {
    cwd: inRoot(),
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
  const code = await new Promise<number>((resolve) =>
    child.on("close", (status) => resolve(status ?? 1)),
  );
  const found = output.split("\n").find((line) => line.includes(prefix));
  if (code !== 0 || !found) throw new Error(`the bench ${name} failed:\n${output.slice(-20_000)}`);
  return found.slice(found.indexOf(prefix) + prefix.length);
}

/**
 * Compares two times in milliseconds, where more is worse. `atLeast` is the minimum share of the
 * baseline's speed.
 */
export function speedMeasurement(
  name: string,
  { coreto, bare }: { coreto: readonly number[]; bare: readonly number[] },
  atLeast?: number,
): Measurement {
  const [value, baseline] = [median(coreto), median(bare)];
  const asked = atLeast === undefined ? "" : ` of ${Math.round(atLeast * 100)}%`;
  const shares = `${perSecond(value)} of ${perSecond(baseline)} a second, ${Math.round((baseline / value) * 100)}%${asked}`;
  return {
    name: `${name} (${shares})`,
    value: toCents(value),
    unit: "ms",
    baseline: toCents(baseline),
    ratio: toCents(value / baseline),
    ...(atLeast === undefined ? {} : { limit: toCents(1 / atLeast) }),
  };
}

const toCents = (value: number): number => Math.round(value * 100) / 100;
const perSecond = (ms: number): number => Math.round(1_000 / ms);

export function formatMeasurements(measurements: readonly Measurement[]): string {
  const rows = [
    ["", "Coreto", "baseline", "ratio", "limit"],
    ...measurements.map(({ name, value, unit, baseline, ratio, limit }) => [
      name,
      `${value} ${unit}`,
      `${baseline} ${unit}`,
      ratio.toFixed(2),
      limit === undefined ? "" : `${limit.toFixed(2)}${ratio > limit ? " EXCEEDED" : ""}`,
    ]),
  ];
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join("   "),
    )
    .join("\n");
}
