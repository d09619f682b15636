import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import {
  sumPlatformDay,
  sumRecentPlatformDays,
} from "#app/domain/analytics/platform/commands.server.ts";
import { creatorFunnel, platformDays } from "#app/domain/analytics/platform/queries.server.ts";
import { platformSums } from "#app/domain/analytics/platform/rules.ts";
import { DAY_MS, dayNumberOf } from "#app/domain/time.ts";
import { cleanDatabase } from "#tests/support/clean-storage.ts";
import { NOON_OF_NOVEMBER_11, testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { openDisputeOn } from "#tests/support/disputes.ts";
import { paidSubscription, pixCheckout } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const TODAY = dayNumberOf(Date.parse(NOON_OF_NOVEMBER_11));

let world: World;
beforeAll(async () => {
  await cleanDatabase("DB", testEnv.DB, []);
  world = await testContext({ startsAt: NOON_OF_NOVEMBER_11 });
  const { ctx } = world;
  const ana = await createSeller(ctx, { amountCents: 3_000 });
  await createPerson(ctx, "Lia");
  const charge = await paidSubscription(world, await createPerson(ctx, "Bruno"), ana);
  await pixCheckout(world, await createPerson(ctx, "Carla"), ana);
  await openDisputeOn(world, charge);
  await sumRecentPlatformDays(ctx);
});

const day = async () => platformSums(await platformDays(world.ctx, { from: TODAY, until: TODAY }));

test("a day of the platform has its volume, checkouts, disputes and active people", async () => {
  expect(await day()).toMatchObject({
    grossCents: 3_000,
    checkouts: [{ method: "pix", started: 2, paid: 1, paidInFiveMinutes: 1, paidInHour: 1 }],
    disputes: 1,
    activeCreators: 1,
    activeFans: 1,
  });
});

test("our part is what the ledger's fee accounts hold, to the centavo", async () => {
  const [held] = await world.ctx.db.all<{ cents: number }>(
    sql`SELECT -SUM(balance_cents) AS cents FROM ledger_accounts WHERE kind IN ('platform_fees', 'fees_reserved')`,
  );
  expect((await day()).feeCents).toBe(held?.cents);
});

test("a day summed again is the same", async () => {
  const before = await platformDays(world.ctx, { from: TODAY - 3, until: TODAY });
  await sumPlatformDay(world.ctx, { day: TODAY });
  await sumRecentPlatformDays(world.ctx);
  expect(await platformDays(world.ctx, { from: TODAY - 3, until: TODAY })).toEqual(before);
});

test("the funnel says how far new people came as creators", async () => {
  expect(await creatorFunnel(world.ctx)).toMatchObject({ registered: 5, opened: 1, sold: 1 });
});

test("a day without a row is left out, and nothing sums to zero", async () => {
  const none = await platformDays(world.ctx, { from: 0, until: TODAY - 3 * DAY_MS });
  expect(platformSums(none)).toMatchObject({ grossCents: 0, checkouts: [], failures: [] });
});
