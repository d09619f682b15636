import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { FormProblem } from "#app/lib/form-problem.ts";
import * as regretPage from "#app/routes/settings/sales/transaction-withdrawal.tsx";
import * as transactionPage from "#app/routes/settings/sales/transaction.tsx";
import * as chargePage from "#app/routes/checkout/charge.tsx";
import * as methodChangePage from "#app/routes/settings/subscriptions/payment-change.tsx";
import * as methodPage from "#app/routes/settings/subscriptions/payment-method.tsx";
import * as reactivationPage from "#app/routes/settings/subscriptions/reactivation.tsx";
import * as laterPage from "#app/routes/settings/subscriptions/plan-schedule.tsx";
import * as planPage from "#app/routes/settings/subscriptions/plan.tsx";
import * as plansPage from "#app/routes/settings/subscriptions/plans.tsx";
import * as subscriptionPage from "#app/routes/settings/subscriptions/subscription.tsx";
import * as undoPage from "#app/routes/settings/subscriptions/plan-undo.tsx";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { requestSubscriptionCoolingOffRefund } from "#app/domain/subscriptions/cancellations/commands/cooling-off.server.ts";
import { subscriptionPayingNext } from "#app/domain/subscriptions/overview/queries/next-payment.server.ts";
import { formatDay, formatShortDay, MINUTE_MS } from "#app/domain/time.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { payAtBank } from "#tests/support/payments.ts";
import {
  planChangeOfferNow,
  planChangeHelpers,
  createPlanChangeScenario,
  scheduledPlanChange,
} from "#tests/support/plan-changes.ts";
import type { PlanChangeScenario } from "#tests/support/plan-changes.ts";
import { createSeller, saveCpf } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import { trialHelpers, TEST_TRIAL_DAYS } from "#tests/support/trials.ts";

const pages = callRoutesAs([
  { path: "settings/subscriptions/:id", module: subscriptionPage },
  { path: "settings/subscriptions/:id/payment-method", module: methodPage },
  { path: "settings/subscriptions/:id/payment-method/change", module: methodChangePage },
  { path: "settings/subscriptions/:id/reactivation", module: reactivationPage },
  { path: "settings/subscriptions/:id/plan", module: plansPage },
  { path: "settings/subscriptions/:id/plan/undo", module: undoPage },
  { path: "settings/subscriptions/:id/plan/:priceId", module: planPage },
  { path: "settings/subscriptions/:id/plan/:priceId/later", module: laterPage },
  { path: "settings/transactions/:id", module: transactionPage },
  { path: "settings/transactions/:id/regret", module: regretPage },
  { path: "checkout/:chargeId", module: chargePage },
]);

let stage: PlanChangeScenario;
beforeEach(async () => {
  stage = await createPlanChangeScenario();
});
afterEach(() => expectInvariantsToHold(stage.world.ctx));

const { row, to, states } = planChangeHelpers(() => stage);
const nextOf = async () => {
  const facts = await subscriptionPayingNext(stage.world.ctx, {
    fanId: stage.bruno.id,
    subscriptionId: stage.subscriptionId,
  });
  return { amountCents: facts?.next.amountCents ?? 0 };
};
const at = (path: string) => `/settings/subscriptions/${stage.subscriptionId}${path}`;
const as = (one: TestPerson) => ({ person: one, isCreator: false });
const read = async (path: string, by: TestPerson = stage.bruno) => await pages.get(as(by), path);
async function sent(path: string, fields: Record<string, string>, by: TestPerson = stage.bruno) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return await pages.postForm(as(by), path, form);
}

describe("next payment of a subscription", () => {
  test.each(["/payment-method", "/payment-method/change"])(
    "is shown on %s with the price and plan of the scheduled change",
    async (page) => {
      await scheduledPlanChange(stage.world.ctx, to(stage.janela.prices.monthly));
      const shown = await (
        await read(at(page))
      ).json<{ next: { planName: string; amountCents: number } }>();
      expect(shown.next).toMatchObject({
        planName: "Janela",
        amountCents: (await nextOf()).amountCents,
      });
      expect((await read(at(page), stage.ana)).status).toBe(404);
    },
  );

  test("is refused when the amount differs from the one shown", async () => {
    await scheduledPlanChange(stage.world.ctx, to(stage.janela.prices.monthly));
    const { amountCents } = await nextOf();
    const stale = await sent(at("/payment-method/change"), {
      method: "pix",
      amountCents: String(amountCents + 1),
    });
    expect(await stale.json<FormProblem>()).toMatchObject({
      message: expect.stringContaining("Nada foi cobrado"),
    });
    expect(
      (
        await sent(at("/payment-method/change"), {
          method: "pix",
          amountCents: String(amountCents),
        })
      ).status,
    ).toBe(302);
    await stage.world.ctx.db
      .update(subscriptions)
      .set({ status: "canceled" })
      .where(eq(subscriptions.id, stage.subscriptionId));
    // Canceling the subscription also ends the scheduled change.
    expect(await (await read(at("/reactivation"))).json()).toMatchObject({
      next: { planName: "Camarim", amountCents: 3_000 },
    });
    const late = await sent(at("/reactivation"), { amountCents: String(amountCents) });
    expect(await late.json<FormProblem>()).toMatchObject({
      message: expect.stringContaining("Nada foi cobrado"),
    });
    expect(await row()).toMatchObject({ status: "canceled" });
  });
});

