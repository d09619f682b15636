import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  eraseBillingStatements,
  saveBillingDetails,
} from "#app/domain/billing/details/commands.server.ts";
import { setDefaultMethod } from "#app/domain/billing/saved-methods/commands/saved-methods.server.ts";
import {
  billingDetailsOfPerson,
  billingOverview,
  savedCards,
} from "#app/domain/billing/details/queries.server.ts";
import { commit } from "#app/db/client.server.ts";
import { ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { cancelSubscription } from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { liveSubscription } from "#app/domain/subscriptions/queries.server.ts";
import { savedMethods } from "#drizzle/schema/billing.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { payAtBank, paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ctx: World["ctx"];
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ctx = world.ctx;
  ana = await createSeller(ctx, { amountCents: 1_990 });
  bruno = await createPerson(ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(ctx));

async function subscribedByCard(
  fan: TestPerson,
  page: Seller,
  number = "4242424242424242",
): Promise<string> {
  const answer = await world.browse("/v1/tokens", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ number, expiry: "12/40", cvv: "123", holder: "Bruno Reis" }),
  });
  const { id: token } = (await answer.json()) as { id: string };
  const started = await startSubscription(ctx, {
    memberId: fan.id,
    memberName: fan.name,
    planPriceId: page.priceId,
    method: "card",
    cardToken: token,
  });
  const charge = await chargeRow(ctx, started);
  if (charge?.status === "requires_action")
    await payAtBank(world, { providerChargeId: charge.providerChargeId ?? "" });
  await world.drain();
  const subscription = await liveSubscription(ctx, { fanId: fan.id, creatorId: page.id });
  if (!subscription?.savedMethodId) throw new Error("no card was kept");
  return subscription.savedMethodId;
}

const cardsOf = (fan: TestPerson) => savedCards(ctx, { personId: fan.id });
const liveOf = (fan: TestPerson, page: Seller) =>
  liveSubscription(ctx, { fanId: fan.id, creatorId: page.id });
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: Error) => error.message,
  );

describe("a card that paid a subscription", () => {
  test("is saved, lists what it renews, and gets its brand and digits from the provider", async () => {
    const card = await subscribedByCard(bruno, ana);
    expect(await cardsOf(bruno)).toMatchObject([
      { id: card, renews: 1, isDefault: false, last4: null },
    ]);
    await world.tick();
    expect(await cardsOf(bruno)).toMatchObject([{ id: card, last4: "4242", brand: "visa" }]);
    expect(await cardsOf(ana)).toEqual([]);
  });

  test("is looked up again while the provider does not answer, and never again after a refusal", async () => {
    const card = await subscribedByCard(bruno, ana);
    let asked = 0;
    ctx.payments.savedMethodById = (id) => {
      // The cards of the other tests wait for their lookup too.
      if (id === card) asked += 1;
      return Promise.reject(
        asked <= 1 ? new ProviderUnclear("silence") : new ProviderRefused("unknown_method"),
      );
    };
    for (let minute = 0; minute < 3; minute += 1) await world.tick();
    expect(asked).toBe(2);
    expect(await cardsOf(bruno)).toMatchObject([{ id: card, last4: null }]);
  });

  test("becomes the only default card, and another member's card cannot", async () => {
    const first = await subscribedByCard(bruno, ana);
    const second = await subscribedByCard(bruno, await createSeller(ctx), "5555555555554444");
    await setDefaultMethod(ctx, { personId: bruno.id, methodId: first });
    await setDefaultMethod(ctx, { personId: bruno.id, methodId: second });
    expect((await cardsOf(bruno)).map(({ id, isDefault }) => [id, isDefault])).toEqual([
      [second, true],
      [first, false],
    ]);
    expect(await refusal(setDefaultMethod(ctx, { personId: ana.id, methodId: first }))).toBe(
      "Não encontramos este cartão.",
    );
    expect((await cardsOf(bruno)).filter((card) => card.isDefault)).toHaveLength(1);
  });
});

const DETAILS = {
  taxKind: "cnpj" as const,
  taxId: "12ABC34501DE35",
  name: "Paz Ltda.",
  cep: "50050000",
  street: "Rua da Aurora",
  number: "295",
  complement: "",
  district: "Boa Vista",
  city: "Recife",
  state: "PE",
};

test("billing details are saved, changed and deleted with their member, and so are cards", async () => {
  const card = await subscribedByCard(bruno, ana);
  await saveBillingDetails(ctx, { personId: bruno.id, details: DETAILS });
  await saveBillingDetails(ctx, { personId: bruno.id, details: { ...DETAILS, number: "300" } });
  expect(await billingDetailsOfPerson(ctx, { personId: bruno.id })).toEqual({
    ...DETAILS,
    number: "300",
  });
  await commit(ctx.db, eraseBillingStatements(ctx, { personId: bruno.id }));
  expect(await billingDetailsOfPerson(ctx, { personId: bruno.id })).toBeNull();
  expect(await cardsOf(bruno)).toEqual([]);
  await world.tick();
  expect(await ctx.db.$count(savedMethods, eq(savedMethods.id, card))).toBe(0);
});

test("upcoming payments are sorted by date, exclude canceled subscriptions, and sum this month's payments", async () => {
  const later = await createSeller(ctx, { interval: "annual", amountCents: 12_000 });
  await paidSubscription(world, bruno, later);
  await paidSubscription(world, bruno, ana);
  const gone = await createSeller(ctx);
  await paidSubscription(world, bruno, gone);
  await cancelSubscription(ctx, {
    fanId: bruno.id,
    subscriptionId: (await liveOf(bruno, gone))?.id ?? "",
  });
  const { upcoming, paidThisMonthCents, details } = await billingOverview(ctx, {
    personId: bruno.id,
  });
  expect(upcoming.map((charge) => charge.amountCents)).toEqual([1_990, 12_000]);
  expect(paidThisMonthCents).toBe(1_990 + 12_000 + 1_990);
  expect(details).toBeNull();
});
