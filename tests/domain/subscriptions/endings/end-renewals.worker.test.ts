import { and, asc, eq, isNotNull } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refundCharge } from "#app/domain/billing/refunds/commands/refund.server.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { reconcileCharge } from "#app/domain/payments/charges/commands/request.server.ts";
import { settleCharge } from "#app/domain/payments/charges/commands/settle.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { closeSubscription } from "#app/domain/subscriptions/endings/commands/close.server.ts";
import { requestSubscriptionCoolingOffRefund } from "#app/domain/subscriptions/cancellations/commands/cooling-off.server.ts";
import { pauseSubscription } from "#app/domain/subscriptions/pauses/commands.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";
import { subscriptionRefundReasons } from "#app/domain/subscriptions/schema.ts";
import { addDays, DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { charges, refunds } from "#drizzle/schema/payments.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { decideDisputeAtProvider, openDisputeOn } from "#tests/support/disputes.ts";
import { cardToken, payAtBank, paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

type Stage = { world: World; ana: Seller; bruno: TestPerson };

async function rowOf({ ctx }: World, subscriptionId: string) {
  const [row] = await ctx.db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.id, subscriptionId));
  if (!row) throw new Error("no subscription");
  return row;
}
const renewalsOf = ({ ctx }: World, subscriptionId: string) =>
  ctx.db
    .select()
    .from(charges)
    .where(and(eq(charges.purchaseId, subscriptionId), isNotNull(charges.periodStartsAt)))
    .orderBy(asc(charges.createdAt));
const reasonsOf = async ({ ctx }: World, chargeId: string) =>
  (await ctx.db.select().from(refunds).where(eq(refunds.chargeId, chargeId))).map(
    ({ reason }) => reason,
  );

type First = { id: string; providerChargeId: string | null; purchaseId: string };

/** Returns the Pix renewal charge of the second week, which is sent and not paid. */
async function renewalSent({
  world,
  ana,
  bruno,
}: Stage): Promise<{ first: First; renewal: { id: string; providerChargeId: string } }> {
  const first = await paidSubscription(world, bruno, ana);
  await world.advance(5 * DAY_MS);
  await world.tick();
  await world.tick();
  const [renewal] = await renewalsOf(world, first.purchaseId);
  if (renewal?.status !== "awaiting_payment" || !renewal.providerChargeId)
    throw new Error(`the renewal is ${renewal?.status}`);
  return { first, renewal: { id: renewal.id, providerChargeId: renewal.providerChargeId } };
}

/** The ways in which a subscription ends early. */
const ends: [string, (stage: Stage, first: First) => Promise<void>][] = [
  [
    "regretted",
    ({ world, bruno }, first) =>
      requestSubscriptionCoolingOffRefund(world.ctx, {
        fanId: bruno.id,
        subscriptionId: first.purchaseId,
      }),
  ],
  [
    "refunded by the seller",
    async ({ world, ana }, first) =>
      void (await refundCharge(world.ctx, {
        chargeId: first.id,
        sellerId: ana.id,
        decidedBy: ana.id,
        refundId: world.ctx.newId(),
        amountCents: 1_990,
        reason: "",
      })),
  ],
  [
    "ended by a lost dispute",
    async ({ world }, first) =>
      decideDisputeAtProvider(world, (await openDisputeOn(world, first)).providerDisputeId, "lose"),
  ],
  [
    "ended with the account of one side",
    ({ world }, first) =>
      closeSubscription(world.ctx, { subscriptionId: first.purchaseId, because: "creator_left" }),
  ],
];

let stage: Stage;
let world: World;
beforeEach(async () => {
  world = await testContext();
  // A weekly plan of R$ 19,90. Its renewal code is sent on the fourth day.
  stage = {
    world,
    ana: await createSeller(world.ctx, { interval: "weekly" }),
    bruno: await createPerson(world.ctx, "Bruno"),
  };
});
afterEach(() => expectInvariantsToHold(world.ctx));

describe.each(ends)("a subscription that was %s", (_, end) => {
  test("cancels its renewal code and refunds a late payment of it, without starting again", async () => {
    const { first, renewal } = await renewalSent(stage);
    await end(stage, first);
    await world.drain();
    await world.advance(MINUTE_MS);
    await world.tick();
    expect((await chargeRow(world.ctx, { chargeId: renewal.id }))?.status).toBe("canceled");
    await world.advance(2 * DAY_MS);
    await payAtBank(world, renewal);
    await world.drain();
    await world.advance(MINUTE_MS);
    await world.tick();
    expect(await rowOf(world, first.purchaseId)).toMatchObject({
      status: "expired",
      holdsSeat: false,
      calendarAt: null,
    });
    expect(await chargeRow(world.ctx, { chargeId: renewal.id })).toMatchObject({
      status: "refunded",
      refundedCents: 1_990,
    });
    expect(await reasonsOf(world, renewal.id)).toEqual([subscriptionRefundReasons.ended_early]);
  });
});

