import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { billingOverview } from "#app/domain/billing/details/queries.server.ts";
import { createCoupon } from "#app/domain/plans/commands/coupons.server.ts";
import { cancelSubscription } from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { startTrial } from "#app/domain/subscriptions/trials/commands/checkout.server.ts";
import { memberSubscriptions } from "#app/domain/subscriptions/queries.server.ts";
import { loadSubscriptionPage } from "#app/domain/subscriptions/history/queries/subscription-page.server.ts";
import { loadSubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { payAtBank, paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller, saveCpf } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import { createPlanChangeScenario, scheduledPlanChange } from "#tests/support/plan-changes.ts";
import { proposedPrice, priceChangeHelpers } from "#tests/support/price-changes.ts";
import type { PlanChangeScenario } from "#tests/support/plan-changes.ts";

let stage: PlanChangeScenario;
beforeEach(async () => {
  stage = await createPlanChangeScenario();
});
afterEach(() => expectInvariantsToHold(stage.world.ctx));

/**
 * What the list of next payments says, which is what the page of each says and what will be
 * charged.
 */
async function next({ id: personId }: TestPerson) {
  const { ctx } = stage.world;
  const [charge] = (await billingOverview(ctx, { personId })).upcoming;
  if (!charge) throw new Error("nothing renews");
  expect(
    (await loadSubscriptionPage(ctx, { fanId: personId, subscriptionId: charge.id }))?.nextCents,
  ).toBe(charge.amountCents);
  expect(
    (await loadSubscriptionSnapshot(ctx, { subscriptionId: charge.id }))?.nextPaymentCents,
  ).toBe(charge.amountCents);
  return { amountCents: charge.amountCents, priceCents: charge.priceCents };
}

/**
 * Somebody who subscribed to Camarim, R$ 30,00, with a coupon of ten percent for `cycles` payments,
 * of which one is made.
 */
async function withCoupon(
  cycles: number,
  planIds: string[] | null = null,
): Promise<TestPerson & { subscriptionId: string }> {
  const { world, ana } = stage;
  const code = `FEIRA${cycles}${planIds?.length ?? 0}`;
  await createCoupon(world.ctx, {
    creatorId: ana.id,
    code,
    percent: 10,
    amountCents: null,
    cycles,
    usesLimit: null,
    expiresAt: null,
    planIds,
  });
  const fan = await createPerson(world.ctx, "Clara");
  const { chargeId } = await startSubscription(world.ctx, {
    memberId: fan.id,
    memberName: fan.name,
    planPriceId: ana.priceId,
    method: "pix",
    cardToken: null,
    coupon: code,
  });
  const charge = await chargeRow(world.ctx, { chargeId });
  await payAtBank(world, { providerChargeId: charge?.providerChargeId ?? "" });
  await world.drain();
  return { ...fan, subscriptionId: charge?.purchaseId ?? "" };
}

test("the next payment is listed with the coupon while that lasts", async () => {
  expect(await next(stage.bruno)).toEqual({ amountCents: 3_000, priceCents: 3_000 });
  expect(await next(await withCoupon(2))).toEqual({ amountCents: 2_700, priceCents: 3_000 });
  expect(await next(await withCoupon(1))).toEqual({ amountCents: 3_000, priceCents: 3_000 });
});

test("and with the change of plan that it brings, where the coupon is for that plan too", async () => {
  await scheduledPlanChange(stage.world.ctx, {
    fanId: stage.bruno.id,
    subscriptionId: stage.subscriptionId,
    planPriceId: stage.janela.prices.monthly,
  });
  expect(await next(stage.bruno)).toEqual({ amountCents: 900, priceCents: 900 });
  const clara = await withCoupon(3, [stage.ana.planId]);
  await scheduledPlanChange(stage.world.ctx, {
    fanId: clara.id,
    subscriptionId: clara.subscriptionId,
    planPriceId: stage.janela.prices.monthly,
  });
  expect(await next(clara)).toEqual({ amountCents: 900, priceCents: 900 });
});

/** "Quanto apoio por mês" of both screens that say it. */
async function monthly(fan: TestPerson): Promise<number> {
  const { ctx } = stage.world;
  const { monthlyCents } = await billingOverview(ctx, { personId: fan.id });
  expect(
    (await memberSubscriptions(ctx, { fanId: fan.id, cursor: null, limit: 1 })).monthlyCents,
  ).toBe(monthlyCents);
  return monthlyCents;
}

describe("what somebody supports a month is one figure on both screens", () => {
  test("of what renews at its price, whatever a coupon takes off for now", async () => {
    expect(await monthly(stage.bruno)).toBe(3_000);
    expect(await monthly(await withCoupon(2))).toBe(3_000);
  });

  test("with the change of plan that the next period brings", async () => {
    const { world, bruno, subscriptionId, janela } = stage;
    await scheduledPlanChange(world.ctx, {
      fanId: bruno.id,
      subscriptionId,
      planPriceId: janela.prices.monthly,
    });
    expect(await monthly(bruno)).toBe(900);
  });

  test("with the new price that was accepted for the next period", async () => {
    const { world } = stage;
    const [fan, theirs] = [
      await createPerson(world.ctx, "Davi"),
      await createSeller(world.ctx, { amountCents: 2_000, interval: "quarterly" }),
    ];
    const subscriptionId = (await paidSubscription(world, fan, theirs)).purchaseId;
    await proposedPrice(world, theirs, 2_500);
    expect(await monthly(fan)).toBe(667);
    await priceChangeHelpers(() => ({ world, fan, subscriptionId })).answer("accepted");
    expect(await monthly(fan)).toBe(833);
  });

  test("without free days, which are nobody's support yet, nor what was canceled", async () => {
    const { world, bruno, subscriptionId } = stage;
    const other = await createSeller(world.ctx, { trialDays: 7 });
    await saveCpf(world.ctx, bruno);
    await startTrial(world.ctx, {
      memberId: bruno.id,
      memberName: bruno.name,
      planPriceId: other.priceId,
      method: "pix",
      cardToken: null,
      trialDays: 7,
      amountCents: 1_990,
    });
    expect(await monthly(bruno)).toBe(3_000);
    await cancelSubscription(world.ctx, { fanId: bruno.id, subscriptionId });
    expect(await monthly(bruno)).toBe(0);
  });
});
