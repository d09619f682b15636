import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { archivePlan } from "#app/domain/plans/commands.server.ts";
import { createCoupon } from "#app/domain/plans/commands/coupons.server.ts";
import {
  cancelSubscription,
  reactivateSubscription,
} from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { closeSubscription } from "#app/domain/subscriptions/endings/commands/close.server.ts";
import {
  pauseSubscription,
  resumeSubscription,
} from "#app/domain/subscriptions/pauses/commands.server.ts";
import { startPlanChange } from "#app/domain/subscriptions/plan-changes/commands/start.server.ts";
import { PaymentDeclined, SubscriptionNotFound } from "#app/domain/subscriptions/errors.ts";
import {
  PlanChangeOutdated,
  PlanChangeRefused,
} from "#app/domain/subscriptions/plan-changes/errors.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { chargePeriods } from "#drizzle/schema/payments.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import type { World } from "#tests/support/context.ts";
import { cardToken, payAtBank, paidSubscription } from "#tests/support/payments.ts";
import { createPerson } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import {
  planChangeOfferNow,
  planChangeHelpers,
  createPlanChangeScenario,
  otherPlan,
  subscriptionOfId,
  openUpgrade,
  paidUpgrade,
} from "#tests/support/plan-changes.ts";
import type { OtherPlan, PlanChangeScenario } from "#tests/support/plan-changes.ts";

let stage: PlanChangeScenario;
let world: World;
let ana: Seller;
let subscriptionId: string;
let palco: OtherPlan;
beforeEach(async () => {
  stage = await createPlanChangeScenario();
  ({ world, ana, subscriptionId, palco } = stage);
});
afterEach(() => expectInvariantsToHold(world.ctx));

const {
  row,
  wait,
  memberIds,
  to,
  untilRenewal,
  renewal,
  statusOf,
  states,
  notified,
  seats,
  heldCents,
} = planChangeHelpers(() => stage);

/** A plan so expensive that its last two days can be charged for in a month of any length. */
const dearest = () => otherPlan(world.ctx, ana.id, { name: "Plateia", monthly: 9_000 });

