import { and, eq, like } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { createCoupon } from "#app/domain/plans/commands/coupons.server.ts";
import { archivePlan } from "#app/domain/plans/commands.server.ts";
import {
  cancelSubscription,
  reactivateSubscription,
} from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { requestSubscriptionCoolingOffRefund } from "#app/domain/subscriptions/cancellations/commands/cooling-off.server.ts";
import { changeRenewalMethod } from "#app/domain/subscriptions/payment-methods/commands/change-method.server.ts";
import { startTrial } from "#app/domain/subscriptions/trials/commands/checkout.server.ts";
import { SubscriptionCoolingOffExpired } from "#app/domain/subscriptions/errors.ts";
import { TrialUsed } from "#app/domain/subscriptions/trials/errors.ts";
import { addDays, addMonths, formatDay } from "#app/domain/time.ts";
import { savedMethods } from "#drizzle/schema/billing.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { chargePeriods } from "#drizzle/schema/payments.ts";
import { coupons, couponUses } from "#drizzle/schema/plans.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { APPROVED_CARD, subscribedByCard } from "#tests/support/dunning.ts";
import { interleaveBeforeWrite } from "#tests/support/interleave.ts";
import { payAtBank } from "#tests/support/payments.ts";
import { createSeller, createTrialPerson } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import {
  TRIAL_DECLINED_LATER_CARD,
  trialHelpers,
  TRIAL_PRICE_CENTS,
  TEST_TRIAL_DAYS,
} from "#tests/support/trials.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx, { trialDays: TEST_TRIAL_DAYS });
  bruno = await createTrialPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

const { wish, row, withCard, chargesOf, mails, seatsTaken, began, goTo } = trialHelpers(() => ({
  world,
  seller: ana,
  fan: bruno,
}));