/** A context whose provider charges the card and returns no answer. */
const unconfirmed = () => ({
  ...world.ctx,
  payments: {
    ...world.ctx.payments,
    createCardCharge: async (
      request: Parameters<typeof world.ctx.payments.createCardCharge>[0],
    ) => {
      await world.ctx.payments.createCardCharge(request);
      throw new ProviderUnclear("no answer");
    },
  },
});

/**
 * Returns a weekly card subscription whose renewal was approved by the bank, without an answer to
 * us.
 */
async function cardAsked(): Promise<{ first: First; startsAt: number; renewalId: string }> {
  const { ana, bruno } = stage;
  const { chargeId } = await startSubscription(world.ctx, {
    memberId: bruno.id,
    memberName: bruno.name,
    planPriceId: ana.priceId,
    method: "card",
    cardToken: await cardToken(world),
  });
  await world.drain();
  const first = await chargeRow(world.ctx, { chargeId });
  if (!first) throw new Error("no charge");
  const startsAt = (await rowOf(world, first.purchaseId)).currentPeriodEndsAt ?? 0;
  await world.advance(startsAt + MINUTE_MS - world.ctx.now());
  await advanceSubscription(unconfirmed(), { subscriptionId: first.purchaseId });
  // The webhook event waits at the provider.
  world.queued.splice(0);
  const [renewal] = await renewalsOf(world, first.purchaseId);
  if (renewal?.status !== "created") throw new Error(`the renewal is ${renewal?.status}`);
  return { first, startsAt, renewalId: renewal.id };
}

// A seller refund of a past week does not end the subscription.
describe.each(ends.filter(([name]) => !name.startsWith("refunded")))(
  "a card subscription that was %s",
  (_, end) => {
    test("is charged no more, and a renewal that the card paid meanwhile is refunded", async () => {
      const { first, renewalId } = await cardAsked();
      await end(stage, first);
      await reconcileCharge(world.ctx, { chargeId: renewalId });
      await world.drain();
      await world.advance(MINUTE_MS);
      await world.tick();
      expect((await rowOf(world, first.purchaseId)).status).toBe("expired");
      expect((await chargeRow(world.ctx, { chargeId: renewalId }))?.status).toBe("refunded");
    });
  },
);

test("a card renewal confirmed only after the subscription ended by itself is refunded: no payer was present", async () => {
  const { first, startsAt, renewalId } = await cardAsked();
  const { createCardCharge: _, ...deaf } = world.ctx.payments;
  const chargeByReference = () => Promise.reject(new ProviderUnclear("no answer"));
  const unavailable = {
    ...world.ctx,
    payments: {
      ...deaf,
      createCardCharge: unconfirmed().payments.createCardCharge,
      chargeByReference,
    },
  };
  for (const days of [0, 7, 8]) {
    await world.advance(addDays(startsAt, days) + 2 * MINUTE_MS - world.ctx.now());
    await advanceSubscription(unavailable, { subscriptionId: first.purchaseId });
  }
  expect((await rowOf(world, first.purchaseId)).status).toBe("expired");
  await reconcileCharge(world.ctx, { chargeId: renewalId });
  await world.drain();
  expect((await rowOf(world, first.purchaseId)).status).toBe("expired");
  expect((await chargeRow(world.ctx, { chargeId: renewalId }))?.status).toBe("refunded");
  expect(await reasonsOf(world, renewalId)).toEqual([subscriptionRefundReasons.renewed_late]);
});

test("a card renewal that its owner authenticated is honoured when the bank confirms it after the end", async () => {
  const { first, startsAt, renewalId } = await cardAsked();
  const paid = await world.ctx.payments.chargeByReference(renewalId);
  if (!paid) throw new Error("nothing was asked for");
  for (const status of ["requires_action", "processing"] as const)
    await settleCharge(world.ctx, { chargeId: renewalId, providerCharge: { ...paid, status } });
  const unavailable = {
    ...world.ctx,
    payments: {
      ...world.ctx.payments,
      chargeById: () => Promise.reject(new ProviderUnclear("no answer")),
    },
  };
  await world.advance(addDays(startsAt, 8) + 2 * MINUTE_MS - world.ctx.now());
  await advanceSubscription(unavailable, { subscriptionId: first.purchaseId });
  expect((await rowOf(world, first.purchaseId)).status).toBe("expired");
  await reconcileCharge(world.ctx, { chargeId: renewalId });
  await world.drain();
  expect((await rowOf(world, first.purchaseId)).status).toBe("active");
  expect((await chargeRow(world.ctx, { chargeId: renewalId }))?.status).toBe("succeeded");
});

