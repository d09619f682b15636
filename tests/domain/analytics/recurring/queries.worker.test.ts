import { afterEach, beforeEach, expect, test } from "vitest";
import { subscriptionMoves } from "#app/domain/analytics/moves/queries.server.ts";
import { recurringRevenue } from "#app/domain/analytics/recurring/queries.server.ts";
import { cancelSubscription } from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import {
  pauseSubscription,
  resumeSubscription,
} from "#app/domain/subscriptions/pauses/commands.server.ts";
import { startTrial } from "#app/domain/subscriptions/trials/commands/checkout.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { recurringDays } from "#drizzle/schema/analytics.ts";
import { NOON_OF_NOVEMBER_11, testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { countedDatabase } from "#tests/support/round-trips.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller, createTrialPerson } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { otherPlan, paidUpgrade } from "#tests/support/plan-changes.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext({ startsAt: NOON_OF_NOVEMBER_11 });
  ana = await createSeller(world.ctx, { amountCents: 3_000 });
  bruno = await createPerson(world.ctx, "Bruno");
});
// One of the invariants compares the totals with the subscriptions.
afterEach(async () => {
  await expectInvariantsToHold(world.ctx);
  await expectRowsToSumToDays();
});

/** Each day's sum is what its list shows, for every creator and kind. */
async function expectRowsToSumToDays(): Promise<void> {
  const days = await world.ctx.db.select().from(recurringDays);
  const sums = await Promise.all(
    days.map(async ({ creatorId, kind, day }) => {
      const { page, total, listedSince } = await subscriptionMoves(world.ctx, {
        creatorId,
        kind,
        from: day,
        until: day,
        cursor: null,
        limit: 100,
      });
      expect([page.next, listedSince]).toEqual([null, null]);
      const monthlyCents = page.items.reduce((sum, row) => sum + row.monthlyCents, 0);
      expect(total).toEqual({ count: page.items.length, monthlyCents });
      return { creatorId, kind, day, count: page.items.length, monthlyCents };
    }),
  );
  expect(sums).toEqual(days);
}

const revenue = async (creator: Seller = ana) =>
  await recurringRevenue(world.ctx, { creatorId: creator.id, months: 2 });

async function wait(days: number): Promise<void> {
  await world.advance(days * DAY_MS);
  await world.tick();
  await world.tick();
}

test("a creator without subscriptions has none, in months that are there", async () => {
  expect(await revenue()).toMatchObject({
    now: { count: 0, monthlyCents: 0 },
    byPlan: [],
    byMethod: [],
    churn: null,
    months: [
      { startCents: 0, endCents: 0 },
      { startCents: 0, endCents: 0 },
    ],
  });
});

test("a payment is new revenue, a dearer plan expands it, and its end is churn", async () => {
  const { purchaseId: subscriptionId } = await paidSubscription(world, bruno, ana);
  const { prices, planId } = await otherPlan(world.ctx, ana.id, { monthly: 6_000 });
  await paidUpgrade(world, {
    fanId: bruno.id,
    subscriptionId,
    planPriceId: prices.monthly,
  });
  expect(await revenue()).toMatchObject({
    now: { count: 1, monthlyCents: 6_000 },
    renewing: { count: 1, monthlyCents: 6_000 },
    byPlan: [{ planId, planName: "Palco", count: 1, monthlyCents: 6_000 }],
    byMethod: [{ method: "pix", count: 1, monthlyCents: 6_000 }],
    months: [
      { endCents: 0 },
      {
        moves: {
          new: { count: 1, monthlyCents: 3_000 },
          expansion: { count: 1, monthlyCents: 3_000 },
        },
        endCents: 6_000,
      },
    ],
  });

  await cancelSubscription(world.ctx, { fanId: bruno.id, subscriptionId });
  expect(await revenue()).toMatchObject({
    now: { count: 1, monthlyCents: 6_000 },
    renewing: { count: 0, monthlyCents: 0 },
  });

  await wait(40);
  const after = await revenue();
  expect(after).toMatchObject({ now: { count: 0, monthlyCents: 0 }, byPlan: [] });
  expect(after.months.at(-1)).toMatchObject({
    startCents: 6_000,
    startCount: 1,
    moves: { churn: { count: 1, monthlyCents: -6_000 } },
    endCents: 0,
    endCount: 0,
  });
});

test("who subscribes again, or comes back from a pause, is a reactivation", async () => {
  const { purchaseId: subscriptionId } = await paidSubscription(world, bruno, ana);
  await pauseSubscription(world.ctx, { fanId: bruno.id, subscriptionId });
  expect((await revenue()).now).toEqual({ count: 0, monthlyCents: 0 });
  await resumeSubscription(world.ctx, { fanId: bruno.id, subscriptionId });
  await cancelSubscription(world.ctx, { fanId: bruno.id, subscriptionId });
  await wait(70);
  await paidSubscription(world, bruno, ana);
  const rows = await world.ctx.db.select().from(recurringDays);
  const counted = (kind: string) =>
    rows.filter((row) => row.kind === kind).reduce((sum, { count }) => sum + count, 0);
  expect(["new", "reactivation", "churn"].map(counted)).toEqual([1, 2, 2]);
  expect((await revenue()).now).toEqual({ count: 1, monthlyCents: 3_000 });
});

test("a trial adds nothing, and nothing when it is canceled", async () => {
  const lia = await createSeller(world.ctx, { trialDays: 7 });
  const caio = await createTrialPerson(world.ctx, "Caio");
  const trial = await startTrial(world.ctx, {
    memberId: caio.id,
    memberName: caio.name,
    planPriceId: lia.priceId,
    method: "pix",
    cardToken: null,
    trialDays: 7,
  });
  if (trial.kind !== "began") throw new Error(`the trial is ${trial.kind}`);
  const { subscriptionId } = trial;
  expect((await revenue(lia)).now.count).toBe(0);
  await cancelSubscription(world.ctx, { fanId: caio.id, subscriptionId });
  expect((await revenue(lia)).now.count).toBe(0);
  await wait(10);
  expect((await revenue(lia)).months.at(-1)?.moves.churn.count).toBe(0);
});

test("it is read in one round trip", async () => {
  let counted: ReturnType<typeof countedDatabase> | undefined;
  const { ctx } = await testContext({
    database: (binding) => {
      counted = countedDatabase(binding);
      return counted.database;
    },
  });
  counted?.reset();
  await recurringRevenue(ctx, { creatorId: ana.id, months: 12 });
  expect(counted?.kinds()).toEqual(["select recurring_totals; select recurring_days"]);
});