test("adding a card during a trial shows the first charge and its day; without a trial no day is shown", async () => {
  const { ctx } = stage.world;
  const ana = await createSeller(ctx, { trialDays: TEST_TRIAL_DAYS });
  await saveCpf(ctx, stage.bruno);
  const {
    began,
    wish,
    row: rowOf,
  } = trialHelpers(() => ({ world: stage.world, seller: ana, fan: stage.bruno }));
  const id = await began(wish());
  const page = `/settings/subscriptions/${id}/payment-method/change`;
  expect(await (await read(page)).json()).toMatchObject({
    consent: `Trocar · R$\u00a019,90 em ${formatShortDay((await rowOf(id)).trialEndsAt ?? 0)}`,
  });
  expect(await (await read(at("/payment-method/change"))).json()).toMatchObject({ consent: null });
});

test("names the saved card that pays, and links to saving one where there is none", async () => {
  const ana = await createSeller(stage.world.ctx, { trialDays: TEST_TRIAL_DAYS });
  await saveCpf(stage.world.ctx, stage.bruno);
  const { began, withCard } = trialHelpers(() => ({
    world: stage.world,
    seller: ana,
    fan: stage.bruno,
  }));
  const change = at("/payment-method/change");
  expect(await (await read(change)).json()).toMatchObject({
    paidBy: "Pix",
    cards: [],
    addCardPath: `/settings/billing/methods/create?to=${encodeURIComponent(change)}`,
  });
  const id = await began(await withCard());
  for (const page of ["", "/change"])
    expect(
      await (await read(`/settings/subscriptions/${id}/payment-method${page}`)).json(),
    ).toMatchObject({ paidBy: expect.stringMatching(/^(Visa •••• 4242|Cartão guardado em )/) });
});

test("a payment with an unconfirmed cooling-off refund is shown as being refunded", async () => {
  const { ctx } = stage.world;
  const [paid] = await ctx.db
    .select()
    .from(charges)
    .where(eq(charges.purchaseId, stage.subscriptionId));
  const page = async () => await (await read(`/checkout/${paid?.id ?? ""}`)).json();
  expect(await page()).toMatchObject({ kind: "plan", status: "succeeded", isReturning: false });
  await requestSubscriptionCoolingOffRefund(
    {
      ...ctx,
      payments: { ...ctx.payments, refund: () => Promise.reject(new ProviderUnclear("silence")) },
    },
    { fanId: stage.bruno.id, subscriptionId: stage.subscriptionId },
  );
  expect(await page()).toMatchObject({ kind: "plan", status: "succeeded", isReturning: true });
});

