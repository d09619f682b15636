import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { runtimesOf } from "#scripts/data-directory.ts";
import { inRoot } from "#scripts/paths.ts";
import { freePortPair } from "#scripts/ports.ts";
import { publishPostByForm, signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import type { FormClient } from "#tests/support/form-client.ts";
import { FRESH_HEADER } from "./baseline-paths.ts";
import { FANS, JOURNEYS, monthlyBill } from "./cost-model.ts";
import type { Costs, Journey, JourneyCost } from "./cost-model.ts";
import { cpuTimeMs, descendantsOf } from "./cpu-time.ts";
import { measureInWorkerd, startServer, stopServer } from "./harness.ts";
import type { Measurement } from "./harness.ts";
import { DB_ROWS_HEADER, DB_WRITES_HEADER } from "./instrumented-worker.ts";
import { sized } from "./size.ts";

const VIEWS = sized(300, 2);
const WARM_UP = sized(100, 1);
/** Fewer than a member may give in a minute, with as many taken back. */
const LIKES = sized(40, 2);
const POSTS = sized(10, 1);

const cost = z.object({
  requests: z.number(),
  cpuMs: z.number().nullable(),
  rowsRead: z.number(),
  rowsWritten: z.number(),
  queueMessages: z.number(),
});
const measured = z.object({ subscribe: cost, renew: cost, payout: cost });
export type CostResult = z.infer<typeof measured>;

/**
 * Measures what each journey takes of the things that Cloudflare bills, and the monthly bill by the
 * model of `cost-model.ts`. Views and likes are asked of the whole product; payments run in workerd
 * with the sandbox provider. Processor time contains the local database and provider, so it is more
 * than Cloudflare would bill.
 */
export async function benchCost(): Promise<Measurement[]> {
  const costs: Costs = { ...(await costsOfPages()), ...(await costsOfPayments()) };
  return [
    ...JOURNEYS.flatMap((journey) => rowsOf(journey, costs[journey])),
    ...FANS.map((fans) =>
      figure(`bill of ${fans.toLocaleString("en")} fans`, monthlyBill(costs, fans).total, "$"),
    ),
  ];
}

const rowsOf = (journey: Journey, one: JourneyCost): Measurement[] => [
  figure(`${journey}: requests`, one.requests, ""),
  figure(`${journey}: CPU`, one.cpuMs, "ms"),
  figure(`${journey}: rows read`, one.rowsRead, ""),
  figure(`${journey}: rows written`, one.rowsWritten, ""),
  figure(`${journey}: queue messages`, one.queueMessages, ""),
];

/** A figure of its own, which is compared with nothing. */
const figure = (name: string, value: number, unit: string): Measurement => ({
  name,
  value: Math.round(value * 100) / 100,
  unit,
  baseline: Math.round(value * 100) / 100,
  ratio: 1,
});

type PageCosts = Pick<Costs, "cachedView" | "freshView" | "feed" | "like">;

async function costsOfPages(): Promise<PageCosts> {
  const directory = mkdtempSync(join(tmpdir(), "coreto-bench-cost-"));
  const port = await freePortPair();
  const server = await startServer(
    inRoot("bench", "server.ts"),
    { PORT: String(port), CORETO_DATA_DIRECTORY: directory, BENCH_SEED: "false" },
    "bench server ready",
  );
  try {
    return await pageCosts(`http://localhost:${port}`, runtimesOf(directory));
  } finally {
    await stopServer(server);
    rmSync(directory, { recursive: true, force: true });
  }
}

async function pageCosts(origin: string, runtimes: number[]): Promise<PageCosts> {
  const seller = await signUpSeller(origin);
  const posts: string[] = [];
  for (let seed = 1; seed <= POSTS; seed += 1) {
    const fields = { title: `Ensaio ${seed}`, visibility: "public" as const, seed };
    posts.push((await publishPostByForm(seller, fields)).id);
  }
  const fan = await signUpMember(origin, "Bia Sá");
  await fan.postAndFollow(`/space/${seller.username}/follow`, { following: "true" });
  const page = `/space/${seller.username}/public`;
  const [post = ""] = posts;
  const visitor = (headers: Record<string, string>) => () => fetch(origin + page, { headers });
  const like = (number: number) => likedBy(fan, post, number % 2 === 0);
  return {
    cachedView: { ...(await costOf(visitor({}), runtimes)), dataPoints: 1 },
    freshView: { ...(await costOf(visitor({ [FRESH_HEADER]: "1" }), runtimes)), dataPoints: 1 },
    feed: await costOf(() => fan.get("/"), runtimes),
    like: await costOf(like, runtimes, LIKES),
  };
}

const likedBy = (fan: FormClient, post: string, liked: boolean): Promise<Response> =>
  fan.post(`/post/${post}/like`, { liked: String(liked) });

/** Asks again and again, one at a time, and divides what that took. */
async function costOf(
  ask: (number: number) => Promise<Response>,
  runtimes: number[],
  times = VIEWS,
): Promise<JourneyCost> {
  const warmUp = Math.min(WARM_UP, times / 2);
  for (let number = 0; number < warmUp; number += 1) await (await ask(number)).text();
  const before = cpuTimeMs(runtimes);
  let [rowsRead, rowsWritten] = [0, 0];
  for (let number = 0; number < times; number += 1) {
    const answer = await ask(number + warmUp);
    if (answer.status >= 400) throw new Error(`${answer.url} answered ${answer.status}`);
    rowsRead += Number(answer.headers.get(DB_ROWS_HEADER));
    rowsWritten += Number(answer.headers.get(DB_WRITES_HEADER));
    await answer.text();
  }
  return {
    requests: 1,
    cpuMs: (cpuTimeMs(runtimes) - before) / times,
    rowsRead: rowsRead / times,
    rowsWritten: rowsWritten / times,
    queueMessages: 0,
    dataPoints: 0,
  };
}

/** Runs the journeys of money in workerd, which asks this process for its processor time. */
async function costsOfPayments(): Promise<Pick<Costs, "subscribe" | "renew" | "payout">> {
  const server = createServer((_, response) =>
    response.end(String(cpuTimeMs(descendantsOf(process.pid, "workerd")))),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const text = await measureInWorkerd("cost", { BENCH_CPU_URL: `http://127.0.0.1:${port}` });
    const { subscribe, renew, payout } = measured.parse(JSON.parse(text));
    return { subscribe: whole(subscribe), renew: whole(renew), payout: whole(payout) };
  } finally {
    server.close();
  }
}

const whole = (one: CostResult["subscribe"]): JourneyCost => ({
  ...one,
  cpuMs: one.cpuMs ?? Number.NaN,
  dataPoints: 0,
});
