import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { openDatabase } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { invariantFindings } from "#app/domain/audit/queries/invariants.server.ts";
import { startLocalProduct } from "#scripts/local-product.ts";
import type { RunningProduct } from "#scripts/local-product.ts";
import { freePortPair, isPortFree } from "#scripts/ports.ts";
import { localVariables } from "#scripts/topology.ts";
import { createDice } from "#tests/support/chaos/scheduler.ts";
import { testClock } from "#tests/support/clock.ts";
import {
  generatedCreatorId,
  generatedCreatorStatements,
  saleAtSandboxStatement,
  saleNetCents,
  saleStatements,
} from "#tests/support/many-creators.ts";
import { sandboxAct } from "#tests/support/sandbox.ts";
import { serveCoreto } from "#tests/support/server.ts";

const asked = z
  .object({
    seed: z.number().int(),
    payouts: z.number().int().min(1).default(1_000),
    kills: z.number().int().min(1).default(25),
  })
  .parse(JSON.parse(process.env.CORETO_CHAOS ?? '{"seed":1}'));
/** A smaller run may end before its first kill. */
const IS_LONG = asked.kills >= 10 && asked.payouts >= 500;
/**
 * Latest time of a kill, so that kills cover the whole life of a batch: requested, claimed, sent
 * and settled.
 */
const LATEST_KILL_MS = IS_LONG ? 12_000 : 1_000;
/**
 * One creator in this many has a Pix key unknown to banks: the payout fails and the balance is
 * unchanged.
 */
const BAD_KEY_EVERY = 10;
const STORM = { api_error_percent: 10, timeout_percent: 10 };
/**
 * Runs between two checks of progress. Repeated failures back off up to half an hour of product
 * time, so fewer runs may show none.
 */
const RUNS_TOGETHER = 6;
/** This many checks in a row without another finished payout mean that the rest never finish. */
const STILL_AT_MOST = 4;
const ROUND = 1;

const dataDirectory = mkdtempSync(join(tmpdir(), "coreto-chaos-"));
afterAll(() => rmSync(dataDirectory, { recursive: true, force: true }));

type Databases = { product: D1Database; sandbox: D1Database };
/** A child of a killed process may hold the ports for a moment longer than its parent. */
const freed = (port: number) =>
  expect
    .poll(async () => (await isPortFree(port)) && (await isPortFree(port + 1)), { timeout: 30_000 })
    .toBe(true);

type Options = { port: number; dataDirectory: string; seed: boolean };
const databases = async ({ miniflare }: RunningProduct): Promise<Databases> => ({
  product: (await miniflare.getD1Database("DB", "app")) as D1Database,
  sandbox: (await miniflare.getD1Database("PSP_DB", "sandbox-psp")) as D1Database,
});

/** Returns noon of the next Monday in São Paulo, when weekly payouts go out. */
function nextMonday(): number {
  const day = new Date(testClock.now() + 86_400_000);
  day.setUTCDate(day.getUTCDate() + ((8 - day.getUTCDay()) % 7));
  return Date.parse(`${day.toISOString().slice(0, 10)}T15:00:00Z`);
}

/** Ignores a request that a kill may cut off. */
const mayDie = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined);

