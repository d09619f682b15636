import { expect, test } from "vitest";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { payouts } from "#drizzle/schema/payouts.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { observeDatabase } from "#tests/support/d1-recorder.ts";
import { cardToken } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { eq } from "drizzle-orm";
import type { CostResult } from "./cost.ts";
import { sized } from "./size.ts";

const env = testEnv as typeof testEnv & { BENCH_CPU_URL: string };
const SELLERS = sized(20, 1, { ...testEnv });

const used = { rowsRead: 0, rowsWritten: 0 };

async function cpuMs(): Promise<number> {
  return Number(await (await fetch(env.BENCH_CPU_URL)).text());
}

/**
 * Divides what `work` takes by the number of its journeys. `requests` are those of the browser and
 * the provider; each queue message is one more invocation.
 */
async function costOf(
  requests: number,
  world: World,
  work: () => Promise<void>,
): Promise<CostResult["subscribe"]> {
  const before = { ...used, cpu: await cpuMs() };
  let queueMessages = 0;
  const { queued } = world;
  const push = queued.push.bind(queued);
  queued.push = (...messages) => ((queueMessages += messages.length), push(...messages));
  await work();
  queued.push = push;
  const cpu = (await cpuMs()) - before.cpu;
  return {
    requests,
    cpuMs: Number.isNaN(cpu) ? null : cpu / SELLERS,
    rowsRead: (used.rowsRead - before.rowsRead) / SELLERS,
    rowsWritten: (used.rowsWritten - before.rowsWritten) / SELLERS,
    queueMessages: queueMessages / SELLERS,
  };
}

/** Ends the first month: its renewals are charged, and its money becomes available. */
async function passMonth(world: World): Promise<void> {
  await world.advance(31 * DAY_MS);
  await world.tick();
  await world.tick();
}

test("cost", async () => {
  const world = await testContext({
    database: (binding) =>
      observeDatabase(binding, (trip) => {
        for (const { rowsRead, rowsWritten } of trip) {
          used.rowsRead += rowsRead;
          used.rowsWritten += rowsWritten;
        }
      }),
  });
  const { ctx } = world;
  const sellers: Seller[] = [];
  for (let made = 0; made < SELLERS; made += 1) sellers.push(await createSeller(ctx));
  const fan = await createPerson(ctx, "Bruno");
  const tokens: string[] = [];
  for (let made = 0; made < SELLERS; made += 1) tokens.push(await cardToken(world));
  await world.tick();

  // The page of the checkout, its form, the page after it, and the provider's webhook.
  const subscribe = await costOf(4, world, async () => {
    for (const [index, { priceId }] of sellers.entries())
      await startSubscription(ctx, {
        memberId: fan.id,
        memberName: fan.name,
        planPriceId: priceId,
        method: "card",
        cardToken: tokens[index] ?? "",
      });
    await world.drain();
  });
  const paid = () => ctx.db.$count(charges, eq(charges.status, "succeeded"));
  expect(await paid()).toBe(SELLERS);
  const renew = await costOf(1, world, () => passMonth(world));
  expect(await paid()).toBe(2 * SELLERS);
  const payout = await costOf(2, world, async () => {
    for (const { id: creatorId } of sellers) await requestPayout(ctx, { creatorId });
    await world.drain();
    await world.advance(600_000);
    await world.tick();
  });
  expect(await ctx.db.$count(payouts, eq(payouts.status, "paid"))).toBe(SELLERS);
  console.log(`bench.cost ${JSON.stringify({ subscribe, renew, payout } satisfies CostResult)}`);
});
