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
 * The next payment in the billing list. It equals the one on the subscription's page and the one
 * that will be charged.
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
 * Creates a subscriber of the plan Camarim (R$ 30,00) with a coupon of ten percent for `cycles`
 * payments, one of them made.
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

test("the next payment has the coupon discount while the coupon lasts", async () => {
  expect(await next(stage.bruno)).toEqual({ amountCents: 3_000, priceCents: 3_000 });
  expect(await next(await withCoupon(2))).toEqual({ amountCents: 2_700, priceCents: 3_000 });
  expect(await next(await withCoupon(1))).toEqual({ amountCents: 3_000, priceCents: 3_000 });
});

test("the next payment follows a scheduled plan change, with the coupon if it is valid for the new plan", async () => {
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

/** The monthly total ("Quanto apoio por mês"). Asserts that both screens agree. */
async function monthly(fan: TestPerson): Promise<number> {
  const { ctx } = stage.world;
  const { monthlyCents } = await billingOverview(ctx, { personId: fan.id });
  expect(
    (await memberSubscriptions(ctx, { fanId: fan.id, cursor: null, limit: 1 })).monthlyCents,
  ).toBe(monthlyCents);
  return monthlyCents;
}

describe("the monthly total of a member's subscriptions, equal on both screens", () => {
  test("counts the renewal price without temporary coupon discounts", async () => {
    expect(await monthly(stage.bruno)).toBe(3_000);
    expect(await monthly(await withCoupon(2))).toBe(3_000);
  });

  test("uses the price of a scheduled plan change", async () => {
    const { world, bruno, subscriptionId, janela } = stage;
    await scheduledPlanChange(world.ctx, {
      fanId: bruno.id,
      subscriptionId,
      planPriceId: janela.prices.monthly,
    });
    expect(await monthly(bruno)).toBe(900);
  });

  test("uses a price accepted for the next period", async () => {
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

  test("excludes trials and canceled subscriptions", async () => {
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
