import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { creatorPlan } from "#app/domain/plans/queries.server.ts";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { requestSubscriptionCoolingOffRefund } from "#app/domain/subscriptions/cancellations/commands/cooling-off.server.ts";
import {
  AlreadySubscribed,
  NoSeatLeft,
  CannotSubscribeToYourself,
} from "#app/domain/subscriptions/errors.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { payAtBank, pixCheckout, paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";

let world: World;
beforeEach(async () => {
  world = await testContext();
});
afterEach(() => expectInvariantsToHold(world.ctx));

const asPix = (memberId: string, planPriceId: string) => ({
  memberId,
  memberName: "Bruno",
  planPriceId,
  method: "pix" as const,
  cardToken: null,
});

test("two paid checkouts of one plan make one subscription, and the second payment is refunded", async () => {
  const { ctx } = world;
  const ana = await createSeller(ctx);
  const bruno = await createPerson(ctx, "Bruno");
  const first = await pixCheckout(world, bruno, ana);
  await world.advance(HOUR_MS);
  await world.tick();
  const second = await pixCheckout(world, bruno, ana);
  await Promise.all([payAtBank(world, first), payAtBank(world, second)]);
  await world.drain();
  await world.tick();
  const settled = await Promise.all([first, second].map((one) => chargeRow(ctx, one)));
  expect(settled.map((charge) => charge?.status).toSorted()).toEqual(["refunded", "succeeded"]);
  const live = await ctx.db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.fanId, bruno.id), eq(subscriptions.status, "active")));
  expect(live).toHaveLength(1);
  expect(await creatorBalances(ctx, { creatorId: ana.id })).toMatchObject({
    pendingCents: 1_890,
    availableCents: 0,
    owedCents: 0,
  });
  expect((await creatorPlan(ctx, { planId: ana.planId, creatorId: ana.id }))?.seatsTaken).toBe(1);
});

describe("two checkout tabs of one plan", () => {
  const chargesOf = (payerId: string) =>
    world.ctx.db
      .select()
      .from(charges)
      .where(eq(charges.payerId, payerId))
      .orderBy(charges.createdAt, charges.id);

  test("make one charge and hold one seat, one after the other and at once, even the last seat", async () => {
    const { ctx } = world;
    const ana = await createSeller(ctx, { seatsLimit: 1 });
    const bruno = await createPerson(ctx, "Bruno");
    const tabs = await Promise.all(
      Array.from({ length: 5 }, () => startSubscription(ctx, asPix(bruno.id, ana.priceId))),
    );
    const again = await startSubscription(ctx, asPix(bruno.id, ana.priceId));
    expect(new Set([...tabs, again].map(({ chargeId }) => chargeId)).size).toBe(1);
    expect(await chargesOf(bruno.id)).toHaveLength(1);
    expect((await creatorPlan(ctx, { planId: ana.planId, creatorId: ana.id }))?.seatsTaken).toBe(1);
  });

  test("with different methods cancel the first charge at the provider, and hold one seat", async () => {
    const { ctx } = world;
    const ana = await createSeller(ctx, { seatsLimit: 1 });
    const bruno = await createPerson(ctx, "Bruno");
    const first = await pixCheckout(world, bruno, ana);
    const second = await startSubscription(ctx, {
      ...asPix(bruno.id, ana.priceId),
      method: "card",
    });
    expect(second.chargeId).not.toBe(first.chargeId);
    expect((await chargesOf(bruno.id)).map(({ status }) => status)).toEqual([
      "canceled",
      "requires_action",
    ]);
    expect((await ctx.payments.chargeById(first.providerChargeId)).status).toBe("canceled");
    expect((await creatorPlan(ctx, { planId: ana.planId, creatorId: ana.id }))?.seatsTaken).toBe(1);
  });

  test("return the paid charge when the first was paid just before the second checkout", async () => {
    const { ctx } = world;
    const ana = await createSeller(ctx);
    const bruno = await createPerson(ctx, "Bruno");
    const first = await pixCheckout(world, bruno, ana);
    await payAtBank(world, first);
    expect(
      await startSubscription(ctx, { ...asPix(bruno.id, ana.priceId), method: "card" }),
    ).toMatchObject({ chargeId: first.chargeId, status: "succeeded" });
    expect(await chargesOf(bruno.id)).toHaveLength(1);
    await world.drain();
  });
});

test("a subscriber of the creator, and the creator, cannot open a checkout", async () => {
  const ana = await createSeller(world.ctx);
  const bruno = await createPerson(world.ctx, "Bruno");
  await paidSubscription(world, bruno, ana);
  await expect(startSubscription(world.ctx, asPix(bruno.id, ana.priceId))).rejects.toThrow(
    AlreadySubscribed,
  );
  await expect(startSubscription(world.ctx, asPix(ana.id, ana.priceId))).rejects.toThrow(
    CannotSubscribeToYourself,
  );
});

test("the last seat is held while its Pix is payable, and free afterwards", async () => {
  const { ctx } = world;
  const ana = await createSeller(ctx, { seatsLimit: 1 });
  const [bruno, clara] = [await createPerson(ctx, "Bruno"), await createPerson(ctx, "Clara")];
  const late = await pixCheckout(world, bruno, ana);
  await expect(startSubscription(ctx, asPix(clara.id, ana.priceId))).rejects.toThrow(NoSeatLeft);
  await world.advance(HOUR_MS);
  await world.tick();
  expect((await chargeRow(ctx, late))?.status).toBe("expired");
  await paidSubscription(world, clara, ana);
  // The late Pix is paid without a free seat, so that it is refunded.
  await payAtBank(world, late);
  await world.drain();
  await world.tick();
  expect((await chargeRow(ctx, late))?.status).toBe("refunded");
  expect((await creatorPlan(ctx, { planId: ana.planId, creatorId: ana.id }))?.seatsTaken).toBe(1);
});

test("a late Pix is accepted while the plan is sold and has a seat", async () => {
  const { ctx } = world;
  const ana = await createSeller(ctx, { seatsLimit: 1 });
  const bruno = await createPerson(ctx, "Bruno");
  const late = await pixCheckout(world, bruno, ana);
  await world.advance(HOUR_MS);
  await world.tick();
  await payAtBank(world, late);
  await world.drain();
  expect((await chargeRow(ctx, late))?.status).toBe("succeeded");
  expect((await creatorPlan(ctx, { planId: ana.planId, creatorId: ana.id }))?.seatsTaken).toBe(1);
});

test("a cooling-off refund within seven days returns everything, fee included, and ends the access at once", async () => {
  const { ctx } = world;
  const ana = await createSeller(ctx);
  const bruno = await createPerson(ctx, "Bruno");
  const charge = await paidSubscription(world, bruno, ana);
  await world.advance(6 * DAY_MS);
  await requestSubscriptionCoolingOffRefund(ctx, {
    fanId: bruno.id,
    subscriptionId: charge.purchaseId,
  });
  await world.drain();
  expect(await chargeRow(ctx, { chargeId: charge.id })).toMatchObject({
    status: "refunded",
    refundedCents: 1_990,
    refundedFeeCents: 100,
  });
  expect(await creatorBalances(ctx, { creatorId: ana.id })).toMatchObject({
    pendingCents: 0,
    availableCents: 0,
    owedCents: 0,
  });
  const [subscription] = await ctx.db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.id, charge.purchaseId));
  expect(subscription?.status).toBe("expired");
});
