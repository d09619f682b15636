import { beforeEach, expect, test } from "vitest";
import type { MiddlewareFunction } from "react-router";
import { methodLabel } from "#app/components/payments/charge-labels.ts";
import type { Receipt } from "#app/components/payments/receipt.ts";
import { saveCard } from "#app/domain/billing/saved-methods/commands/save-card.server.ts";
import { savedCards } from "#app/domain/billing/details/queries.server.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import { changeRenewalMethod } from "#app/domain/subscriptions/payment-methods/commands/change-method.server.ts";
import { sharedPix, sharedPixToken } from "#app/domain/payments/shared-pix/queries.server.ts";
import { createCoupon } from "#app/domain/plans/commands/coupons.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import * as chargePage from "#app/routes/checkout/charge.tsx";
import * as checkoutPage from "#app/routes/checkout/checkout.tsx";
import * as statusPage from "#app/routes/resources/charge-status.ts";
import * as endPage from "#app/routes/settings/subscriptions/pix-mandate-end.tsx";
import * as automaticPage from "#app/routes/settings/subscriptions/pix-mandate.tsx";
import * as methodPage from "#app/routes/settings/subscriptions/payment-method.tsx";
import * as receiptPage from "#app/routes/settings/purchases/receipt.tsx";
import * as changePage from "#app/routes/settings/subscriptions/payment-change.tsx";
import * as statementCsv from "#app/routes/settings/sales/transactions-csv.ts";
import * as statementPage from "#app/routes/settings/sales/transactions.tsx";
import * as transactionPage from "#app/routes/settings/sales/transaction.tsx";
import * as codePage from "#app/routes/settings/subscriptions/pix-code.tsx";
import * as subscriptionPage from "#app/routes/settings/subscriptions/subscription.tsx";
import { callRoutesAs } from "#tests/support/acting.ts";
import {
  atBank,
  mandateAtProvider,
  mandateOf,
  subscriptionChargesOf,
  mandateCheckout,
  mandateSubscriber,
  mandateCodeOf,
  debitsOf,
  debitInstructionsOf,
  subscriptionRowOf,
} from "#tests/support/pix-mandates.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { cardToken, paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
/** Gives the routes the context, clock and provider of the current test. */
const inWorld: MiddlewareFunction<Response> = ({ context }) => {
  context.set(domainContext, world.ctx);
};
const routes = callRoutesAs(
  [
    { path: "checkout", module: checkoutPage },
    { path: "checkout/:chargeId", module: chargePage },
    { path: "checkout/:chargeId/status", module: statusPage },
    { path: "settings/subscriptions/:id", module: subscriptionPage },
    { path: "settings/subscriptions/:id/payment-method", module: methodPage },
    { path: "settings/subscriptions/:id/payment-method/automatic", module: automaticPage },
    { path: "settings/subscriptions/:id/payment-method/automatic/end", module: endPage },
    { path: "settings/subscriptions/:id/payment-method/change", module: changePage },
    { path: "settings/subscriptions/:id/pix-code", module: codePage },
    { path: "settings/transactions", module: statementPage },
    { path: "settings/transactions/planilha.csv", module: statementCsv },
    { path: "settings/transactions/:id", module: transactionPage },
    { path: "settings/transactions/:id/recibo", module: receiptPage },
  ].map((doorway) => ({ ...doorway, middleware: [inWorld as MiddlewareFunction] })),
);
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno Reis");
});

const get = async <Shown>(path: string) => await routes.read<Shown>({ person: bruno }, path);
const post = (path: string, fields: Record<string, string> = {}) =>
  routes.post({ person: bruno }, path, fields);
const statusOf = async (chargeId: string) =>
  (await get<{ status: string }>(`/checkout/${chargeId}/status`)).status;

test("the checkout offers Pix Automático with its terms, and its form creates the code", async () => {
  const page = `/checkout?plan=${ana.planId}`;
  const shown = await get<{ automatic: object; plan: { priceId: string } }>(page);
  expect(shown.automatic).toMatchObject({
    todayCents: 1_990,
    amountCents: 1_990,
    ceilingCents: 1_990,
    interval: "monthly",
    debitOn: expect.stringMatching(/^\d\d\/\d\d\/\d{4}$/),
  });
  const answer = await post(page, {
    planPriceId: shown.plan.priceId,
    method: "automatic",
    amountCents: "1990",
  });
  expect(answer.status).toBe(303);
  const chargeId = answer.headers.get("location")?.split("/").at(-1) ?? "";
  const code = await mandateCodeOf(world, chargeId);
  expect(await get(`/checkout/${chargeId}`)).toMatchObject({
    waits: true,
    automatic: { state: "waiting", todayCents: 1_990, amountCents: 1_990 },
    pix: { shareUrl: null },
  });
  expect(await statusOf(chargeId)).toBe("awaiting_payment waiting");
  await atBank(world, `recurring/${code.recurringPixId}/approve`);
  await world.drain();
  expect(await statusOf(chargeId)).toBe("succeeded authorised");
  expect(await get(`/checkout/${chargeId}`)).toMatchObject({
    waits: false,
    status: "succeeded",
    automatic: { state: "authorised" },
  });
});