describe("Mudar de plano", () => {
  test("lists the other plans with price and start, and marks a full one", async () => {
    await stage.world.ctx.db
      .update(plans)
      .set({ seatsTaken: 2 })
      .where(eq(plans.id, stage.janela.planId));
    const shown = await (
      await read(at("/plan"))
    ).json<{ options: { name: string; inShort: string; isFull: boolean }[] }>();
    const ends = formatDay((await row()).currentPeriodEndsAt ?? 0);
    expect(shown.options.map(({ name, isFull }) => [name, isFull])).toEqual([
      ["Janela", true],
      ["Palco", false],
      ["Palco", false],
    ]);
    const { quote } = await planChangeOfferNow(stage.world.ctx, to(stage.palco.prices.monthly));
    if (quote.happens !== "now") throw new Error("it waits");
    expect(shown.options[0]?.inShort).toBe(`a partir de ${ends}, sem cobrança agora`);
    expect(shown.options[1]?.inShort).toContain("agora; o plano muda na hora");
    expect((await read(at("/plan"), stage.ana)).status).toBe(404);
  });

  test("an upgrade charges exactly the amount shown and is undone by a cooling-off refund; a downgrade has its own page", async () => {
    const price = stage.palco.prices.monthly;
    const { shown } = await (
      await read(at(`/plan/${price}`))
    ).json<{ shown: { quote: { dueCents: number } } }>();
    const { dueCents } = shown.quote;
    const stale = await sent(at(`/plan/${price}`), {
      method: "pix",
      amountCents: String(dueCents + 1),
      cardToken: "",
    });
    expect(await stale.json<FormProblem>()).toMatchObject({
      message: expect.stringContaining("Nada foi cobrado"),
    });
    const answer = await sent(at(`/plan/${price}`), {
      method: "pix",
      amountCents: String(dueCents),
      cardToken: "",
    });
    const [charge] = await stage.world.ctx.db
      .select()
      .from(charges)
      .where(eq(charges.purchaseKind, "plan_change"));
    expect(charge).toMatchObject({ amountCents: dueCents });
    expect([answer.status, answer.headers.get("Location")]).toEqual([
      303,
      `/checkout/${charge?.id ?? ""}`,
    ]);
    expect(await (await read(`/checkout/${charge?.id ?? ""}`)).json()).toMatchObject({
      kind: "change",
      title: "Palco",
      isReturning: false,
      status: "created",
    });
    // These routes reach no provider, so the cron asks for the charge again under its id.
    await stage.world.advance(2 * MINUTE_MS);
    await stage.world.tick();
    const [asked] = await stage.world.ctx.db
      .select()
      .from(charges)
      .where(eq(charges.purchaseKind, "plan_change"));
    await payAtBank(stage.world, { providerChargeId: asked?.providerChargeId ?? "" });
    await stage.world.drain();
    expect(await (await read(`/checkout/${charge?.id ?? ""}`)).json()).toMatchObject({
      kind: "change",
      status: "succeeded",
      isReturning: false,
      benefits: ["Tudo"],
    });
    expect(await (await read(at(""))).json()).toMatchObject({
      planName: "Palco",
      planChanges: [
        { state: "done", toPlanName: "Palco", isInCoolingOff: true, chargeId: charge?.id },
      ],
    });
    expect(await (await read(`/settings/transactions/${charge?.id ?? ""}`)).json()).toMatchObject({
      isInCoolingOff: true,
    });
    const back = await sent(`/settings/transactions/${charge?.id ?? ""}/regret`, {});
    expect(back.status).toBe(302);
    expect(await (await read(at(""))).json()).toMatchObject({
      planName: "Camarim",
      planChanges: [{ state: "reversed" }],
    });
    const moved = await read(at(`/plan/${stage.janela.prices.monthly}`));
    expect(moved.headers.get("Location")).toBe(at(`/plan/${stage.janela.prices.monthly}/later`));
  });

  test("a downgrade is scheduled, shown on the subscription, and undone", async () => {
    const page = at(`/plan/${stage.janela.prices.monthly}/later`);
    const { shown } = await (
      await read(page)
    ).json<{ shown: { quote: { nextChargeAt: number; nextCents: number } } }>();
    const agreed = {
      beginsAt: String(shown.quote.nextChargeAt),
      nextCents: String(shown.quote.nextCents),
    };
    expect((await sent(page, { ...agreed, nextCents: "1" })).status).toBe(409);
    expect((await sent(page, agreed)).headers.get("Location")).toBe(at(""));
    expect(await (await read(at(""))).json()).toMatchObject({
      planName: "Camarim",
      nextCents: shown.quote.nextCents,
      planChanges: [{ state: "scheduled", toPlanName: "Janela" }],
    });
    expect(await (await read(at("/plan/undo"))).json()).toMatchObject({
      planName: "Camarim",
      toPlanName: "Janela",
    });
    expect((await sent(at("/plan/undo"), {}, stage.ana)).status).toBe(404);
    expect((await sent(at("/plan/undo"), {})).headers.get("Location")).toBe(at(""));
    const { amountCents, nextCents } = await (
      await read(at(""))
    ).json<{ amountCents: number; nextCents: number }>();
    expect(nextCents).toBe(amountCents);
    expect(await states()).toEqual(["over"]);
    expect((await read(at("/plan/undo"))).headers.get("Location")).toBe(at(""));
  });

  test.each<[string, string]>([
    ["past_due", "Há um pagamento em atraso. Pague primeiro, e depois mude de plano."],
    ["canceled", "A assinatura está cancelada. Reative primeiro, e depois mude de plano."],
  ])(
    "is refused while the subscription is %s, and says what to do first",
    async (status, sentence) => {
      await stage.world.ctx.db
        .update(subscriptions)
        .set({ status })
        .where(eq(subscriptions.id, stage.subscriptionId));
      expect(await (await read(at("/plan"))).json()).toMatchObject({
        problem: sentence,
        options: [],
      });
      expect(await (await read(at(`/plan/${stage.palco.prices.monthly}`))).json()).toMatchObject({
        problem: sentence,
      });
      const answer = await sent(at(`/plan/${stage.palco.prices.monthly}`), {
        method: "pix",
        cardToken: "",
      });
      expect((await answer.json<FormProblem>()).message).toBe(sentence);
      await stage.world.ctx.db
        .update(subscriptions)
        .set({ status: "active" })
        .where(eq(subscriptions.id, stage.subscriptionId));
    },
  );

  test("answers 404 for an unknown price, and refuses an invalid payment method", async () => {
    expect((await read(at("/plan/nothing"))).status).toBe(404);
    const answer = await sent(at(`/plan/${stage.palco.prices.monthly}`), {
      method: "cheque",
      amountCents: "x",
      cardToken: "",
    });
    expect(await answer.json<FormProblem>()).toMatchObject({
      errors: { method: "Escolha uma das opções." },
    });
  });
});
