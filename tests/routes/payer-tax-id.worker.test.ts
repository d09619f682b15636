import { eq } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { PaymentProvider } from "#app/domain/payments/schema.ts";
import { beforeAll, expect, test } from "vitest";
import type { MiddlewareFunction } from "react-router";
import { domainContext, memberContext, viewerContext } from "#app/http/contexts.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import { changeRenewalMethod } from "#app/domain/subscriptions/payment-methods/commands/change-method.server.ts";
import {
  cancelSubscription,
  reactivateSubscription,
} from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { prepayPeriods } from "#app/domain/subscriptions/prepayments/commands.server.ts";
import { createPixMandate } from "#app/domain/subscriptions/pix-mandates/commands/mandates.server.ts";
import { createPaymentRouter } from "#app/domain/payments/providers/rules/providers.ts";
import { ProviderRefused, TaxIdRequired } from "#app/domain/payments/errors.ts";
import * as checkout from "#app/routes/checkout/checkout.tsx";
import * as gift from "#app/routes/checkout/gift.tsx";
import * as ahead from "#app/routes/settings/subscriptions/prepay.tsx";
import * as automatic from "#app/routes/settings/subscriptions/pix-mandate.tsx";
import * as paymentChange from "#app/routes/settings/subscriptions/payment-change.tsx";
import * as planChange from "#app/routes/settings/subscriptions/plan.tsx";
import * as tip from "#app/routes/space/tip.tsx";
import { billingDetails } from "#drizzle/schema/billing.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createRouteCaller, formRequest, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPlanChangeScenario } from "#tests/support/plan-changes.ts";
import { takenBy } from "#tests/support/takers.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";

let world: World;
let ana: Seller;
beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
});

/** Serves the payment routes with a provider that requires the payer's tax id, as Asaas does. */
function doorsOf(member: TestPerson, needsPayerTaxId: boolean | "pix" = true) {
  const recognise: MiddlewareFunction<Response> = ({ context }) => {
    const known = {
      ...member,
      avatarUrl: null,
      isCreator: false,
      isModerator: false,
      leavingAt: null,
    };
    context.set(viewerContext, known);
    context.set(memberContext, known);
    context.set(domainContext, needsPayerTaxId === "pix" ? pixAsking() : asking(needsPayerTaxId));
  };
  return createRouteCaller([
    { path: "checkout", module: checkout, middleware: [recognise as MiddlewareFunction] },
    { path: "space/:id/tip", module: tip, middleware: [recognise as MiddlewareFunction] },
    { path: "plan/:planId/gift", module: gift, middleware: [recognise as MiddlewareFunction] },
    {
      path: "settings/subscriptions/:id/ahead",
      module: ahead,
      middleware: [recognise as MiddlewareFunction],
    },
    {
      path: "settings/subscriptions/:id/plan/:priceId",
      module: planChange,
      middleware: [recognise as MiddlewareFunction],
    },
    {
      path: "settings/subscriptions/:id/payment-method/change",
      module: paymentChange,
      middleware: [recognise as MiddlewareFunction],
    },
    {
      path: "settings/subscriptions/:id/payment-method/automatic",
      module: automatic,
      middleware: [recognise as MiddlewareFunction],
    },
  ]);
}

/** Returns a context whose provider refuses a Pix charge without the payer's tax id. */
function asking(needsPayerTaxId = true): Context {
  const { payments } = world.ctx;
  if ("providers" in payments) throw new Error("the tests' world has one provider");
  const createPixCharge: PaymentProvider["createPixCharge"] = (request) =>
    needsPayerTaxId && !request.payerTaxId
      ? Promise.reject(new ProviderRefused("payer_tax_id_required"))
      : payments.createPixCharge(request);
  return { ...world.ctx, payments: { ...payments, needsPayerTaxId, createPixCharge } };
}

/** Returns a context with two providers: Pix requires the payer's tax id, cards do not. */
function pixAsking(): Context {
  const [{ payments: pix }, { payments: card }] = [asking(), world.ctx];
  if ("providers" in pix || "providers" in card)
    throw new Error("the tests' world has one provider");
  return {
    ...world.ctx,
    payments: createPaymentRouter(
      [{ ...pix, name: "pix-only" }, card],
      takenBy({ pix: "pix-only", card: card.name }),
    ),
  };
}

const keptOf = (personId: string) =>
  world.ctx.db
    .select({
      taxKind: billingDetails.taxKind,
      taxId: billingDetails.taxId,
      name: billingDetails.name,
    })
    .from(billingDetails)
    .where(eq(billingDetails.personId, personId));