test("with Pix disabled, Pix Automático is neither offered nor accepted", async () => {
  (world.ctx.settings as { pixEnabled: boolean }).pixEnabled = false;
  const page = `/checkout?plan=${ana.planId}`;
  expect(await get(page)).toMatchObject({ automatic: null });
  expect(
    await (await post(page, { planPriceId: ana.priceId, method: "automatic" })).json(),
  ).toMatchObject({
    errors: { method: "Esta forma de pagar não está disponível agora. Escolha outra." },
  });
});

test("with a coupon the mandate allows variable debits up to the full price", async () => {
  const code = "METADE";
  await createCoupon(world.ctx, {
    creatorId: ana.id,
    code,
    percent: 50,
    amountCents: null,
    cycles: 2,
    usesLimit: null,
    expiresAt: null,
    planIds: null,
  });
  expect(await get(`/checkout?plan=${ana.planId}&coupon=${code}`)).toMatchObject({
    automatic: { todayCents: 995, amountCents: null, ceilingCents: 1_990 },
  });
  const subscriber = await mandateSubscriber(world, bruno, ana, { coupon: code });
  expect(await mandateOf(world, subscriber.mandateId)).toMatchObject({
    amountCents: null,
    leastCents: 995,
    ceilingCents: 1_990,
  });
  const debited: number[] = [];
  for (let period = 0; period < 2; period += 1) {
    const startsAt = (await subscriptionRowOf(world, subscriber)).currentPeriodEndsAt ?? 0;
    for (const days of [-4.5, -0.1]) {
      await world.advance(startsAt + days * DAY_MS - world.ctx.now());
      await world.tick();
      await world.tick();
    }
    debited.push((await debitsOf(world, subscriber)).at(-1)?.amountCents ?? 0);
  }
  expect(debited).toEqual([995, 1_990]);
  expect((await debitsOf(world, subscriber)).map(({ status }) => status)).toEqual([
    "succeeded",
    "succeeded",
  ]);
});

test("a code paid without consent shows that there is no mandate; 'Já paguei' looks up both", async () => {
  world = await testContext({ webhooks: false });
  const code = await mandateCheckout(world, bruno, ana);
  await atBank(world, `recurring/${code.recurringPixId}/pay-only`);
  expect((await post(`/checkout/${code.chargeId}`)).status).toBe(303);
  expect(await get(`/checkout/${code.chargeId}`)).toMatchObject({
    status: "succeeded",
    waits: false,
    automatic: { state: "none" },
  });
});

test("a code rejected at the bank offers a new one of the same kind", async () => {
  const code = await mandateCheckout(world, bruno, ana);
  await atBank(world, `recurring/${code.recurringPixId}/reject`);
  await world.drain();
  expect(await get(`/checkout/${code.chargeId}`)).toMatchObject({
    status: "failed",
    waits: false,
    again: { fields: { method: "automatic" } },
  });
});

test("a code with a mandate cannot be shared, because it would debit another payer", async () => {
  const code = await mandateCheckout(world, bruno, ana);
  expect(await sharedPix(world.ctx, { token: await sharedPixToken(world.ctx, code) })).toBeNull();
});

test("an active subscription starts and ends a mandate on its own pages, and others get 404", async () => {
  const subscriptionId = (await paidSubscription(world, bruno, ana)).purchaseId;
  const page = `/settings/subscriptions/${subscriptionId}/payment-method`;
  expect(await get(page)).toMatchObject({ mandate: null, mayAutomate: true });
  expect(await get(`${page}/automatic`)).toMatchObject({
    terms: { todayCents: 1_990, amountCents: 1_990 },
  });
  const answer = await post(`${page}/automatic`);
  const chargeId = answer.headers.get("location")?.split("/").at(-1) ?? "";
  const code = await mandateCodeOf(world, chargeId);
  await atBank(world, `recurring/${code.recurringPixId}/approve`);
  await world.drain();
  expect(await get(page)).toMatchObject({
    mandate: { amountCents: 1_990 },
    mayAutomate: false,
  });
  expect((await routes.get({ person: bruno }, `${page}/automatic`)).headers.get("location")).toBe(
    page,
  );
  const stranger = await createPerson(world.ctx);
  expect((await routes.get({ person: stranger }, `${page}/automatic/end`)).status).toBe(404);
  expect((await routes.post({ person: stranger }, `${page}/automatic/end`, {})).status).toBe(404);
  expect((await post(`${page}/automatic/end`)).headers.get("location")).toBe(
    `/settings/subscriptions/${subscriptionId}`,
  );
  expect(await get(page)).toMatchObject({ mandate: null, mayAutomate: true });
});