describe("an upgrade that takes effect now", () => {
  test("charges the difference of the remaining days, keeps the period, and moves plan and seats once paid", async () => {
    await wait(10 * DAY_MS);
    const before = await row();
    const { quote } = await planChangeOfferNow(world.ctx, to(palco.prices.monthly));
    if (quote.happens !== "now") throw new Error("it waits");
    expect(quote).toMatchObject({
      keepsPeriod: true,
      nextChargeAt: before.currentPeriodEndsAt,
      nextCents: 6_000,
    });
    const { total, left } = quote.days;
    expect(quote.creditCents).toBe(Math.floor((2 * 3_000 * left + total) / (2 * total)));
    expect(quote.costCents).toBe(Math.floor((2 * 6_000 * left + total) / (2 * total)));
    expect(quote.dueCents).toBe(quote.costCents - quote.creditCents);
    const code = await openUpgrade(world.ctx, to(palco.prices.monthly));
    expect(code).toMatchObject({
      amountCents: quote.dueCents,
      purchaseKind: "plan_change",
      description: "Diferença da mudança para o plano Palco, de Ana Lira",
    });
    expect(await seats()).toEqual([1, 1, 0]);
    expect((await row()).planId).toBe(ana.planId);
    await payAtBank(world, code);
    await world.drain();
    expect(await row()).toMatchObject({
      status: "active",
      planId: palco.planId,
      amountCents: 6_000,
      interval: "monthly",
      currentPeriodStartsAt: before.currentPeriodStartsAt,
      currentPeriodEndsAt: before.currentPeriodEndsAt,
      accessUntil: before.accessUntil,
      anchorAt: before.anchorAt,
    });
    expect(await seats()).toEqual([0, 1, 0]);
    expect(await states()).toEqual(["done"]);
    expect(await notified("subscription.plan_changed")).toEqual([
      "Você mudou de Camarim para Palco, de Ana Lira: R$\u00a060,00 por mês.",
    ]);
    expect(await notified("subscription.plan_changed", ana.id)).toEqual([
      "Bruno mudou do plano Camarim para o Palco.",
    ]);
    await untilRenewal(-2 * DAY_MS);
    expect(await renewal()).toMatchObject({
      amountCents: 6_000,
      description: "Assinatura Palco, de Ana Lira",
    });
  });

  test("creates one charge for several tabs, and abandons it when another plan is chosen", async () => {
    const tabs = await Promise.all(
      Array.from({ length: 4 }, () =>
        startPlanChange(world.ctx, {
          ...to(palco.prices.monthly),
          payerName: "Bruno",
          method: "pix",
          cardToken: null,
        }),
      ),
    );
    const [chargeId = "", ...others] = new Set(tabs.map((tab) => tab.chargeId));
    expect(others).toEqual([]);
    expect((await openUpgrade(world.ctx, to(palco.prices.monthly))).id).toBe(chargeId);
    const annual = await openUpgrade(world.ctx, to(palco.prices.annual));
    expect(annual.id).not.toBe(chargeId);
    expect((await chargeRow(world.ctx, { chargeId }))?.status).toBe("canceled");
    expect(await seats()).toEqual([1, 1, 0]);
    expect(await states()).toEqual(["over", "open"]);
  });

  test("an expired code frees its seat; paid late it is honoured on its day and refunded after it", async () => {
    const code = await openUpgrade(world.ctx, to(palco.prices.monthly));
    await wait(HOUR_MS);
    expect(await statusOf(code.id)).toBe("expired");
    expect(await seats()).toEqual([1, 0, 0]);
    expect(await states()).toEqual(["over"]);
    expect((await row()).planId).toBe(ana.planId);
    await world.advance(2 * DAY_MS);
    await payAtBank(world, code);
    await world.drain();
    await world.tick();
    expect(await statusOf(code.id)).toBe("refunded");
    expect(await row()).toMatchObject({ planId: ana.planId, amountCents: 3_000 });
  });

  test("refuses an outdated price or date, and another member's subscription", async () => {
    await expect(
      startPlanChange(world.ctx, {
        ...to(palco.prices.monthly),
        payerName: "Bruno",
        method: "pix",
        cardToken: null,
        amountCents: 1,
      }),
    ).rejects.toThrow(PlanChangeOutdated);
    await expect(
      startPlanChange(world.ctx, {
        ...to(palco.prices.monthly),
        fanId: ana.id,
        payerName: "Ana",
        method: "pix",
        cardToken: null,
      }),
    ).rejects.toThrow(SubscriptionNotFound);
    await expect(openUpgrade(world.ctx, to(ana.priceId))).rejects.toThrow(PlanChangeRefused);
    await archivePlan(world.ctx, { creatorId: ana.id, planId: palco.planId });
    await expect(openUpgrade(world.ctx, to(palco.prices.monthly))).rejects.toThrow(
      "Este plano não está à venda.",
    );
    expect(await states()).toEqual([]);
  });

  test("a declined card changes nothing and frees the seat", async () => {
    const declined = await cardToken(world, "4000000000000002");
    await expect(
      startPlanChange(world.ctx, {
        ...to(palco.prices.monthly),
        payerName: "Bruno",
        method: "card",
        cardToken: declined,
      }),
    ).rejects.toThrow(PaymentDeclined);
    expect(await seats()).toEqual([1, 0, 0]);
    await startPlanChange(world.ctx, {
      ...to(palco.prices.monthly),
      payerName: "Bruno",
      method: "card",
      cardToken: await cardToken(world),
    });
    await world.drain();
    expect(await row()).toMatchObject({ planId: palco.planId, method: "pix" });
    expect(await seats()).toEqual([0, 1, 0]);
  });

  test("refuses a full plan, and gives the last seat to one of two concurrent requests", async () => {
    const carla = await createPerson(world.ctx, "Carla");
    const carlas = (await paidSubscription(world, carla, ana)).purchaseId;
    const dora = await createPerson(world.ctx, "Dora");
    const doras = (await paidSubscription(world, dora, ana)).purchaseId;
    const tries = await Promise.allSettled([
      openUpgrade(world.ctx, to(palco.prices.monthly)),
      openUpgrade(world.ctx, {
        fanId: carla.id,
        subscriptionId: carlas,
        planPriceId: palco.prices.monthly,
      }),
      openUpgrade(world.ctx, {
        fanId: dora.id,
        subscriptionId: doras,
        planPriceId: palco.prices.monthly,
      }),
    ]);
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    expect(tries.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { message: "Os lugares deste plano acabaram." },
    });
    expect((await seats())[1]).toBe(2);
  });

  test("sends no renewal while it is open; cancels a sent one and sends it again at the new price", async () => {
    await untilRenewal(-2 * DAY_MS);
    const sent = await renewal();
    expect(sent?.amountCents).toBe(3_000);
    const code = await openUpgrade(world.ctx, to((await dearest()).prices.monthly));
    expect(await statusOf(sent?.id)).toBe("canceled");
    await world.tick();
    expect(await renewal()).toBeUndefined();
    await payAtBank(world, code);
    await world.drain();
    await world.tick();
    expect(await renewal()).toMatchObject({ amountCents: 9_000 });
  });

  test("refunds the difference when a canceled renewal is paid: nothing is paid twice", async () => {
    await untilRenewal(-2 * DAY_MS);
    const sent = await renewal();
    const code = await openUpgrade(world.ctx, to((await dearest()).prices.monthly));
    await payAtBank(world, { providerChargeId: sent?.providerChargeId ?? "" });
    await world.drain();
    expect((await row()).planId).toBe(ana.planId);
    await payAtBank(world, code);
    await world.drain();
    await world.tick();
    expect(await statusOf(code.id)).toBe("refunded");
    expect(await seats()).toEqual([1, 0, 0]);
  });

  test("is refunded when the subscription was canceled or paused before the code is paid", async () => {
    const first = await openUpgrade(world.ctx, to(palco.prices.monthly));
    await cancelSubscription(world.ctx, memberIds());
    expect(await seats()).toEqual([1, 0, 0]);
    await payAtBank(world, first);
    await world.drain();
    await world.tick();
    expect(await statusOf(first.id)).toBe("refunded");
    await reactivateSubscription(world.ctx, memberIds());
    const second = await openUpgrade(world.ctx, to(palco.prices.monthly));
    await pauseSubscription(world.ctx, memberIds());
    await payAtBank(world, second);
    await world.drain();
    await world.tick();
    expect(await statusOf(second.id)).toBe("refunded");
    expect(await row()).toMatchObject({ status: "paused", planId: ana.planId });
    expect(await states()).toEqual(["over", "over"]);
  });

  test.each(["past_due", "requires_action", "paused", "canceled", "trialing", "upcoming"])(
    "is refused with a message while %s",
    async (status) => {
      await world.ctx.db
        .update(subscriptions)
        .set({ status, resumesAt: world.ctx.now() + DAY_MS, pausedAt: world.ctx.now() })
        .where(eq(subscriptions.id, subscriptionId));
      await expect(openUpgrade(world.ctx, to(palco.prices.monthly))).rejects.toThrow(
        PlanChangeRefused,
      );
      await world.ctx.db
        .update(subscriptions)
        .set({ status: "active", resumesAt: null, pausedAt: null })
        .where(eq(subscriptions.id, subscriptionId));
    },
  );
});