test("a Pix code that is paid after the subscription ended by itself is honoured", async () => {
  const { first, renewal } = await renewalSent(stage);
  const { currentPeriodEndsAt } = await rowOf(world, first.purchaseId);
  await world.advance(addDays(currentPeriodEndsAt ?? 0, 7) + MINUTE_MS - world.ctx.now());
  await world.tick();
  await world.tick();
  expect((await rowOf(world, first.purchaseId)).status).toBe("expired");
  await payAtBank(world, renewal);
  await world.drain();
  expect((await rowOf(world, first.purchaseId)).status).toBe("active");
});

test("a crash between the cooling-off refund and the code's cancellation leaves the code to the scheduler, which cancels it", async () => {
  const { first, renewal } = await renewalSent(stage);
  const dying = {
    ...world.ctx,
    payments: {
      ...world.ctx.payments,
      cancelCharge: () => Promise.reject(new Error("the process died here")),
    },
  };
  await expect(
    requestSubscriptionCoolingOffRefund(dying, {
      fanId: stage.bruno.id,
      subscriptionId: first.purchaseId,
    }),
  ).rejects.toThrow("died here");
  expect((await rowOf(world, first.purchaseId)).status).toBe("expired");
  expect((await chargeRow(world.ctx, { chargeId: renewal.id }))?.status).toBe("awaiting_payment");
  await world.tick();
  expect((await chargeRow(world.ctx, { chargeId: renewal.id }))?.status).toBe("canceled");
});

/** A context whose provider does not answer to cancellations. */
const deaf = () => ({
  ...world.ctx,
  payments: {
    ...world.ctx.payments,
    cancelCharge: () => Promise.reject(new ProviderUnclear("no answer")),
  },
});

test("a renewal code that a pause could not cancel is canceled, or refunded if paid, after a refund during the pause", async () => {
  stage = { ...stage, ana: await createSeller(world.ctx) };
  const { ana, bruno } = stage;
  const first = await paidSubscription(world, bruno, ana);
  const { currentPeriodEndsAt } = await rowOf(world, first.purchaseId);
  await world.advance((currentPeriodEndsAt ?? 0) - 2.5 * DAY_MS - world.ctx.now());
  await world.tick();
  await world.tick();
  const [renewal] = await renewalsOf(world, first.purchaseId);
  if (!renewal?.providerChargeId) throw new Error("no renewal");
  await pauseSubscription(deaf(), { fanId: bruno.id, subscriptionId: first.purchaseId });
  expect((await chargeRow(world.ctx, { chargeId: renewal.id }))?.status).toBe("awaiting_payment");
  await world.advance(4 * DAY_MS);
  await refundCharge(world.ctx, {
    chargeId: first.id,
    sellerId: ana.id,
    decidedBy: ana.id,
    refundId: world.ctx.newId(),
    amountCents: 1_990,
    reason: "",
  });
  await world.drain();
  await world.tick();
  expect((await rowOf(world, first.purchaseId)).status).toBe("expired");
  expect((await chargeRow(world.ctx, { chargeId: renewal.id }))?.status).toBe("canceled");
  await payAtBank(world, { providerChargeId: renewal.providerChargeId });
  await world.drain();
  expect((await rowOf(world, first.purchaseId)).status).toBe("expired");
  expect(await reasonsOf(world, renewal.id)).toEqual([subscriptionRefundReasons.ended_early]);
});

test("a payment lost to a dispute in the grace period cancels the renewal code, and no code starts the subscription again", async () => {
  const { first, renewal } = await renewalSent(stage);
  const { currentPeriodEndsAt } = await rowOf(world, first.purchaseId);
  const { providerDisputeId } = await openDisputeOn(world, first);
  await world.advance((currentPeriodEndsAt ?? 0) + DAY_MS - world.ctx.now());
  await world.tick();
  expect((await rowOf(world, first.purchaseId)).status).toBe("past_due");
  await decideDisputeAtProvider(world, providerDisputeId, "lose");
  await world.drain();
  await world.tick();
  expect((await rowOf(world, first.purchaseId)).status).toBe("expired");
  expect((await chargeRow(world.ctx, { chargeId: renewal.id }))?.status).toBe("canceled");
});
