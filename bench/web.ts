import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import lighthouse from "lighthouse";
import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";
import { ensureChromium } from "#scripts/chromium.ts";
import { inRoot } from "#scripts/paths.ts";
import { freePortPair } from "#scripts/ports.ts";
import { publishPostByForm, signUpSeller } from "#tests/support/form-client.ts";
import type { SellerClient } from "#tests/support/form-client.ts";
import { median, startServer, stopServer } from "./harness.ts";
import type { Measurement } from "./harness.ts";
import { sized } from "./size.ts";
import { interactionDelays } from "./web-interactions.ts";

/** Limits of a page. Source: issue 20, part 6. */
const SCORES = { performance: 99, accessibility: 100, "best-practices": 100, seo: 100 };
const LCP_MS = 1_200;
const TBT_MS = 50;
/** A layout shift of 0, but for rounding. */
const CLS = 0.001;
const INP_MS = 100;
/** Lighthouse's own figures differ from run to run. The median counts. */
const RUNS = sized(3, 1);
const MOST_PAGES = sized(Infinity, 1);

type Page = { name: string; path: string; cookies?: string; isPublic: boolean };
type Audited = { scores: Record<string, number>; lcpMs: number; tbtMs: number; cls: number };

/**
 * Opens the pages that people see first in Chromium, as Lighthouse simulates a phone on a slow
 * network, and acts on the pages of members with the processor of this machine. Needs Chromium.
 */
export async function benchWeb(): Promise<Measurement[]> {
  const directory = mkdtempSync(join(tmpdir(), "coreto-bench-web-"));
  const [port, debugging] = [await freePortPair(), await freePortPair()];
  const origin = `http://localhost:${port}`;
  const server = await startServer(
    inRoot("bench", "server.ts"),
    {
      PORT: String(port),
      CORETO_DATA_DIRECTORY: directory,
      BENCH_SEED: String(sized(true, false)),
    },
    "bench server ready",
  );
  const browser = await launch(debugging);
  try {
    const seller = await signUpSeller(origin);
    const post = await publishPostByForm(seller, {
      title: "O ensaio de domingo",
      visibility: "public",
      seed: 1,
    });
    const found: Measurement[] = [];
    for (const page of pagesOf(seller, post.id).slice(0, MOST_PAGES)) {
      const runs: Audited[] = [];
      for (let run = 0; run < RUNS; run += 1) runs.push(await audit(page, { origin, debugging }));
      found.push(...pageMeasurements(page, runs));
    }
    const delays = await interactionDelays(browser, { seller, postPath: post.path });
    return [...found, ...delays.map(({ name, delayMs }) => upTo(name, delayMs, "ms", INP_MS))];
  } finally {
    await browser.close();
    await stopServer(server);
    rmSync(directory, { recursive: true, force: true });
  }
}

async function launch(debuggingPort: number): Promise<Browser> {
  const found = ensureChromium();
  if ("problem" in found) throw new Error(found.problem);
  return await chromium.launch({
    executablePath: found.path,
    args: ["--no-sandbox", `--remote-debugging-port=${debuggingPort}`],
  });
}

/** The seeded creator's page is fuller than that of a new seller, which `--small` has. */
function pagesOf(seller: SellerClient, postId: string): Page[] {
  const creator = `/space/${sized("ana", seller.username)}`;
  return [
    { name: "/", path: "/", isPublic: true },
    { name: "/explore", path: "/explore", isPublic: true },
    { name: "creator page", path: `${creator}/public`, isPublic: true },
    {
      name: "public post",
      path: `/space/${seller.username}/public/${postId}`,
      isPublic: true,
    },
    {
      name: "checkout, as a visitor",
      path: `/checkout?plan=${seller.planId}`,
      isPublic: false,
    },
    { name: "feed, as a member", path: "/", cookies: seller.cookies(), isPublic: false },
  ];
}

async function audit(
  { name, path, cookies, isPublic }: Page,
  { origin, debugging }: { origin: string; debugging: number },
): Promise<Audited> {
  const result = await lighthouse(`${origin}${path}`, {
    port: debugging,
    output: "json",
    logLevel: "error",
    onlyCategories: isPublic ? Object.keys(SCORES) : ["performance"],
    ...(cookies ? { extraHeaders: { Cookie: cookies } } : {}),
  });
  if (!result || result.lhr.runtimeError)
    throw new Error(`${name}: ${result?.lhr.runtimeError?.message ?? "no result"}`);
  const { categories, audits } = result.lhr;
  const number = (id: string): number => audits[id]?.numericValue ?? Number.NaN;
  return {
    scores: Object.fromEntries(
      Object.values(categories).map(({ id, score }) => [id, Math.round((score ?? 0) * 100)]),
    ),
    lcpMs: number("largest-contentful-paint"),
    tbtMs: number("total-blocking-time"),
    cls: number("cumulative-layout-shift"),
  };
}

function pageMeasurements({ name, isPublic }: Page, runs: Audited[]): Measurement[] {
  const scores = Object.entries(SCORES).map(([category, atLeast]) => {
    const value = median(runs.map((run) => run.scores[category] ?? 0));
    return {
      name: `${name}: ${category}`,
      value,
      unit: "of 100",
      baseline: atLeast,
      ratio: rounded(atLeast / Math.max(value, 1)),
      limit: 1,
    };
  });
  return [
    ...(isPublic ? scores : []),
    upTo(`${name}: largest paint`, median(runs.map(({ lcpMs }) => lcpMs)), "ms", LCP_MS),
    upTo(`${name}: blocked`, median(runs.map(({ tbtMs }) => tbtMs)), "ms", TBT_MS),
    upTo(`${name}: layout shift`, median(runs.map(({ cls }) => cls)), "", CLS),
  ];
}

function upTo(name: string, value: number, unit: string, most: number): Measurement {
  return {
    name,
    value: rounded(value),
    unit,
    baseline: most,
    ratio: rounded(value / most),
    limit: 1,
  };
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