test(
  `${asked.kills} times kill -9 in a batch of ${asked.payouts} payouts, two runs of it at once, over a provider that loses calls and answers: each is paid once or not at all`,
  { timeout: 2_700_000 },
  async ({ task }) => {
    const port = await freePortPair();
    const options = { port, dataDirectory, seed: false };
    const { below } = createDice(asked.seed);
    const setUp = await startLocalProduct({ ...options, tick: false });
    await prepare(setUp);
    await setUp.stop();

    /** How many payouts were requested, and how many had finished, after each kill. */
    const fell: { asked: number; over: number }[] = [];
    for (let kill = 1; kill <= asked.kills; kill += 1) {
      await freed(options.port);
      const served = await serveCoreto(options);
      // Each run moves the clock a minute and runs every cron, while the ticker runs its own.
      const runs = [0, 1].map(() =>
        mayDie(sandboxAct(served.origin, "clock", { advance: "PT1M" })),
      );
      // The delay is the experiment, not a wait for a state.
      await after(below(LATEST_KILL_MS));
      await served.kill();
      await Promise.all(runs);
      const found = await counts(options);
      fell.push({ asked: found.asked, over: found.paid + found.failed });
      console.log(JSON.stringify({ event: "chaos.killed", kill, of: asked.kills, ...found }));
    }

    const { runs, underWay } = await finish(options);
    await freed(options.port);
    const coreto = await startLocalProduct({ ...options, tick: false });
    try {
      const paid = await paidOnce(coreto);
      const within = fell.filter((one) => one.asked > 0 && one.over < asked.payouts);
      const midway = within.filter(({ over }) => over > 0);
      Object.assign(task.meta, {
        found: {
          kills: asked.kills,
          "within the batch": within.length,
          "with some over and some not": midway.length,
          "asked for as the last kill came": underWay.asked,
          "of them claimed or further": underWay.asked - underWay.requested,
          "runs after it": runs,
          paid,
          "not at all": asked.payouts - paid,
        },
      });
      expect(paid).toBeGreaterThan(0);
      // Kills before the batch starts or after it ends test nothing. If most fall there, the delays
      // need new values.
      expect(within.length).toBeGreaterThanOrEqual(IS_LONG ? asked.kills / 2 : 0);
      expect(midway.length).toBeGreaterThanOrEqual(IS_LONG ? 1 : 0);
    } finally {
      await coreto.stop();
    }
  },
);

async function prepare(coreto: RunningProduct): Promise<void> {
  const { product, sandbox } = await databases(coreto);
  const now = nextMonday();
  const who = { from: 0, to: asked.payouts };
  await sandboxAct(coreto.origin, "clock", { to: new Date(now).toISOString(), run: false });
  for (const sql of [
    ...generatedCreatorStatements(who, { now, badKeyEvery: BAD_KEY_EVERY }),
    ...saleStatements({ ...who, round: ROUND, now, provider: "sandbox" }),
  ])
    await product.prepare(sql).run();
  await sandbox.prepare(saleAtSandboxStatement({ ...who, round: ROUND, now })).run();
  await sandboxAct(coreto.origin, "chaos", STORM);
}

type Counts = Record<
  "asked" | "requested" | "claimed" | "sent" | "paid" | "failed" | "transfers",
  number
>;

async function counts(options: Options): Promise<Counts> {
  await freed(options.port);
  const coreto = await startLocalProduct({ ...options, tick: false });
  try {
    const { product, sandbox } = await databases(coreto);
    const rows = await product
      .prepare("SELECT status, COUNT(*) AS count FROM payouts GROUP BY status")
      .all<{ status: string; count: number }>();
    const of = (status: string) => rows.results.find((row) => row.status === status)?.count ?? 0;
    const transfers =
      (await sandbox.prepare("SELECT COUNT(*) AS count FROM transfers").first<{ count: number }>())
        ?.count ?? 0;
    return {
      asked: rows.results.reduce((sum, { count }) => sum + count, 0),
      requested: of("requested"),
      claimed: of("claimed"),
      sent: of("sent"),
      paid: of("paid"),
      failed: of("failed"),
      transfers,
    };
  } finally {
    await coreto.stop();
  }
}

/**
 * Continues with the same provider until every payout finishes. Returns the number of runs and the
 * counts before them.
 */
async function finish(options: Options): Promise<{ runs: number; underWay: Counts }> {
  let [over, still] = [-1, 0];
  let underWay: Counts | null = null;
  for (let runs = 0; still < STILL_AT_MOST; runs += RUNS_TOGETHER) {
    const now = await counts(options);
    underWay ??= now;
    console.log(JSON.stringify({ event: "chaos.goes_on", runs, ...now }));
    if (now.asked === asked.payouts && now.paid + now.failed === asked.payouts)
      return { runs, underWay };
    still = now.paid + now.failed > over ? 0 : still + 1;
    over = now.paid + now.failed;
    await freed(options.port);
    const served = await serveCoreto(options);
    for (let run = 0; run < RUNS_TOGETHER; run += 1)
      await sandboxAct(served.origin, "clock", { advance: "PT10M" });
    await served.stop();
  }
  throw new Error(`nothing goes on after ${over} payouts`);
}

const listed = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      reference: z.string(),
      status: z.string(),
      amount_cents: z.number(),
      created_at: z.number(),
    }),
  ),
  has_more: z.boolean(),
});
type Transfer = z.infer<typeof listed>["data"][number];

