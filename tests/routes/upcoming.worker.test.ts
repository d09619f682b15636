import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { checkoutCharge } from "#app/domain/payments/charges/queries/checkout.server.ts";
import { claimGift } from "#app/domain/purchases/gifts/commands/claim-gift.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { endComp, grantComp } from "#app/domain/subscriptions/comps/commands.server.ts";
import { liveSubscription } from "#app/domain/subscriptions/queries.server.ts";
import { addMonths, DAY_MS } from "#app/domain/time.ts";
import { againAt } from "#app/routes/checkout/retry.server.ts";
import * as checkoutPage from "#app/routes/checkout/checkout.tsx";
import * as compPage from "#app/routes/settings/subscriptions/comp.tsx";
import * as cancellationPage from "#app/routes/settings/subscriptions/cancellation.tsx";
import * as subscriptionPage from "#app/routes/settings/subscriptions/subscription.tsx";
import * as regretPage from "#app/routes/settings/sales/transaction-withdrawal.tsx";
import { charges } from "#drizzle/schema/payments.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { openDisputeOn } from "#tests/support/disputes.ts";
import { paidGift } from "#tests/support/gifts.ts";
import { cardToken, payAtBank } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

const routes = callRoutesAs([
  { path: "checkout", module: checkoutPage },
  { path: "settings/subscriptions/:id", module: subscriptionPage },
  { path: "settings/subscriptions/:id/cancellation", module: cancellationPage },
  { path: "settings/subscriptions/:id/comp", module: compPage },
  { path: "settings/transactions/:id/regret", module: regretPage },
]);

let world: World;
beforeEach(async () => {
  world = await testContext();
});
afterEach(() => expectInvariantsToHold(world.ctx));

const json = async (answer: Promise<Response>) =>
  await (await answer).json<Record<string, unknown>>();

/** Gives `fan` one month of Ana's plan as a claimed gift. */
async function given(ana: Seller, fan: TestPerson) {
  const { code } = await paidGift(world, await createPerson(world.ctx, "Bruno"), ana);
  const claimed = await claimGift(world.ctx, { memberId: fan.id, memberName: fan.name, code });
  await world.drain();
  return claimed;
}
const chargeOf = async (payerId: string) =>
  (await world.ctx.db.select().from(charges).where(eq(charges.payerId, payerId)))[0];

test("the receiver of a gifted plan can subscribe from its end: the page shows the day and the form pays for it", async () => {
  const [ana, clara] = [
    await createSeller(world.ctx, { trialDays: 7 }),
    await createPerson(world.ctx, "Clara"),
  ];
  const { subscriptionId, accessUntil: beginsAt } = await given(ana, clara);
  const caller = { person: clara };
  expect(await json(routes.get(caller, `/settings/subscriptions/${subscriptionId}`))).toMatchObject(
    {
      acts: ["follow"],
    },
  );
  expect(await json(routes.get(caller, `/checkout?plan=${ana.planId}`))).toMatchObject({
    obstacle: null,
    beginsAt,
    trial: null,
    ahead: null,
    automatic: null,
    summary: { nextChargeAt: addMonths(beginsAt, 1) },
  });

  const fields = { planPriceId: ana.priceId, method: "pix", amountCents: "1990" };
  expect(
    await json(
      routes.post(caller, `/checkout?plan=${ana.planId}`, {
        ...fields,
        beginsAt: String(beginsAt + 1),
      }),
    ),
  ).toMatchObject({ message: expect.stringContaining("O dia em que a assinatura começa mudou") });
  expect(
    (
      await routes.post(caller, `/checkout?plan=${ana.planId}`, {
        ...fields,
        beginsAt: String(beginsAt),
      })
    ).status,
  ).toBe(303);
  const waiting = await checkoutCharge(world.ctx, {
    memberId: clara.id,
    chargeId: (await chargeOf(clara.id))?.id ?? "",
  });
  expect(waiting?.beginsAt).toBe(beginsAt);
  // The start may change, so the retry opens the page again.
  expect(
    waiting && (await againAt(world.ctx, { memberId: clara.id, charge: waiting }))?.fields,
  ).toBeNull();
  // The same holds once the code has expired.
  await world.advance(DAY_MS);
  await world.tick();
  const over = await checkoutCharge(world.ctx, {
    memberId: clara.id,
    chargeId: (await chargeOf(clara.id))?.id ?? "",
  });
  expect(over).toMatchObject({ status: "expired" });
  expect(
    over && (await againAt(world.ctx, { memberId: clara.id, charge: over }))?.fields,
  ).toBeNull();
});

