import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { schedulesDueOn } from "#app/domain/payouts/batches/rules/schedules.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { retryOnce } from "#bench/harness.ts";
import { startLocalProduct } from "#scripts/local-product.ts";
import type { RunningProduct } from "#scripts/local-product.ts";
import { freePortPair } from "#scripts/ports.ts";
import { crons } from "#scripts/topology.ts";
import { generatedCreatorStatements, saleStatements } from "#tests/support/many-creators.ts";
import { watchedIsolate } from "#tests/support/isolate-memory.ts";
import { sandboxAct } from "#tests/support/sandbox.ts";
import type { PayoutPlanningResult } from "./payout-planning.ts";

type PlanningProgress = { payouts: number; finished: number };
const SNAPSHOT_QUERY =
  "SELECT (SELECT COUNT(*) FROM payouts) AS payouts, (SELECT COUNT(*) FROM payout_batches WHERE finished_at IS NOT NULL) AS finished";
const STEP = 5_000;
const LOOK_EVERY_MS = 250;
const RUNS_AT_MOST = 10;
const GIVEN_UP_AFTER_MS = 600_000;

/**
 * Plans the payouts of `creators` creators by the built product's own cron, while its queue claims
 * the planned ones.
 */
async function planned(creators: number): Promise<PayoutPlanningResult> {
  const directory = mkdtempSync(join(tmpdir(), "coreto-bench-planning-"));
  const inspectorPort = await freePortPair();
  const coreto = await startLocalProduct({
    dataDirectory: directory,
    seed: false,
    tick: false,
    inspectorPort,
  });
  try {
    const database = (await coreto.miniflare.getD1Database("DB", "app")) as unknown as D1Database;
    const monday = await filledUntilMonday(coreto, database, creators);
    // The full ledger check runs before, as it does every night.
    await sandboxAct(coreto.origin, "clock", {
      to: new Date(monday - DAY_MS).toISOString(),
      run: false,
    });
    await cron(coreto);
    await sandboxAct(coreto.origin, "clock", { to: new Date(monday).toISOString(), run: false });
    const looked = () =>
      retryOnce(
        async () =>
          (await database.prepare(SNAPSHOT_QUERY).first<PlanningProgress>()) ?? {
            payouts: 0,
            finished: 0,
          },
      );
    const until = async (isReached: (now: PlanningProgress) => boolean): Promise<void> => {
      for (
        const deadline = performance.now() + GIVEN_UP_AFTER_MS;
        !isReached(await looked());
        await pause(LOOK_EVERY_MS)
      )
        if (performance.now() > deadline) throw new Error("the batch is not planned");
    };
    let runs = 0;
    const startedAt = performance.now();
    const { result, beforeBytes, highestBytes } = await watchedIsolate(
      inspectorPort,
      "payouts",
      async (highest) => {
        const quarter = until(({ payouts }) => payouts >= creators / 4).then(() => highest());
        const whole = until(({ finished }) => finished > 0).then(() => performance.now());
        // They are awaited once the runs are over.
        for (const late of [quarter, whole]) late.catch(() => undefined);
        for (; runs < RUNS_AT_MOST && (await looked()).finished === 0; runs += 1)
          await cron(coreto);
        return { quarterBytes: await quarter, endedAt: await whole };
      },
    );
    const { payouts, finished } = await looked();
    if (payouts !== creators || finished !== 1)
      throw new Error(`${payouts} payouts of ${creators} were planned in ${runs} runs`);
    return {
      creators,
      seconds: (result.endedAt - startedAt) / 1_000,
      runs,
      beforeBytes,
      quarterBytes: result.quarterBytes,
      highestBytes,
    };
  } finally {
    await coreto.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * Creates creators with available money, who are paid out on Mondays. Returns noon of the Monday
 * after the next one.
 */
async function filledUntilMonday(
  { origin }: RunningProduct,
  database: D1Database,
  creators: number,
): Promise<number> {
  let monday = Date.now() + 7 * DAY_MS;
  while (!schedulesDueOn(monday).includes("weekly")) monday += DAY_MS;
  const now = monday - 2 * DAY_MS;
  await sandboxAct(origin, "clock", { to: new Date(now).toISOString(), run: false });
  for (let from = 0; from < creators; from += STEP) {
    const who = { from, to: Math.min(from + STEP, creators) };
    for (const statement of [
      ...generatedCreatorStatements(who, { now }),
      ...saleStatements({ ...who, round: 1, now, provider: "sandbox" }),
    ])
      await database.prepare(statement).run();
  }
  return monday;
}

async function cron({ miniflare }: RunningProduct): Promise<void> {
  const worker = await miniflare.getWorker("payouts");
  for (const { worker: name, cron: expression } of crons())
    if (name === "payouts") await worker.scheduled({ cron: expression, scheduledTime: new Date() });
}

// Runs as a separate script, so that the logs of the workers are discarded.
console.log(`bench.ledger/planning ${JSON.stringify(await planned(Number(process.argv[2])))}`);
process.exit(0);
