import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runtimesOf } from "#scripts/data-directory.ts";
import { inRoot } from "#scripts/paths.ts";
import { freePortPair } from "#scripts/ports.ts";
import { publishPostByForm, signUpSeller } from "#tests/support/form-client.ts";
import { baselinePath, FRESH_HEADER } from "./baseline-paths.ts";
import type { Baseline } from "./baseline-paths.ts";
import { cpuTimeMs } from "./cpu-time.ts";
import { load, median, startServer, stopServer } from "./harness.ts";
import type { Measurement } from "./harness.ts";
import { sized } from "./size.ts";

/** The creator of the seed with the fullest page. */
const SEEDED_PATH = "/space/ana/public";
const ROUNDS = sized(5, 1);
const SECONDS_A_RUN = sized(3, 0.1);
const WARM_UP_SECONDS = sized(2, 0.1);
const CONNECTIONS = 8;

type Page = {
  name: string;
  path: string;
  isFresh?: boolean;
  baselineMedian: Baseline;
  /** See `baselinePath`. */
  isWorkerFirst: boolean;
};
type Run = { requestsPerSecond: number; p50Ms: number; cpuMs: number };
type Target = { url: string; headers: Record<string, string>; runs: Run[] };

/**
 * Measures the pages that are asked for most, each beside a baseline that is reached the same way:
 * requests a second, and the processor time of the local runtime for one, which another busy
 * process does not change much. No cron runs meanwhile.
 */
export async function benchPages(): Promise<Measurement[]> {
  const directory = mkdtempSync(join(tmpdir(), "coreto-bench-pages-"));
  const port = await freePortPair();
  const server = await startServer(
    inRoot("bench", "server.ts"),
    {
      PORT: String(port),
      CORETO_DATA_DIRECTORY: directory,
      BENCH_SEED: String(sized(true, false)),
      BENCH_ENTRY: "baselines",
    },
    "bench server ready",
  );
  try {
    const origin = `http://localhost:${port}`;
    return await measured(origin, await pagesOf(origin), runtimesOf(directory));
  } finally {
    await stopServer(server);
    rmSync(directory, { recursive: true, force: true });
  }
}

async function pagesOf(origin: string): Promise<Page[]> {
  const creator = sized(SEEDED_PATH, "") || (await publishedPage(origin));
  const post = await firstPostOf(origin, creator);
  const [isWorkerFirst, isFresh] = [true, true];
  return [
    { name: "creator page, cached", path: creator, baselineMedian: "cache", isWorkerFirst },
    { name: "creator page, fresh", path: creator, isFresh, baselineMedian: "empty", isWorkerFirst },
    { name: "public post, fresh", path: post, isFresh, baselineMedian: "empty", isWorkerFirst },
    { name: "/healthz", path: "/healthz", baselineMedian: "bare", isWorkerFirst: false },
    { name: "/auth/login", path: "/auth/login", baselineMedian: "empty", isWorkerFirst: false },
    {
      name: "/api/v1/posts?limit=10",
      path: "/api/v1/posts?limit=10",
      baselineMedian: "bare",
      isWorkerFirst,
    },
  ];
}

async function publishedPage(origin: string): Promise<string> {
  const seller = await signUpSeller(origin);
  await publishPostByForm(seller, { title: "O ensaio", visibility: "public", seed: 3 });
  return `/space/${seller.username}/public`;
}

async function firstPostOf(origin: string, creator: string): Promise<string> {
  const page = await (await fetch(origin + creator)).text();
  const post = new RegExp(`${creator}/(?!collections)[^"/?#]+`).exec(page)?.[0];
  if (!post) throw new Error(`${creator} shows no post`);
  return post;
}

/** Asks each target in turn, round by round, so that a busy minute of the machine meets all. */
async function measured(
  origin: string,
  pages: readonly Page[],
  runtimes: number[],
): Promise<Measurement[]> {
  const targets = new Map<string, Target>();
  const targetOf = (path: string, isFresh = false): Target => {
    const key = `${path} ${isFresh}`;
    const headers: Record<string, string> = isFresh ? { [FRESH_HEADER]: "1" } : {};
    const target = targets.get(key) ?? { url: `${origin}${path}`, headers, runs: [] };
    targets.set(key, target);
    return target;
  };
  const creator = pages[0]?.path ?? "";
  const rows = pages.map((page) => {
    const query = page.baselineMedian === "cache" ? `?of=${encodeURIComponent(creator)}` : "";
    return {
      name: `${page.name}, beside ${BASELINE_NAMES[page.baselineMedian]}`,
      page: targetOf(page.path, page.isFresh),
      baseline: targetOf(baselinePath(page.baselineMedian, page.isWorkerFirst) + query),
    };
  });
  for (const target of targets.values()) await asked(target, WARM_UP_SECONDS, runtimes);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const target of targets.values())
      target.runs.push(await asked(target, SECONDS_A_RUN, runtimes));
  return rows.flatMap(({ name, page, baseline }) => [
    compared(`${name}: requests`, "1/s", page, baseline, (run) => run.requestsPerSecond),
    compared(`${name}: CPU a request`, "ms", page, baseline, (run) => run.cpuMs),
    compared(`${name}: median`, "ms", page, baseline, (run) => run.p50Ms),
  ]);
}

const BASELINE_NAMES: Record<Baseline, string> = {
  bare: "a bare handler",
  cache: "a bare hit of the Cache API",
  empty: "an empty React Router page with one D1 query",
};

async function asked(target: Target, seconds: number, runtimes: number[]): Promise<Run> {
  const before = cpuTimeMs(runtimes);
  const result = await load(target.url, seconds, {
    headers: target.headers,
    connections: CONNECTIONS,
  });
  const { requestsPerSecond, p50Ms, requests } = result;
  return { requestsPerSecond, p50Ms, cpuMs: (cpuTimeMs(runtimes) - before) / requests };
}

function compared(
  name: string,
  unit: string,
  page: Target,
  baseline: Target,
  of: (run: Run) => number,
): Measurement {
  const value = median(page.runs.map(of));
  const baselineMedian = median(baseline.runs.map(of));
  return {
    name,
    value: rounded(value),
    unit,
    baseline: rounded(baselineMedian),
    ratio: rounded(value / baselineMedian),
  };
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