test("a paid upcoming subscription shows its start, can be canceled, and replaces the offer on the gift", async () => {
  const [ana, clara] = [await createSeller(world.ctx), await createPerson(world.ctx, "Clara")];
  const { subscriptionId, accessUntil: beginsAt } = await given(ana, clara);
  const { chargeId } = await startSubscription(world.ctx, {
    memberId: clara.id,
    memberName: clara.name,
    planPriceId: ana.priceId,
    method: "pix",
    cardToken: null,
    beginsAt,
  });
  const made = await chargeRow(world.ctx, { chargeId });
  await payAtBank(world, { providerChargeId: made?.providerChargeId ?? "" });
  await world.drain();
  expect((await checkoutCharge(world.ctx, { memberId: clara.id, chargeId }))?.beginsAt).toBe(
    beginsAt,
  );

  const [caller, path] = [{ person: clara }, `/settings/subscriptions/${made?.purchaseId ?? ""}`];
  expect(await json(routes.get(caller, `/settings/subscriptions/${subscriptionId}`))).toMatchObject(
    {
      acts: [],
      upcomingId: made?.purchaseId,
    },
  );
  expect(await json(routes.get(caller, `/checkout?plan=${ana.planId}`))).toMatchObject({
    obstacle: "subscribed",
  });
  expect(await json(routes.get(caller, path))).toMatchObject({
    status: "upcoming",
    acts: ["payment_method", "cancel"],
    upcomingId: null,
  });
  expect(await json(routes.get(caller, `${path}/cancellation`))).toMatchObject({
    renews: false,
    mayEndNow: true,
    isUpcoming: true,
  });
  expect((await routes.post(caller, `${path}/cancellation`, { ending: "now" })).status).toBe(302);
  expect(await json(routes.get(caller, path))).toMatchObject({ status: "expired" });
});

test("an upcoming subscription alone shows its start, and cannot be canceled while disputed", async () => {
  const [ana, clara] = [await createSeller(world.ctx), await createPerson(world.ctx, "Clara")];
  const { endsAt: beginsAt } = await grantComp(world.ctx, {
    creatorId: ana.id,
    creatorName: ana.name,
    givenBy: ana.id,
    username: clara.username,
    planId: ana.planId,
    months: 1,
  });
  const comp = await liveSubscription(world.ctx, { fanId: clara.id, creatorId: ana.id });
  const { chargeId } = await startSubscription(world.ctx, {
    memberId: clara.id,
    memberName: clara.name,
    planPriceId: ana.priceId,
    method: "card",
    cardToken: await cardToken(world),
    beginsAt,
  });
  await world.drain();
  const made = await chargeRow(world.ctx, { chargeId });
  if (!made || !comp) throw new Error("nothing was paid");
  const [caller, path] = [{ person: clara }, `/settings/subscriptions/${made.purchaseId}`];
  expect(await json(routes.get(caller, `/settings/subscriptions/${comp.id}/comp`))).toMatchObject({
    hasUpcoming: true,
  });
  await endComp(world.ctx, { subscriptionId: comp.id, by: { fanId: clara.id } });
  expect(await json(routes.get(caller, `/checkout?plan=${ana.planId}`))).toMatchObject({
    obstacle: "upcoming",
    beginsAt,
  });
  expect(await json(routes.get(caller, `/settings/transactions/${chargeId}/regret`))).toMatchObject(
    {
      isUpcoming: true,
    },
  );
  await openDisputeOn(world, made);
  expect(await json(routes.get(caller, path))).toMatchObject({
    status: "upcoming",
    acts: ["payment_method"],
    coolingOffHeld: expect.stringMatching(/em contestação no banco.*não dá para cancelar/),
  });
  expect((await routes.get(caller, `${path}/cancellation`)).status).toBe(302);
});
