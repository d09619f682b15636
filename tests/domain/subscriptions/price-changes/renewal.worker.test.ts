import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createCoupon } from "#app/domain/plans/commands/coupons.server.ts";
import {
  prepayOptionsOf,
  prepayPeriods,
} from "#app/domain/subscriptions/prepayments/commands.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import {
  pauseSubscription,
  resumeSubscription,
} from "#app/domain/subscriptions/pauses/commands.server.ts";
import { answerPriceChange } from "#app/domain/subscriptions/price-changes/commands/answer.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";
import { startTrial } from "#app/domain/subscriptions/trials/commands/checkout.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { NewPriceAlreadyCharged } from "#app/domain/subscriptions/price-changes/errors.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { interleaveBeforeWrite } from "#tests/support/interleave.ts";
import { cardToken, payAtBank } from "#tests/support/payments.ts";
import { createPerson, createSeller, createTrialPerson } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { proposedPrice, priceChangeHelpers } from "#tests/support/price-changes.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
let subscriptionId: string;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx, { amountCents: 2_000, interval: "quarterly" });
  bruno = await createPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

const { memberIds, row, answer, nextCents, untilRenewal, renewals, consents, asks } =
  priceChangeHelpers(() => ({ world, fan: bruno, subscriptionId }));

/** Bruno subscribes for R$ 20,00 a quarter. */
async function subscribes(
  method: "pix" | "card" = "pix",
  more: { coupon?: string } = {},
): Promise<void> {
  const started = await startSubscription(world.ctx, {
    memberId: bruno.id,
    memberName: bruno.name,
    planPriceId: ana.priceId,
    method,
    cardToken: method === "card" ? await cardToken(world) : null,
    ...more,
  });
  const charge = await chargeRow(world.ctx, started);
  if (method === "pix")
    await payAtBank(world, { providerChargeId: charge?.providerChargeId ?? "" });
  await world.drain();
  subscriptionId = charge?.purchaseId ?? "";
}