describe("a plan change to another interval", () => {
  test("starts a new period today with credit for the unused days, and the payments sum to the price of what was sold", async () => {
    await wait(10 * DAY_MS);
    const { quote } = await planChangeOfferNow(world.ctx, to(palco.prices.annual));
    if (quote.happens !== "now") throw new Error("it waits");
    expect(quote).toMatchObject({ keepsPeriod: false, costCents: 60_000, nextCents: 60_000 });
    const paidAt = world.ctx.now();
    await paidUpgrade(world, to(palco.prices.annual));
    const after = await row();
    expect(after).toMatchObject({ planId: palco.planId, interval: "annual", amountCents: 60_000 });
    expect(Math.abs((after.currentPeriodStartsAt ?? 0) - paidAt)).toBeLessThan(MINUTE_MS);
    expect(after.accessUntil).toBe(after.currentPeriodEndsAt);
    expect(after.anchorAt).toBe(after.currentPeriodStartsAt);
    expect(await heldCents()).toBe(3_000 + 60_000 - quote.creditCents);
    // On the day after the start, nearly all of the year is left of both payments.
    await wait(DAY_MS);
    await closeSubscription(world.ctx, { subscriptionId, because: "fan_left" });
    await world.drain();
    const used = await heldCents();
    const days = Math.round(
      ((after.currentPeriodEndsAt ?? 0) - (after.currentPeriodStartsAt ?? 0)) / DAY_MS,
    );
    expect(Math.abs(used - (3_000 - quote.creditCents + (60_000 * 2) / days))).toBeLessThanOrEqual(
      2,
    );
  });

  test("to a shorter interval waits for the next period while the paid value is worth more", async () => {
    await paidUpgrade(world, to(palco.prices.annual));
    const { quote } = await planChangeOfferNow(world.ctx, to(palco.prices.monthly));
    expect(quote).toMatchObject({
      happens: "next_period",
      beginsAt: (await row()).currentPeriodEndsAt,
      nextCents: 6_000,
    });
  });

  test("a pause after it keeps every day and every centavo", async () => {
    await wait(10 * DAY_MS);
    await paidUpgrade(world, to(palco.prices.annual));
    const allotted = async () =>
      (
        await world.ctx.db
          .select()
          .from(chargePeriods)
          .where(eq(chargePeriods.subscriptionId, subscriptionId))
      ).reduce((sum, { amountCents }) => sum + (amountCents ?? 0), 0);
    const before = await allotted();
    expect(before).toBeGreaterThan(0);
    await wait(5 * DAY_MS);
    await pauseSubscription(world.ctx, memberIds());
    await wait(4 * DAY_MS);
    await resumeSubscription(world.ctx, memberIds());
    expect(await allotted()).toBe(before);
  });
});

