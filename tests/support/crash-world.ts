import { onTestFinished } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { expectInvariantsToHold } from "./ledger-invariants.ts";
import { testContext } from "./context.ts";
import type { World } from "./context.ts";
import { crashPoints } from "./crash.ts";
import { testEnv } from "./worker-env.ts";

const worlds: World[] = [];
/** All worlds of a file share one database, so checking the test's last world checks them all. */
async function lastBooksHold(): Promise<void> {
  const last = worlds.splice(0).at(-1);
  if (last) await expectInvariantsToHold(last.ctx);
}

/**
 * Creates a world whose process may crash at any write or provider call. The ledger invariants are
 * checked when the test ends.
 */
export async function createCrashWorld(): Promise<{
  world: World;
  points: ReturnType<typeof crashPoints>;
}> {
  const points = crashPoints();
  const world = await testContext({ database: points.database });
  // The provider is another process. Only our calls to it crash, before or after their effect.
  (world.ctx as { payments: Context["payments"] }).payments = points.port(world.ctx.payments);
  // Each test registers its own hook. Files share this module, and a hook at module level would
  // apply to the first file only.
  if (worlds.length === 0) onTestFinished(lastBooksHold);
  worlds.push(world);
  return { world, points };
}

/**
 * Runs `scenario` once for each crash point, until one run passes them all. Returns the number of
 * crash points.
 */
export async function crashAtEveryPoint(
  scenario: (at: number) => Promise<"finished" | "crashed">,
): Promise<number> {
  for (let at = 1; at < 200; at += 1) {
    if ((await scenario(at)) === "finished") return at - 1;
  }
  throw new Error("the scenario never finished");
}

/** Runs the recovery after a restart: the provider resends its events and the crons run. */
export async function recoverAfterCrash(world: World): Promise<void> {
  await restartWorkers(world);
  await world.tick();
}

/** Loses the queues, as a crash may, and makes every waiting delivery and message due. */
export async function restartWorkers(world: World): Promise<void> {
  world.queued.splice(0);
  await testEnv.PSP_DB.prepare(
    "UPDATE deliveries SET next_attempt_at = 0 WHERE state = 'waiting'",
  ).run();
  await testEnv.DB.prepare(
    "UPDATE subscriptions SET enqueued_until = 0 WHERE enqueued_until IS NOT NULL",
  ).run();
  await testEnv.DB.prepare(
    "UPDATE inbox SET received_at = received_at - 60000 WHERE handled_at IS NULL",
  ).run();
  await testEnv.DB.prepare(
    "UPDATE outbox SET created_at = created_at - 60000 WHERE handled_at IS NULL",
  ).run();
}

/** The provider's charges of a payer, except canceled ones. */
export async function chargesAtProvider(
  world: World,
  payerId: string,
): Promise<{ id: string; reference: string }[]> {
  const ours = await world.env.DB.prepare("SELECT id FROM charges WHERE payer_id = ?")
    .bind(payerId)
    .all<{ id: string }>();
  const references = JSON.stringify(ours.results.map(({ id }) => id));
  return (
    await testEnv.PSP_DB.prepare(
      "SELECT id, reference FROM charges WHERE reference IN (SELECT value FROM json_each(?)) AND status <> 'canceled'",
    )
      .bind(references)
      .all<{ id: string; reference: string }>()
  ).results;
}