const countOf = async (payerId: string) =>
  (await world.ctx.db.select().from(charges).where(eq(charges.payerId, payerId))).length;
const plan = () => ({ planPriceId: ana.priceId, method: "pix", amountCents: "1990" });
const ways: [string, () => string, () => Record<string, string>][] = [
  ["a plan", () => `/checkout?plan=${ana.planId}`, plan],
  [
    "a gift",
    () => `/plan/${ana.planId}/gift`,
    () => ({
      planPriceId: ana.priceId,
      amountCents: "1990",
      recipientName: "Clara",
      recipientEmail: "",
      message: "Oi",
      deliverOn: "",
      method: "pix",
    }),
  ],
  [
    "a tip",
    () => `/space/${ana.username}/tip`,
    () => ({ amount: "2000", other: "", message: "Pelo café", method: "pix" }),
  ],
];

test.each(ways)(
  "%s asks for a CPF or CNPJ where the provider requires it, saves it, and asks once",
  async (_, path, fields) => {
    const bruno = await createPerson(world.ctx, "Bruno");
    const ask = doorsOf(bruno);
    const asks = async () =>
      ((await (await ask(new Request(TEST_ORIGIN + path()))).json()) as { taxIdFor: string[] })
        .taxIdFor;
    expect(await asks()).toEqual(["pix", "card"]);

    const refused = await ask(formRequest(path(), { ...fields(), taxId: "529.982.247-24" }));
    const problem = (await refused.json()) as FormProblem;
    expect([refused.status, problem.errors]).toEqual([
      400,
      { taxId: "Confira o CPF: os números não batem" },
    ]);
    expect(problem.values).toMatchObject({ ...fields(), taxId: "529.982.247-24" });
    expect([await keptOf(bruno.id), await countOf(bruno.id)]).toEqual([[], 0]);

    expect(
      (await ask(formRequest(path(), { ...fields(), taxId: "12.abc.345/01de-35" }))).status,
    ).toBe(303);
    expect(await keptOf(bruno.id)).toEqual([
      { taxKind: "cnpj", taxId: "12ABC34501DE35", name: "Bruno" },
    ]);
    expect([await asks(), await countOf(bruno.id)]).toEqual([[], 1]);
  },
);

test.each(ways)(
  "%s asks only for the method that requires it, and ignores the hidden field otherwise",
  async (_, path, fields) => {
    const bruno = await createPerson(world.ctx, "Bruno");
    const ask = doorsOf(bruno, "pix");
    expect(await (await ask(new Request(TEST_ORIGIN + path()))).json()).toMatchObject({
      taxIdFor: ["pix"],
    });
    expect(
      (await ask(formRequest(path(), { ...fields(), method: "card", taxId: "529.982.247-24" })))
        .status,
    ).toBe(303);
    expect([await keptOf(bruno.id), await countOf(bruno.id)]).toEqual([[], 1]);
    expect(
      ((await (await ask(formRequest(path(), fields()))).json()) as FormProblem).errors,
    ).toEqual({ taxId: "Informe o CPF ou o CNPJ" });
  },
);

test("a missing tax id is reported with the other errors, and not asked where no provider requires it", async () => {
  const bruno = await createPerson(world.ctx, "Bruno");
  const answer = await doorsOf(bruno)(
    formRequest(`/checkout?plan=${ana.planId}`, { ...plan(), method: "boleto" }),
  );
  expect(((await answer.json()) as FormProblem).errors).toEqual({
    method: "Escolha uma das opções.",
    taxId: "Informe o CPF ou o CNPJ",
  });
  expect(
    (await doorsOf(bruno, false)(formRequest(`/checkout?plan=${ana.planId}`, plan()))).status,
  ).toBe(303);
  expect(await keptOf(bruno.id)).toEqual([]);
});

const openOf = async (payerId: string) =>
  (
    await world.ctx.db
      .select({ id: charges.id, status: charges.status })
      .from(charges)
      .where(eq(charges.payerId, payerId))
  ).filter(({ status }) => status === "awaiting_payment");

/** Payments of a subscription that renews by Pix: name, page and form fields. */
const renewals: [string, string, Record<string, string>][] = [
  ["a prepayment", "ahead", { periods: "3", amountCents: "5970" }],
  ["Pix Automático", "payment-method/automatic", {}],
];