test("keeps a coupon that is valid for the new plan, and applies it to the difference", async () => {
  const carla = await createPerson(world.ctx, "Carla");
  await createCoupon(world.ctx, {
    creatorId: ana.id,
    code: "METADE",
    percent: 50,
    amountCents: null,
    cycles: 2,
    usesLimit: null,
    planIds: null,
    expiresAt: null,
  });
  const { chargeId } = await startSubscription(world.ctx, {
    memberId: carla.id,
    memberName: carla.name,
    planPriceId: ana.priceId,
    method: "pix",
    coupon: "METADE",
    cardToken: null,
  });
  await payAtBank(world, {
    providerChargeId: (await chargeRow(world.ctx, { chargeId }))?.providerChargeId ?? "",
  });
  await world.drain();
  const hers = (await chargeRow(world.ctx, { chargeId }))?.purchaseId ?? "";
  const wish = { fanId: carla.id, subscriptionId: hers, planPriceId: palco.prices.monthly };
  const { quote } = await planChangeOfferNow(world.ctx, wish);
  if (quote.happens !== "now") throw new Error("it waits");
  const { total, left } = quote.days;
  expect(quote).toMatchObject({
    costCents: Math.floor((2 * 3_000 * left + total) / (2 * total)),
    creditCents: Math.floor((2 * 1_500 * left + total) / (2 * total)),
    nextCents: 3_000,
  });
  await paidUpgrade(world, wish);
  // The difference does not count as a discounted payment, so one remains.
  const after = await subscriptionOfId(world.ctx, hers);
  expect(
    (await planChangeOfferNow(world.ctx, { ...wish, planPriceId: ana.priceId }))
      .subscriptionSnapshot,
  ).toMatchObject({
    nextPaymentCents: 3_000,
    heldCoupon: { cyclesLeft: 1 },
  });
  expect(after).toMatchObject({ planId: palco.planId, amountCents: 6_000 });
});