/** Returns every transfer, from the provider's own list. */
async function transfersListed({ origin, sandboxOrigin }: RunningProduct): Promise<Transfer[]> {
  const { SANDBOX_API_KEY: key } = localVariables({
    host: "localhost",
    port: Number(new URL(origin).port),
    sandboxPort: 0,
    dataDirectory: "",
  });
  const found: Transfer[] = [];
  for (let page = 0; page < 1_000; page += 1) {
    const last = found.at(-1);
    const query = last ? `?since=${last.created_at}&after=${last.id}` : "";
    const { data, has_more: hasMore } = listed.parse(
      await (
        await fetch(`${sandboxOrigin}/v1/transfers${query}`, {
          headers: { authorization: `Bearer ${key}` },
        })
      ).json(),
    );
    found.push(...data);
    if (!hasMore) return found;
  }
  throw new Error("the list of transfers has no end");
}

/**
 * Checks each creator's payout, the provider's list and the ledger. Returns how many payouts
 * arrived.
 */
async function paidOnce(coreto: RunningProduct): Promise<number> {
  await sandboxAct(coreto.origin, "chaos", {});
  const { product } = await databases(coreto);
  const transfers = await transfersListed(coreto);
  const { results: payouts } = await product
    .prepare(
      "SELECT id, creator_id AS creatorId, status, amount_cents AS cents, provider_transfer_id AS transferId FROM payouts",
    )
    .all<{ id: string; creatorId: string; status: string; cents: number; transferId: string }>();
  const { results: left } = await product
    .prepare(
      "SELECT owner_id AS creatorId, -balance_cents AS cents FROM ledger_accounts WHERE kind = 'creator_available'",
    )
    .all<{ creatorId: string; cents: number }>();
  const leftOf = new Map(left.map(({ creatorId, cents }) => [creatorId, cents]));

  expect(new Set(payouts.map(({ creatorId }) => creatorId)).size).toBe(asked.payouts);
  const problems = Array.from({ length: asked.payouts }, (_, n) => {
    const netCents = saleNetCents(n, ROUND);
    const mine = payouts.filter(({ creatorId }) => creatorId === generatedCreatorId(n));
    const sent = transfers.filter(({ reference }) => mine.some(({ id }) => id === reference));
    const arrived = sent.filter(({ status }) => status === "paid");
    const isPaid =
      mine.length === 1 &&
      mine[0]?.status === "paid" &&
      sent.length === 1 &&
      arrived.length === 1 &&
      arrived[0]?.amount_cents === netCents &&
      arrived[0].id === mine[0].transferId &&
      leftOf.get(generatedCreatorId(n)) === 0;
    const isNotAtAll =
      n % BAD_KEY_EVERY === 0 &&
      mine.length === 1 &&
      mine[0]?.status === "failed" &&
      arrived.length === 0 &&
      leftOf.get(generatedCreatorId(n)) === netCents;
    return isPaid || isNotAtAll
      ? null
      : {
          creator: generatedCreatorId(n),
          netCents,
          mine,
          sent,
          left: leftOf.get(generatedCreatorId(n)),
        };
  });
  expect(problems.filter((problem) => problem !== null)).toEqual([]);

  const sumOf = (list: readonly { cents: number }[]) =>
    list.reduce((sum, { cents }) => sum + cents, 0);
  const arrived = transfers
    .filter(({ status }) => status === "paid")
    .map(({ amount_cents: cents }) => ({ cents }));
  expect(sumOf(arrived)).toBe(sumOf(payouts.filter(({ status }) => status === "paid")));
  expect(transfers.filter(({ reference }) => !payouts.some(({ id }) => id === reference))).toEqual(
    [],
  );

  const reading = {
    db: openDatabase(product),
    now: () => nextMonday(),
    realNow: () => testClock.now(),
    payments: { providers: [] },
  } as unknown as Context;
  expect((await invariantFindings(reading)).filter(({ rows }) => rows.length > 0)).toEqual([]);
  console.log(
    JSON.stringify({
      event: "chaos.verified",
      payouts: payouts.length,
      arrived: arrived.length,
      cents: sumOf(arrived),
    }),
  );
  return arrived.length;
}