describe("the end of a trial", () => {
  test("by card: the card is charged on the day, the first period starts, and the cooling-off days count from then", async () => {
    const id = await began(await withCard());
    await goTo(id, -1);
    expect(await chargesOf(id)).toEqual([]);
    await expect(
      requestSubscriptionCoolingOffRefund(world.ctx, { fanId: bruno.id, subscriptionId: id }),
    ).rejects.toThrow(SubscriptionCoolingOffExpired);
    await goTo(id, 0.01);
    const paid = await row(id);
    const endsAt = paid.trialEndsAt ?? 0;
    expect(paid).toMatchObject({
      status: "active",
      currentPeriodStartsAt: endsAt,
      currentPeriodEndsAt: addMonths(endsAt, 1),
      accessUntil: addMonths(endsAt, 1),
    });
    const [charge, ...more] = await chargesOf(id);
    expect(more).toEqual([]);
    expect(charge).toMatchObject({
      status: "succeeded",
      amountCents: TRIAL_PRICE_CENTS,
      periodStartsAt: endsAt,
    });
    expect(await world.ctx.db.$count(chargePeriods, eq(chargePeriods.subscriptionId, id))).toBe(1);
    expect(
      (await mails("começou")).some(({ body }) => body.includes("recebemos R$\u00a019,90")),
    ).toBe(true);
    await goTo(id, 6.5);
    await requestSubscriptionCoolingOffRefund(world.ctx, { fanId: bruno.id, subscriptionId: id });
    await world.drain();
    expect(await row(id)).toMatchObject({ status: "expired" });
    expect((await chargesOf(id))[0]).toMatchObject({
      status: "refunded",
      refundedCents: TRIAL_PRICE_CENTS,
    });
    await expect(startTrial(world.ctx, wish())).rejects.toThrow(TrialUsed);
  });

  test("by card: the subscription renews a month after the end of the trial", async () => {
    const id = await began(await withCard());
    await goTo(id, 0.01);
    const before = await row(id);
    await world.advance((before.currentPeriodEndsAt ?? 0) + 60_000 - world.ctx.now());
    await world.tick();
    expect(await row(id)).toMatchObject({
      status: "active",
      currentPeriodStartsAt: before.currentPeriodEndsAt,
      currentPeriodEndsAt: addMonths(before.trialEndsAt ?? 0, 2),
    });
    await expect(
      requestSubscriptionCoolingOffRefund(world.ctx, { fanId: bruno.id, subscriptionId: id }),
    ).rejects.toThrow(SubscriptionCoolingOffExpired);
  });

  test("by a declined card: past due with the grace of a renewal, then expired", async () => {
    const id = await began(await withCard(TRIAL_DECLINED_LATER_CARD));
    await goTo(id, 0.01);
    expect(await row(id)).toMatchObject({
      status: "past_due",
      accessUntil: addDays((await row(id)).trialEndsAt ?? 0, 7),
    });
    await goTo(id, 8.5);
    expect(await row(id)).toMatchObject({ status: "expired", holdsSeat: false });
    expect(await seatsTaken()).toBe(0);
    expect((await chargesOf(id)).every(({ succeededAt }) => succeededAt === null)).toBe(true);
  });

  test("by Pix: a code three days before; unpaid, the trial expires; paid, a period follows the trial", async () => {
    const id = await began(wish());
    await goTo(id, -3.5);
    expect(await chargesOf(id)).toEqual([]);
    await goTo(id, -2.5);
    const [sent, ...more] = await chargesOf(id);
    expect(more).toEqual([]);
    expect(sent).toMatchObject({
      status: "awaiting_payment",
      expiresAt: (await row(id)).trialEndsAt,
    });
    const [email, ...others] = (await mails("dias grátis")).filter(({ body }) =>
      body.includes(sent?.pixCode ?? "no code"),
    );
    expect(others).toEqual([]);
    expect(email?.body).toContain(
      `vão até ${formatDay((await row(id)).trialEndsAt ?? 0)}. Para continuar, pague o Pix de R$\u00a019,90.`,
    );
    expect(email?.body).toContain("os dias grátis só terminam, e nada é cobrado");
    expect(email?.body).not.toMatch(/renova|Pausar/);
    expect(email?.body).toContain("Cancelar: ");
    await goTo(id, -0.9);
    const reminder = (await mails("terminam em")).at(-1)?.body;
    for (const said of [
      `Pix Copia e Cola:\n${sent?.pixCode ?? ""}`,
      `/checkout/${sent?.id ?? ""}`,
      `pague o Pix de R$\u00a019,90`,
      "Cancelar: ",
    ])
      expect(reminder).toContain(said);
    await goTo(id, 0.01);
    expect(await row(id)).toMatchObject({ status: "expired", holdsSeat: false });
    const carla = await createTrialPerson(world.ctx, "Carla");
    const hers = await began(wish({ memberId: carla.id }));
    await goTo(hers, -2.5);
    const [code] = await chargesOf(hers);
    await payAtBank(world, { providerChargeId: code?.providerChargeId ?? "" });
    await world.drain();
    await goTo(hers, -0.9);
    expect(
      await world.ctx.db.$count(
        localMails,
        and(eq(localMails.recipient, carla.email), like(localMails.subject, "%terminam em%")),
      ),
    ).toBe(0);
    const paid = await row(hers);
    expect(paid).toMatchObject({
      status: "active",
      currentPeriodStartsAt: paid.trialEndsAt,
      accessUntil: addMonths(paid.trialEndsAt ?? 0, 1),
    });
    // The cooling-off days count from the payment, while the trial still runs.
    await requestSubscriptionCoolingOffRefund(world.ctx, { fanId: carla.id, subscriptionId: hers });
    await world.drain();
    expect(await row(hers)).toMatchObject({ status: "expired" });
  });

  test("by a Pix code that is paid after the end: a period starts on the day of the payment", async () => {
    const id = await began(wish());
    await goTo(id, -2);
    const [code] = await chargesOf(id);
    await goTo(id, 2);
    expect((await row(id)).status).toBe("expired");
    await payAtBank(world, { providerChargeId: code?.providerChargeId ?? "" });
    await world.drain();
    const late = await row(id);
    expect(late).toMatchObject({
      status: "active",
      currentPeriodEndsAt: addMonths(late.startedAt ?? 0, 1),
      holdsSeat: true,
    });
    expect(late.startedAt).toBeGreaterThan(late.trialEndsAt ?? 0);
  });

  test("without Pix and without a card: the trial expires, and no payment is requested", async () => {
    const plain = {
      ...world,
      ctx: { ...world.ctx, settings: { ...world.ctx.settings, pixEnabled: false } },
    };
    const started = await startTrial(plain.ctx, wish());
    await world.drain();
    expect((await mails("período grátis"))[0]?.body).toContain("termina sozinho");
    const id = started.kind === "began" ? started.subscriptionId : "";
    await goTo(id, -1);
    await goTo(id, 0.01);
    expect(await chargesOf(id)).toEqual([]);
    expect((await row(id)).status).toBe("expired");
  });

  test("after a cancellation: the trial runs on and nothing is charged; reactivation undoes it", async () => {
    const id = await began(await withCard());
    const memberIds = { fanId: bruno.id, subscriptionId: id };
    await cancelSubscription(world.ctx, memberIds);
    expect(await row(id)).toMatchObject({
      status: "canceled",
      accessUntil: (await row(id)).trialEndsAt,
    });
    await reactivateSubscription(world.ctx, memberIds);
    expect(await row(id)).toMatchObject({ status: "trialing" });
    await cancelSubscription(world.ctx, memberIds);
    await goTo(id, 0.01);
    expect(await row(id)).toMatchObject({ status: "expired" });
    expect(await chargesOf(id)).toEqual([]);
  });

  test("on an archived plan: the trial is charged and goes on", async () => {
    const id = await began(await withCard());
    await archivePlan(world.ctx, { creatorId: ana.id, planId: ana.planId });
    await goTo(id, 0.01);
    expect((await row(id)).status).toBe("active");
  });

  test("with a cancellation right before the renewal is written: nothing is charged", async () => {
    const id = await began(await withCard());
    await world.advance(((await row(id)).trialEndsAt ?? 0) - world.ctx.now() + 60_000);
    const { advanceSubscription } =
      await import("#app/domain/subscriptions/renewals/commands/renew.server.ts");
    await advanceSubscription(
      interleaveBeforeWrite(world.ctx, () =>
        cancelSubscription(world.ctx, { fanId: bruno.id, subscriptionId: id }),
      ),
      { subscriptionId: id },
    );
    await world.tick();
    expect(await chargesOf(id)).toEqual([]);
    expect((await row(id)).status).toBe("expired");
  });
});

