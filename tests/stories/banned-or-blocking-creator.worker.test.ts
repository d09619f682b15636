import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { claimPayout } from "#app/domain/payouts/sending/commands/claim.server.ts";
import { requestScheduledPayouts } from "#app/domain/payouts/batches/commands/schedule.server.ts";
import { creatorBalances, payoutHistory } from "#app/domain/payouts/queries.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { requestSubscriptionCoolingOffRefund } from "#app/domain/subscriptions/cancellations/commands/cooling-off.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { people } from "#drizzle/schema/identity.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { planPrices } from "#drizzle/schema/plans.ts";
import { withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { blocks } from "#drizzle/schema/profiles.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { payAtBank, pixCheckout, paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

const ban = async () =>
  await world.ctx.db.update(people).set({ bannedAt: world.ctx.now() }).where(eq(people.id, ana.id));
const block = async () =>
  await world.ctx.db
    .insert(blocks)
    .values({ blockerId: ana.id, blockedId: bruno.id, createdAt: world.ctx.now() });
const shut: [string, () => Promise<unknown>][] = [
  ["was banned", () => ban()],
  ["blocked the payer", () => block()],
];

async function later(days: number): Promise<void> {
  await world.advance(days * DAY_MS);
  await world.tick();
  await world.tick();
}

describe.each(shut)("when the creator %s", (_, shutTheDoor) => {
  test("nobody is charged again, and the subscription expires at the end of the paid period", async () => {
    const { purchaseId } = await paidSubscription(world, bruno, ana);
    await shutTheDoor();
    await later(29);
    expect(await world.ctx.db.$count(charges, eq(charges.purchaseId, purchaseId))).toBe(1);
    await later(4);
    expect(
      await world.ctx.db
        .select({ status: subscriptions.status })
        .from(subscriptions)
        .where(eq(subscriptions.id, purchaseId)),
    ).toEqual([{ status: "expired" }]);
  });

  test("a payment made meanwhile is refunded", async () => {
    const waiting = await pixCheckout(world, bruno, ana);
    await shutTheDoor();
    await payAtBank(world, waiting);
    await world.drain();
    await world.tick();
    expect((await chargeRow(world.ctx, waiting))?.status).toBe("refunded");
    expect(
      await world.ctx.db.$count(
        subscriptions,
        and(eq(subscriptions.fanId, bruno.id), eq(subscriptions.status, "active")),
      ),
    ).toBe(0);
  });
});

test("a banned creator gets no payout, neither a scheduled one nor one requested before the ban", async () => {
  const scheduled = async (schedule: "manual" | "weekly") =>
    await world.ctx.db
      .update(withdrawalMethods)
      .set({ schedule })
      .where(eq(withdrawalMethods.creatorId, ana.id));
  const history = async () =>
    (await payoutHistory(world.ctx, { creatorId: ana.id, cursor: null, limit: 9 })).items.map(
      ({ status }) => status,
    );
  await scheduled("manual");
  await paidSubscription(world, bruno, ana);
  await world.advance(9 * DAY_MS);
  await world.tick();
  const { payoutId } = await requestPayout(world.ctx, { creatorId: ana.id });
  await ban();
  await claimPayout(world.ctx, { payoutId });
  expect(await history()).toEqual(["canceled"]);
  await scheduled("weekly");
  for (let day = 0; day < 8; day += 1) {
    await world.advance(DAY_MS);
    await requestScheduledPayouts(world.ctx);
  }
  expect(await history()).toEqual(["canceled"]);
  expect((await creatorBalances(world.ctx, { creatorId: ana.id })).availableCents).toBeGreaterThan(
    0,
  );
});

test("a cooling-off refund of a weekly plan refunds the renewal too", async () => {
  const { ctx } = world;
  await ctx.db.update(planPrices).set({ interval: "weekly" }).where(eq(planPrices.id, ana.priceId));
  const { purchaseId } = await paidSubscription(world, bruno, ana);
  await later(5);
  const [renewal] = await ctx.db
    .select()
    .from(charges)
    .where(and(eq(charges.purchaseId, purchaseId), eq(charges.status, "awaiting_payment")));
  await payAtBank(world, { providerChargeId: renewal?.providerChargeId ?? "" });
  await world.drain();
  await requestSubscriptionCoolingOffRefund(ctx, { fanId: bruno.id, subscriptionId: purchaseId });
  await world.drain();
  const statuses = await ctx.db
    .select({ status: charges.status })
    .from(charges)
    .where(eq(charges.purchaseId, purchaseId));
  expect(statuses).toEqual([{ status: "refunded" }, { status: "refunded" }]);
  expect(await creatorBalances(ctx, { creatorId: ana.id })).toMatchObject({
    pendingCents: 0,
    availableCents: 0,
    owedCents: 0,
  });
});
