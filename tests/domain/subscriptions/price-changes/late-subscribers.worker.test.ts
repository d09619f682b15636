import { afterEach, beforeEach, expect, test } from "vitest";
import {
  cancelSubscription,
  reactivateSubscription,
} from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { cancelScheduledPlanChange } from "#app/domain/subscriptions/plan-changes/commands/schedule-change.server.ts";
import { notifyPriceChange } from "#app/domain/subscriptions/price-changes/commands/price-change.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { PRICE_NOTICE_DAYS } from "#app/domain/subscriptions/price-changes/rules.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { enqueuedIds } from "#tests/support/due.ts";
import { payAtBank, pixCheckout, paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { proposedPrice, newPrice, priceChangeHelpers } from "#tests/support/price-changes.ts";
import { otherPlan, scheduledPlanChange } from "#tests/support/plan-changes.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
let subscriptionId: string;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx, { amountCents: 3_000 });
  bruno = await createPerson(world.ctx, "Bruno");
  // The plan has another subscriber to ask.
  await paidSubscription(world, await createPerson(world.ctx, "Clara"), ana);
});
afterEach(() => expectInvariantsToHold(world.ctx));

const { memberIds, row, view, answer, consents, asks, emails, untilRenewal, renewals, nextCents } =
  priceChangeHelpers(() => ({ world, fan: bruno, subscriptionId }));

async function subscribes(): Promise<void> {
  subscriptionId = (await paidSubscription(world, bruno, ana)).purchaseId;
}

/** Runs the scheduler on the subscriptions that are due. */
async function look(): Promise<void> {
  expect(await enqueuedIds(world.ctx)).toContain(subscriptionId);
  await advanceSubscription(world.ctx, { subscriptionId });
  await world.drain();
}

test("a subscriber who was canceled at the price change is asked on reactivation, with the full notice period", async () => {
  await subscribes();
  await cancelSubscription(world.ctx, memberIds());
  await proposedPrice(world, ana, 4_000, "monthly");
  await world.advance(5 * DAY_MS);
  expect(await consents()).toEqual([]);
  await reactivateSubscription(world.ctx, memberIds());
  await world.drain();
  expect(await view()).toMatchObject({
    state: "asked",
    fromAmountCents: 3_000,
    toAmountCents: 4_000,
    mayAnswer: true,
  });
  expect((await view()).takesEffectAt).toBeGreaterThanOrEqual(
    world.ctx.now() + PRICE_NOTICE_DAYS * DAY_MS,
  );
  expect(await emails("pede um preço novo")).toHaveLength(1);
  expect((await asks(ana.planId))[0]).toMatchObject({ askedCount: 2 });
  expect(await row()).toMatchObject({ amountCents: 3_000, planPriceId: ana.priceId });
  // A subscriber is asked once, however often they cancel and reactivate.
  await answer("kept");
  await cancelSubscription(world.ctx, memberIds());
  await reactivateSubscription(world.ctx, memberIds());
  await world.drain();
  expect(await consents()).toMatchObject([{ state: "kept" }]);
  expect(await emails("pede um preço novo")).toHaveLength(1);
});

test("a subscriber who reactivates under a lower price pays that price and is notified", async () => {
  await subscribes();
  await cancelSubscription(world.ctx, memberIds());
  const planPriceId = await proposedPrice(world, ana, 2_500, "monthly");
  await reactivateSubscription(world.ctx, memberIds());
  await world.drain();
  expect(await row()).toMatchObject({ amountCents: 2_500, planPriceId });
  expect(await emails("mais barata")).toHaveLength(1);
});

test("a subscriber with a scheduled plan change is asked when they cancel that change", async () => {
  const janela = await otherPlan(world.ctx, ana.id, { name: "Janela", monthly: 1_500 });
  await subscribes();
  await scheduledPlanChange(world.ctx, { ...memberIds(), planPriceId: janela.prices.monthly });
  await advanceSubscription(world.ctx, { subscriptionId });
  await proposedPrice(world, ana, 4_000, "monthly");
  expect(await consents()).toEqual([]);
  await cancelScheduledPlanChange(world.ctx, memberIds());
  expect(await view()).toMatchObject({ state: "asked", toAmountCents: 4_000 });
});

test("a subscriber who changes to a plan at its old price is asked about the plan's price change", async () => {
  const janela = await otherPlan(world.ctx, ana.id, { name: "Janela", monthly: 1_500 });
  await paidSubscription(world, await createPerson(world.ctx, "Duda"), {
    ...ana,
    planId: janela.planId,
    priceId: janela.prices.monthly,
  });
  await subscribes();
  await scheduledPlanChange(world.ctx, { ...memberIds(), planPriceId: janela.prices.monthly });
  const toPriceId = await proposedPrice(world, { ...ana, planId: janela.planId }, 1_800, "monthly");
  await untilRenewal(-2 * DAY_MS);
  await payAtBank(world, { providerChargeId: (await renewals()).at(-1)?.providerChargeId ?? "" });
  await world.drain();
  await world.advance(3 * DAY_MS);
  await world.tick();
  expect(await row()).toMatchObject({ planId: janela.planId, amountCents: 1_500 });
  expect(await view()).toMatchObject({
    state: "asked",
    toPlanPriceId: toPriceId,
    toAmountCents: 1_800,
  });
});

test("a subscriber who paid a code from before the price change is asked too", async () => {
  const waiting = await pixCheckout(world, bruno, ana);
  subscriptionId = (await chargeRow(world.ctx, waiting))?.purchaseId ?? "";
  await proposedPrice(world, ana, 4_000, "monthly");
  await payAtBank(world, waiting);
  await world.drain();
  await look();
  expect(await view()).toMatchObject({ state: "asked", toAmountCents: 4_000 });
  expect(await nextCents()).toBe(3_000);
});

test("nobody is asked twice by the scheduler and the notification job, nor about a price nobody was asked for", async () => {
  await subscribes();
  await newPrice(world, ana, 3_500, "monthly");
  await world.advance(MINUTE_MS);
  await advanceSubscription(world.ctx, { subscriptionId });
  expect(await consents()).toEqual([]);
  await proposedPrice(world, ana, 4_000, "monthly");
  const [ask] = (await asks(ana.planId)).toReversed();
  await advanceSubscription(world.ctx, { subscriptionId });
  await notifyPriceChange(world.ctx, { askId: ask?.id ?? "" });
  expect(await consents()).toHaveLength(1);
});