describe("the Pix code of a trial whose subscriber changes to a card", () => {
  /** A trial whose Pix code was sent, and a card that the subscriber saved at another creator. */
  async function coded() {
    await subscribedByCard(
      world,
      bruno,
      await createSeller(world.ctx, { interval: "annual", amountCents: 12_000 }),
      APPROVED_CARD,
    );
    const [card] = await world.ctx.db
      .select()
      .from(savedMethods)
      .where(eq(savedMethods.personId, bruno.id));
    const id = await began(wish());
    await goTo(id, -2);
    const [code] = await chargesOf(id);
    const emailsBefore = (await mails("terminam em")).length;
    return {
      id,
      code,
      emailsBefore,
      toCard: async () =>
        await changeRenewalMethod(world.ctx, {
          fanId: bruno.id,
          subscriptionId: id,
          method: "card",
          savedMethodId: card?.id ?? "",
        }),
    };
  }
  const statusesOf = async (id: string) =>
    (await chargesOf(id)).map(({ method, status, amountCents }) => [method, status, amountCents]);

  test("is canceled, also at the provider; emails name only the card, which is charged once on its day", async () => {
    const { id, code, emailsBefore, toCard } = await coded();
    expect(await statusesOf(id)).toEqual([["pix", "awaiting_payment", TRIAL_PRICE_CENTS]]);
    await toCard();
    expect(await statusesOf(id)).toEqual([["pix", "canceled", TRIAL_PRICE_CENTS]]);
    expect(await world.ctx.payments.chargeById(code?.providerChargeId ?? "")).toMatchObject({
      status: "canceled",
    });
    await world.drain();
    await goTo(id, -0.9);
    const emails = (await mails("terminam em")).slice(emailsBefore).map(({ body }) => body);
    expect(emails).toHaveLength(2);
    for (const email of emails) {
      expect(email).toContain(
        `Nesse dia cobramos R$\u00a019,90 no cartão guardado, como você autorizou.`,
      );
      for (const left of [
        code?.pixCode ?? "no code",
        "Pix",
        "/checkout/",
        "Nada sai da sua conta sozinho",
      ])
        expect(email).not.toContain(left);
    }
    await goTo(id, 0.01);
    expect(await statusesOf(id)).toEqual([
      ["pix", "canceled", TRIAL_PRICE_CENTS],
      ["card", "succeeded", TRIAL_PRICE_CENTS],
    ]);
    expect(await row(id)).toMatchObject({ status: "active", method: "card" });
  });

  test("is in no email while the provider does not cancel it, and is canceled at the next attempt", async () => {
    const { id, code, emailsBefore, toCard } = await coded();
    const { cancelCharge } = world.ctx.payments;
    world.ctx.payments.cancelCharge = () => Promise.reject(new ProviderUnclear("silence"));
    await toCard();
    await world.drain();
    expect(await statusesOf(id)).toEqual([["pix", "awaiting_payment", TRIAL_PRICE_CENTS]]);
    expect((await mails("terminam em")).slice(emailsBefore)).toEqual([]);
    world.ctx.payments.cancelCharge = cancelCharge;
    await goTo(id, -0.9);
    expect(await statusesOf(id)).toEqual([["pix", "canceled", TRIAL_PRICE_CENTS]]);
    const emails = (await mails("terminam em")).slice(emailsBefore).map(({ body }) => body);
    expect(emails).toHaveLength(1);
    expect(emails[0]).not.toContain(code?.pixCode ?? "no code");
  });

  test("pays the renewal when it is paid during the cancellation, and the card is not charged too", async () => {
    const { id, code, emailsBefore, toCard } = await coded();
    const { cancelCharge } = world.ctx.payments;
    world.ctx.payments.cancelCharge = async (providerChargeId) => {
      await payAtBank(world, { providerChargeId });
      return await cancelCharge(providerChargeId);
    };
    await toCard();
    world.ctx.payments.cancelCharge = cancelCharge;
    await world.drain();
    const paid = await row(id);
    expect(paid).toMatchObject({
      status: "active",
      method: "card",
      currentPeriodStartsAt: paid.trialEndsAt,
      currentPeriodEndsAt: addMonths(paid.trialEndsAt ?? 0, 1),
    });
    await goTo(id, 0.01);
    await goTo(id, 7);
    expect(await chargesOf(id)).toMatchObject([
      { id: code?.id, status: "succeeded", refundedCents: 0 },
    ]);
    expect((await mails("terminam em")).slice(emailsBefore)).toEqual([]);
  });
});