describe("the next charge", () => {
  test("costs the old price without an answer, and the new price from the first charge after a late acceptance", async () => {
    await subscribes();
    await proposedPrice(world, ana, 2_500);
    await untilRenewal(-2 * DAY_MS);
    expect(await renewals()).toMatchObject([{ amountCents: 2_000, status: "awaiting_payment" }]);
    await answer("accepted");
    // A renewal charge that exists keeps its amount.
    await advanceSubscription(world.ctx, { subscriptionId });
    const [sent] = await renewals();
    expect(sent?.status).toBe("awaiting_payment");
    await payAtBank(world, { providerChargeId: sent?.providerChargeId ?? "" });
    await world.drain();
    expect(await row()).toMatchObject({ amountCents: 2_000 });
    expect(await nextCents()).toBe(2_500);
    await untilRenewal(-2 * DAY_MS);
    expect((await renewals()).map(({ amountCents }) => amountCents)).toEqual([2_000, 2_500]);
    expect(await row()).toMatchObject({ amountCents: 2_500 });
  });

  test("by card costs the accepted price, which the subscription and its next payment then show", async () => {
    await subscribes("card");
    const planPriceId = await proposedPrice(world, ana, 2_500);
    await answer("accepted");
    expect(await row()).toMatchObject({ amountCents: 2_000 });
    expect(await nextCents()).toBe(2_500);
    await untilRenewal(0);
    await world.drain();
    expect(await renewals()).toMatchObject([{ amountCents: 2_500, status: "succeeded" }]);
    expect(await row()).toMatchObject({ amountCents: 2_500, planPriceId, status: "active" });
    expect(await nextCents()).toBe(2_500);
    expect(await asks(ana.planId)).toMatchObject([
      { askedCount: 0, acceptedCount: 1, declinedCount: 0 },
    ]);
    const [consent] = await consents();
    await expect(
      answerPriceChange(world.ctx, {
        ...memberIds(),
        askId: consent?.askId ?? "",
        answer: "kept",
        by: "session",
      }),
    ).rejects.toThrow(NewPriceAlreadyCharged);
  });

  test("keeps the old price for a period that starts before the effective date, even if accepted", async () => {
    await subscribes();
    await world.advance(80 * DAY_MS);
    await proposedPrice(world, ana, 2_500);
    await answer("accepted");
    await untilRenewal(-2 * DAY_MS);
    expect(await renewals()).toMatchObject([{ amountCents: 2_000 }]);
  });

  test("follows the last answer before its creation", async () => {
    await subscribes();
    await proposedPrice(world, ana, 2_500);
    for (const one of ["accepted", "kept", "accepted", "kept"] as const) await answer(one);
    expect(await asks(ana.planId)).toMatchObject([
      { askedCount: 0, acceptedCount: 0, declinedCount: 1 },
    ]);
    await untilRenewal(-2 * DAY_MS);
    expect(await renewals()).toMatchObject([{ amountCents: 2_000 }]);
  });

  test.each([
    ["accepted", "asked", 2_500],
    ["kept", "accepted", 2_000],
  ] as const)(
    "created while the subscriber answers %s uses the price of that answer",
    async (last, first, amountCents) => {
      await subscribes();
      await proposedPrice(world, ana, 2_500);
      if (first !== "asked") await answer(first);
      await world.advance(((await row()).currentPeriodEndsAt ?? 0) - DAY_MS - world.ctx.now());
      await advanceSubscription(
        interleaveBeforeWrite(world.ctx, () => answer(last)),
        { subscriptionId },
      );
      expect(await renewals()).toMatchObject([{ amountCents }]);
      expect(await row()).toMatchObject({ amountCents });
      expect(await nextCents()).toBe(amountCents);
    },
  );

  test("applies the coupon to the new price", async () => {
    await createCoupon(world.ctx, {
      creatorId: ana.id,
      code: "METADE",
      percent: 50,
      amountCents: null,
      cycles: null,
      usesLimit: null,
      planIds: null,
      expiresAt: null,
    });
    await subscribes("pix", { coupon: "METADE" });
    await proposedPrice(world, ana, 3_000);
    await answer("accepted");
    expect(await nextCents()).toBe(1_500);
    await untilRenewal(-2 * DAY_MS);
    expect(await renewals()).toMatchObject([{ amountCents: 1_500 }]);
    expect(await row()).toMatchObject({ amountCents: 3_000 });
  });

  test("after a pause costs the accepted price", async () => {
    await subscribes();
    await proposedPrice(world, ana, 2_500);
    await pauseSubscription(world.ctx, memberIds());
    await answer("accepted");
    await resumeSubscription(world.ctx, memberIds());
    await untilRenewal(-2 * DAY_MS);
    expect(await renewals()).toMatchObject([{ amountCents: 2_500 }]);
    expect(await row()).toMatchObject({ amountCents: 2_500 });
  });

  test("at the end of a trial costs the accepted price", async () => {
    const bia = await createTrialPerson(world.ctx, "Bia");
    const eva = await createSeller(world.ctx, {
      amountCents: 2_000,
      interval: "quarterly",
      trialDays: 60,
    });
    const trial = await startTrial(world.ctx, {
      memberId: bia.id,
      memberName: bia.name,
      planPriceId: eva.priceId,
      method: "pix",
      cardToken: null,
      trialDays: 60,
      amountCents: 2_000,
    });
    bruno = bia;
    if (trial.kind !== "began") throw new Error(trial.kind);
    subscriptionId = trial.subscriptionId;
    await proposedPrice(world, eva, 2_500);
    await answer("accepted");
    await untilRenewal(-2 * DAY_MS);
    expect(await renewals()).toMatchObject([{ amountCents: 2_500 }]);
  });

  test("of prepaid periods costs the price of the first one", async () => {
    ana = await createSeller(world.ctx, { amountCents: 2_000, interval: "monthly" });
    await subscribes();
    // The 30 days of notice end after this month, whatever its length.
    await world.advance(2 * DAY_MS);
    await proposedPrice(world, ana, 2_500, "monthly");
    await answer("accepted");
    expect((await prepayOptionsOf(world.ctx, memberIds())).choices[0]).toMatchObject({
      count: 3,
      amountCents: 6_000,
    });
    // The second month starts on or after the effective date.
    await untilRenewal(-2 * DAY_MS);
    await payAtBank(world, { providerChargeId: (await renewals())[0]?.providerChargeId ?? "" });
    await world.drain();
    expect((await prepayOptionsOf(world.ctx, memberIds())).choices[0]).toMatchObject({
      count: 3,
      amountCents: 7_500,
    });
    const { chargeId } = await prepayPeriods(world.ctx, {
      ...memberIds(),
      periods: 3,
      amountCents: 7_500,
    });
    expect(await chargeRow(world.ctx, { chargeId })).toMatchObject({ amountCents: 7_500 });
    expect(await row()).toMatchObject({ amountCents: 2_500 });
  });
});