test.each(renewals)(
  "%s asks for the tax id before anything is charged",
  async (_, page, fields) => {
    const bruno = await createPerson(world.ctx, "Bruno");
    const { purchaseId } = await paidSubscription(world, bruno, ana);
    const [ask, path] = [doorsOf(bruno), `/settings/subscriptions/${purchaseId}/${page}`];
    expect(await (await ask(new Request(TEST_ORIGIN + path))).json()).toMatchObject({
      asksTaxId: true,
    });
    const refused = await ask(formRequest(path, fields));
    expect([refused.status, ((await refused.json()) as FormProblem).errors]).toEqual([
      400,
      { taxId: "Informe o CPF ou o CNPJ" },
    ]);
    expect(await countOf(bruno.id)).toBe(1);
    expect((await ask(formRequest(path, { ...fields, taxId: "529.982.247-25" }))).status).toBe(303);
    expect([await openOf(bruno.id), await keptOf(bruno.id)]).toMatchObject([
      [{ status: "awaiting_payment" }],
      [{ taxId: "52998224725" }],
    ]);
  },
);

test("a change of renewal method to Pix requires the tax id, and without it the old method stays", async () => {
  const bruno = await createPerson(world.ctx, "Bruno");
  const { purchaseId: subscriptionId } = await paidSubscription(world, bruno, ana);
  await world.ctx.db
    .update(subscriptions)
    .set({ method: "card" })
    .where(eq(subscriptions.id, subscriptionId));
  const methodNow = async () =>
    (
      await world.ctx.db
        .select({ method: subscriptions.method })
        .from(subscriptions)
        .where(eq(subscriptions.id, subscriptionId))
    )[0]?.method;
  const [ask, path, mine] = [
    doorsOf(bruno),
    `/settings/subscriptions/${subscriptionId}/payment-method/change`,
    { fanId: bruno.id, subscriptionId },
  ];
  expect(await (await ask(new Request(TEST_ORIGIN + path))).json()).toMatchObject({
    taxIdFor: ["pix", "card"],
  });
  expect(
    ((await (await ask(formRequest(path, { method: "pix" }))).json()) as FormProblem).errors,
  ).toEqual({ taxId: "Informe o CPF ou o CNPJ" });
  await expect(
    changeRenewalMethod(asking(), { ...mine, method: "pix", savedMethodId: null }),
  ).rejects.toThrow(TaxIdRequired);
  await expect(prepayPeriods(asking(), { ...mine, periods: 3 })).rejects.toThrow(TaxIdRequired);
  await expect(createPixMandate(asking(), mine)).rejects.toThrow(TaxIdRequired);
  expect([await methodNow(), await countOf(bruno.id)]).toEqual(["card", 1]);
  expect((await ask(formRequest(path, { method: "pix", taxId: "529.982.247-25" }))).status).toBe(
    302,
  );
  expect(await methodNow()).toBe("pix");
});

test("a plan change requires the tax id for its difference", async () => {
  const stage = await createPlanChangeScenario();
  world = stage.world;
  const [ask, path] = [
    doorsOf(stage.bruno),
    `/settings/subscriptions/${stage.subscriptionId}/plan/${stage.palco.prices.monthly}`,
  ];
  const shown = (await (await ask(new Request(TEST_ORIGIN + path))).json()) as {
    taxIdFor: string[];
    shown: { quote: { dueCents: number } };
  };
  const fields = { method: "pix", amountCents: String(shown.shown.quote.dueCents) };
  expect(shown.taxIdFor).toEqual(["pix", "card"]);
  expect(((await (await ask(formRequest(path, fields))).json()) as FormProblem).errors).toEqual({
    taxId: "Informe o CPF ou o CNPJ",
  });
  expect((await ask(formRequest(path, { ...fields, taxId: "529.982.247-25" }))).status).toBe(303);
  expect(await openOf(stage.bruno.id)).toHaveLength(1);
});

test("reactivating a Pix subscription is refused without the tax id", async () => {
  const bruno = await createPerson(world.ctx, "Bruno");
  const { purchaseId: subscriptionId } = await paidSubscription(world, bruno, ana);
  const mine = { fanId: bruno.id, subscriptionId };
  await cancelSubscription(world.ctx, mine);
  await expect(reactivateSubscription(asking(), mine)).rejects.toThrow(TaxIdRequired);
  expect(
    (
      await world.ctx.db
        .select({ status: subscriptions.status })
        .from(subscriptions)
        .where(eq(subscriptions.id, subscriptionId))
    )[0]?.status,
  ).toBe("canceled");
});