describe("a coupon of a trial", () => {
  const used = async () =>
    (await world.ctx.db.select().from(coupons).where(eq(coupons.creatorId, ana.id)))[0]?.usesCount;
  beforeEach(
    async () =>
      void (await createCoupon(world.ctx, {
        creatorId: ana.id,
        code: "VEM",
        percent: null,
        amountCents: 500,
        cycles: 2,
        usesLimit: 1,
        planIds: null,
        expiresAt: null,
      })),
  );

  test("discounts the first payments, not the trial, and counts as one use", async () => {
    const id = await began({ ...(await withCard()), coupon: "VEM", amountCents: 1_490 });
    expect(await used()).toBe(1);
    await goTo(id, 0.01);
    const [charge] = await chargesOf(id);
    expect(charge).toMatchObject({ status: "succeeded", amountCents: 1_490 });
    expect(
      await world.ctx.db.select().from(couponUses).where(eq(couponUses.subscriptionId, id)),
    ).toMatchObject([{ chargeId: charge?.id, cyclesLeft: 1, freedAt: null }]);
  });

  test("is released when the trial ends without a payment", async () => {
    const id = await began(wish({ coupon: "VEM", amountCents: 1_490 }));
    await goTo(id, 0.01);
    expect((await row(id)).status).toBe("expired");
    expect(await used()).toBe(0);
  });
});
