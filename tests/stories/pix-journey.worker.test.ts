import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { transactionForViewer } from "#app/domain/billing/statements/queries/transaction.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { checkoutCharge } from "#app/domain/payments/charges/queries/checkout.server.ts";
import { creatorBalances, payoutHistory } from "#app/domain/payouts/queries.server.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { memberNotifications } from "#app/domain/notifications/queries.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { memberSubscriptions } from "#app/domain/subscriptions/queries.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { inbox } from "#drizzle/schema/payments.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";

let world: World;
beforeEach(async () => {
  world = await testContext();
});
afterEach(() => expectInvariantsToHold(world.ctx));

test("a Pix is paid, the fee is taken, the subscriber gets access and the creator is paid out", async () => {
  const { ctx } = world;
  const ana = await createSeller(ctx, { amountCents: 1_990 });
  const bruno = await createPerson(ctx, "Bruno");
  const started = await startSubscription(ctx, {
    memberId: bruno.id,
    memberName: bruno.name,
    planPriceId: ana.priceId,
    method: "pix",
    cardToken: null,
  });
  expect(started.status).toBe("awaiting_payment");
  const waiting = await checkoutCharge(ctx, { memberId: bruno.id, chargeId: started.chargeId });
  expect(waiting?.pixCode).toMatch(/^000201/);

  const charge = await chargeRow(ctx, { chargeId: started.chargeId });
  expect((await world.console(`/sandbox/charges/${charge?.providerChargeId}/pay`)).status).toBe(
    200,
  );
  await world.drain();

  // The open checkout page gets a live update for its code, and one for the payment. Then the
  // welcome message arrives.
  expect(world.changedTopics).toEqual([
    `charge:${started.chargeId}`,
    `charge:${started.chargeId}`,
    `inbox:${bruno.id}`,
  ]);
  expect(await chargeRow(ctx, { chargeId: started.chargeId })).toMatchObject({
    status: "succeeded",
    feeCents: 100,
    netCents: 1_890,
  });
  const [subscription] = (
    await memberSubscriptions(ctx, { fanId: bruno.id, cursor: null, limit: 5 })
  ).items;
  expect(subscription).toMatchObject({ status: "active", planName: "Camarim" });
  expect(await creatorBalances(ctx, { creatorId: ana.id })).toMatchObject({
    pendingCents: 1_890,
    availableCents: 0,
  });
  expect(
    (await memberNotifications(ctx, { personId: bruno.id, cursor: null, limit: 9 })).items,
  ).toHaveLength(1);
  // The payer's view names the seller, and shows only the payment entry.
  const seenBy = (personId: string) =>
    transactionForViewer(ctx, {
      chargeId: started.chargeId,
      personId,
      isOwn: true,
      isModerator: false,
    });
  expect(await seenBy(bruno.id)).toMatchObject({
    side: "payer",
    seller: { document: { name: "Ana Maria Lira" } },
    entries: [{ amountCents: 1_990, accountKind: "provider_clearing" }],
  });
  expect(await seenBy(ana.id)).toMatchObject({
    side: "seller",
    entries: [{ amountCents: 1_990 }, { amountCents: -1_890 }, { amountCents: -100 }],
  });
  expect(await seenBy((await createPerson(ctx)).id)).toBeNull();
  const [delivery] = await ctx.db
    .select()
    .from(inbox)
    .where(eq(inbox.objectId, charge?.providerChargeId ?? ""));
  expect(delivery?.handledAt).not.toBeNull();

  await world.advance(9 * DAY_MS);
  await world.tick();
  expect(await creatorBalances(ctx, { creatorId: ana.id })).toMatchObject({ pendingCents: 0 });
  if (
    (await payoutHistory(ctx, { creatorId: ana.id, cursor: null, limit: 5 })).items.length === 0
  ) {
    await requestPayout(ctx, { creatorId: ana.id });
  }
  await world.drain();
  await world.advance(DAY_MS);
  await world.tick();
  const [payout] = (await payoutHistory(ctx, { creatorId: ana.id, cursor: null, limit: 5 })).items;
  expect(payout).toMatchObject({ status: "paid", amountCents: 1_890 });
  expect(await creatorBalances(ctx, { creatorId: ana.id })).toMatchObject({
    pendingCents: 0,
    availableCents: 0,
    inTransitCents: 0,
  });
});