test("statement, payment, receipt and spreadsheet name Pix Automático for payer and creator", async () => {
  const { chargeId } = await mandateSubscriber(world, bruno, ana);
  for (const caller of [{ person: bruno }, { person: ana, isCreator: true }]) {
    const shown = async (path: string) => await routes.get(caller, `/settings/transactions${path}`);
    const { receipt } = (await (await shown(`/${chargeId}/recibo`)).json()) as { receipt: Receipt };
    expect(receipt.sections[0]?.details).toContainEqual({
      label: "Forma",
      value: "Pix Automático",
    });
    expect(await (await shown("/planilha.csv")).text()).toContain(";Pix Automático;");
    const { items } = (await (await shown("")).json()) as {
      items: { method: PaymentMethod; recurringPixId: string | null }[];
    };
    const { charge } = (await (await shown(`/${chargeId}`)).json()) as {
      charge: { method: PaymentMethod; recurringPixId: string | null };
    };
    expect(
      [...items, charge].map(({ method, recurringPixId }) => methodLabel(method, recurringPixId)),
    ).toEqual(["Pix Automático", "Pix Automático"]);
  }
});

test("a change to a card cancels the debit order and the mandate, and the card pays the next period", async () => {
  const code = await mandateSubscriber(world, bruno, ana);
  await saveCard(world.ctx, {
    personId: bruno.id,
    cardToken: await cardToken(world, "4242424242424242"),
    returnPath: "/x",
  });
  const endsAt = (await subscriptionRowOf(world, code)).currentPeriodEndsAt ?? 0;
  await world.advance(endsAt - 4.5 * DAY_MS - world.ctx.now());
  await world.tick();
  expect((await debitsOf(world, code)).map(({ status }) => status)).toEqual(["processing"]);
  const page = `/settings/subscriptions/${code.subscriptionId}/payment-method`;
  expect(await get(page)).toMatchObject({ mayChange: true });
  const { cards, chosen } = await get<{ cards: { value: string }[]; chosen: string }>(
    `${page}/change`,
  );
  expect([cards[0]?.value, cards.length]).toEqual([chosen, 1]);
  expect((await post(`${page}/change`, { method: chosen })).headers.get("location")).toBe(
    `/settings/subscriptions/${code.subscriptionId}`,
  );
  expect(await get(page)).toMatchObject({
    method: "card",
    recurringPixId: null,
    mandate: null,
  });
  expect([
    await mandateAtProvider(code),
    (await debitsOf(world, code)).map(({ status }) => status),
  ]).toEqual(["canceled", ["canceled"]]);
  await world.advance(endsAt - world.ctx.now());
  await world.tick();
  const paid = (await subscriptionChargesOf(world, code)).filter(
    ({ periodStartsAt, succeededAt }) => periodStartsAt === endsAt && succeededAt !== null,
  );
  expect(paid.map(({ method, amountCents }) => ({ method, amountCents }))).toEqual([
    { method: "card", amountCents: 1_990 },
  ]);
});

test("a change to a card works while the provider is unavailable, and the mandate ends when it answers", async () => {
  const code = await mandateSubscriber(world, bruno, ana);
  await saveCard(world.ctx, {
    personId: bruno.id,
    cardToken: await cardToken(world, "4242424242424242"),
    returnPath: "/x",
  });
  const [card] = await savedCards(world.ctx, { personId: bruno.id });
  const silent = {
    ...world.ctx,
    payments: {
      ...world.ctx.payments,
      cancelRecurringPix: () => Promise.reject(new ProviderUnclear("timeout")),
      recurringPixById: () => Promise.reject(new ProviderUnclear("timeout")),
    },
  };
  await changeRenewalMethod(silent, {
    fanId: bruno.id,
    subscriptionId: code.subscriptionId,
    method: "card",
    savedMethodId: card?.id ?? "",
  });
  expect([
    (await subscriptionRowOf(world, code)).method,
    (await subscriptionRowOf(world, code)).recurringPixId,
    await mandateAtProvider(code),
  ]).toEqual(["card", null, "active"]);
  await world.advance(DAY_MS);
  await world.tick();
  expect(await mandateAtProvider(code)).toBe("canceled");
});

test("a refused debit is shown, and can be paid by a Pix code", async () => {
  const code = await mandateSubscriber(world, bruno, ana);
  const page = `/settings/subscriptions/${code.subscriptionId}`;
  await world.advance(
    ((await subscriptionRowOf(world, code)).currentPeriodEndsAt ?? 0) -
      4.5 * DAY_MS -
      world.ctx.now(),
  );
  await world.tick();
  await world.tick();
  const [debit] = await debitsOf(world, code);
  expect(await get(page)).toMatchObject({
    debit: { on: debit?.debitOn, isRefused: false },
    acts: ["pay_ahead", "change_plan", "payment_method", "pause", "cancel"],
  });
  expect((await routes.get({ person: bruno }, `${page}/pix-code`)).headers.get("location")).toBe(
    page,
  );
  await atBank(world, `instructions/${(await debitInstructionsOf(debit as never))[0]?.id}/refuse`);
  await world.drain();
  expect(await get(page)).toMatchObject({
    debit: { isRefused: true },
    acts: ["pay_by_code", "pay_ahead", "change_plan", "payment_method", "pause", "cancel"],
  });
  const answer = await post(`${page}/pix-code`);
  expect(answer.status).toBe(303);
  expect((await routes.get({ person: bruno }, `${page}/pix-code`)).headers.get("location")).toBe(
    answer.headers.get("location"),
  );
});
