import type { MiddlewareFunction } from "react-router";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ProviderRefused } from "#app/domain/payments/errors.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { requestSubscriptionCoolingOffRefund } from "#app/domain/subscriptions/cancellations/commands/cooling-off.server.ts";
import { cancelSubscription } from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { pauseSubscription } from "#app/domain/subscriptions/pauses/commands.server.ts";
import { liveSubscription } from "#app/domain/subscriptions/queries.server.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import * as chargePage from "#app/routes/checkout/charge.tsx";
import * as checkoutPage from "#app/routes/checkout/checkout.tsx";
import { callRoutesAs } from "#tests/support/acting.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import {
  renewalHelpers,
  DECLINED_OFF_SESSION_CARD,
  subscribedByCard,
} from "#tests/support/dunning.ts";
import { payAtBank, pixCheckout, paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

const inWorld: MiddlewareFunction<Response> = ({ context }) => {
  context.set(domainContext, world.ctx);
};
const routes = callRoutesAs([
  { path: "checkout", module: checkoutPage, middleware: [inWorld as MiddlewareFunction] },
  { path: "checkout/:chargeId", module: chargePage, middleware: [inWorld as MiddlewareFunction] },
]);

let world: World;
let ana: Seller;
let bruno: TestPerson;
let subscriptionId: string;
let startsAt: number;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

const { row, attempts, goTo } = renewalHelpers(() => ({
  world,
  fan: bruno,
  subscriptionId,
  startsAt,
}));
const page = (chargeId: string) =>
  routes.read<Record<string, unknown>>({ person: bruno }, `/checkout/${chargeId}`);
const checkout = () =>
  routes.read<Record<string, unknown>>({ person: bruno }, `/checkout?plan=${ana.planId}`);
const itsPage = (label: string) => ({
  again: { path: `/settings/subscriptions/${subscriptionId}`, fields: null, label },
});
const mine = () => ({ fanId: bruno.id, subscriptionId });

async function paidByPix(): Promise<string> {
  const { chargeId, purchaseId } = await paidSubscription(world, bruno, ana).then((charge) => ({
    chargeId: charge.id,
    purchaseId: charge.purchaseId,
  }));
  subscriptionId = purchaseId;
  startsAt = (await row()).currentPeriodEndsAt ?? 0;
  return chargeId;
}

test("a renewal declined by the card links to the debt, and the checkout reports the subscription as past due", async () => {
  ({ subscriptionId, startsAt } = await subscribedByCard(
    world,
    bruno,
    ana,
    DECLINED_OFF_SESSION_CARD,
  ));
  await goTo(0);
  const [renewal] = await attempts();
  expect(await row()).toMatchObject({ status: "past_due" });
  expect(await page(renewal?.id ?? "")).toMatchObject({
    status: "failed",
    ...itsPage("Ver como pagar"),
  });
  expect(await checkout()).toMatchObject({
    obstacle: "subscribed",
    plan: { live: { id: subscriptionId, status: "past_due" } },
  });
});

test("a canceled Pix renewal links to the subscription and starts no other charge", async () => {
  await paidByPix();
  await goTo(-3);
  const [renewal] = await attempts();
  expect(renewal?.status).toBe("awaiting_payment");
  await pauseSubscription(world.ctx, mine());
  await world.drain();
  expect(await page(renewal?.id ?? "")).toMatchObject({
    status: "canceled",
    ...itsPage("Ver minha assinatura"),
  });
  expect(await checkout()).toMatchObject({
    obstacle: "subscribed",
    plan: { live: { status: "paused" } },
  });
});

test("a paid charge shows the next charge while active, the end of access once canceled, and neither when paused or over", async () => {
  const chargeId = await paidByPix();
  expect(await page(chargeId)).toMatchObject({ paid: { kind: "open" }, nextChargeAt: startsAt });
  await pauseSubscription(world.ctx, mine());
  expect(await page(chargeId)).toMatchObject({ paid: { kind: "paused" }, nextChargeAt: null });
  await world.advance(40 * DAY_MS);
  await world.tick();
  expect(await row()).toMatchObject({ status: "active" });
  expect((await page(chargeId))["nextChargeAt"]).toBe((await row()).currentPeriodEndsAt);
  await cancelSubscription(world.ctx, mine());
  const { accessUntil } = await row();
  expect(await page(chargeId)).toMatchObject({
    paid: { kind: "ending", until: accessUntil },
    nextChargeAt: null,
  });
  await world.advance((accessUntil ?? 0) - world.ctx.now() + DAY_MS);
  await world.tick();
  expect(await row()).toMatchObject({ status: "expired" });
  expect(await page(chargeId)).toMatchObject({
    status: "succeeded",
    paid: { kind: "over" },
    nextChargeAt: null,
    isReturning: false,
  });
});

test("a late payment starts its period when it is accepted, and its page shows the next charge from then", async () => {
  const code = await pixCheckout(world, bruno, ana);
  await world.advance(20 * MINUTE_MS);
  await payAtBank(world, code);
  await world.drain();
  const standing = await liveSubscription(world.ctx, { fanId: bruno.id, creatorId: ana.id });
  expect(standing?.currentPeriodEndsAt).toBeGreaterThan(world.ctx.now());
  expect(await page(code.chargeId)).toMatchObject({
    status: "succeeded",
    paid: { kind: "open" },
    nextChargeAt: standing?.currentPeriodEndsAt,
  });
});

test("a refund that the provider refused is not shown as on its way", async () => {
  const chargeId = await paidByPix();
  const { refund } = world.ctx.payments;
  world.ctx.payments.refund = () => Promise.reject(new ProviderRefused("insufficient_balance"));
  await requestSubscriptionCoolingOffRefund(world.ctx, mine());
  await world.drain();
  expect(await page(chargeId)).toMatchObject({ isReturning: true, isRefundRefused: true });
  // Staff refunds it on the provider's own pages.
  world.ctx.payments.refund = refund;
  const charge = await chargeRow(world.ctx, { chargeId });
  await refund({
    refundId: `panel-${world.ctx.newId()}`,
    providerChargeId: charge?.providerChargeId ?? "",
    amountCents: charge?.amountCents ?? 0,
  });
  await world.drain();
  expect(await page(chargeId)).toMatchObject({ status: "refunded", isReturning: false });
});
