import { expect, test } from "vitest";
import * as billingPage from "#app/routes/settings/billing/billing.tsx";
import * as methodPage from "#app/routes/settings/subscriptions/payment-method.tsx";
import * as planPage from "#app/routes/settings/subscriptions/plan.tsx";
import * as prepayPage from "#app/routes/settings/subscriptions/prepay.tsx";
import * as subscriptionPage from "#app/routes/settings/subscriptions/subscription.tsx";
import { addDays, formatDay } from "#app/domain/time.ts";
import { testContext } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { mandateSubscriber, subscriptionRowOf } from "#tests/support/pix-mandates.ts";
import { createPlanChangeScenario, otherPlan } from "#tests/support/plan-changes.ts";
import { asMember, renderPagesAs } from "#tests/support/rendered-pages.ts";

// What a subscriber reads on these pages, from the real loaders and components.

const PAGES = [
  { path: "settings/billing", module: billingPage },
  { path: "settings/subscriptions/:id", module: subscriptionPage },
  { path: "settings/subscriptions/:id/payment-method", module: methodPage },
  { path: "settings/subscriptions/:id/plan/:priceId", module: planPage },
  { path: "settings/subscriptions/:id/ahead", module: prepayPage },
];

test("every page names the eve of the period as the day of an automatic debit", async () => {
  const world = await testContext();
  const bruno = await createPerson(world.ctx, "Bruno Reis");
  const code = await mandateSubscriber(world, bruno, await createSeller(world.ctx));
  const endsAt = (await subscriptionRowOf(world, code)).currentPeriodEndsAt ?? 0;
  const [eve, end] = [formatDay(addDays(endsAt, -1)), formatDay(endsAt)];
  const page = renderPagesAs(
    () => world.ctx,
    () => asMember(bruno),
    PAGES,
  );
  const path = `/settings/subscriptions/${code.subscriptionId}`;

  expect(await page(path)).toMatch(new RegExp(`Próxima cobrança.*?em ${eve}`, "s"));
  expect(await page(`${path}/payment-method`)).toMatch(
    new RegExp(`Próxima cobrança</dt><dd[^>]*>${eve}<`, "s"),
  );
  const billing = await page("/settings/billing");
  expect(billing).toContain(`${eve} · Pix Automático`);
  expect(billing).not.toContain(end);
});

test("a change of plan below R$ 10,00 says why it is only by Pix", async () => {
  const { world, ana, bruno, subscriptionId } = await createPlanChangeScenario();
  const { prices } = await otherPlan(world.ctx, ana.id, { name: "Coxia", monthly: 3_500 });
  const page = renderPagesAs(
    () => world.ctx,
    () => asMember(bruno),
    PAGES,
  );

  const cheap = await page(`/settings/subscriptions/${subscriptionId}/plan/${prices.monthly}`);
  expect(cheap).toContain("Valores abaixo de R$\u00a010,00 se pagam só com Pix.");
});

test("a change of plan that a card can pay says nothing about Pix alone", async () => {
  const { world, bruno, subscriptionId, palco } = await createPlanChangeScenario();
  const page = renderPagesAs(
    () => world.ctx,
    () => asMember(bruno),
    PAGES,
  );

  const dear = await page(`/settings/subscriptions/${subscriptionId}/plan/${palco.prices.monthly}`);
  expect(dear).toContain("Mudar para Palco?");
  expect(dear).not.toContain("só com Pix");
});

test("paying ahead says why several periods are only by Pix", async () => {
  const world = await testContext();
  const bruno = await createPerson(world.ctx, "Bruno Reis");
  const seller = await createSeller(world.ctx, { amountCents: 1_990 });
  const { purchaseId } = await paidSubscription(world, bruno, seller);
  const page = renderPagesAs(
    () => world.ctx,
    () => asMember(bruno),
    PAGES,
  );

  expect(await page(`/settings/subscriptions/${purchaseId}/ahead`)).toContain(
    "Vários períodos de uma vez se pagam só com Pix: cartão e Pix Automático cobram um período por vez.",
  );
});
