import { asc, eq, isNull } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refundCharge } from "#app/domain/billing/refunds/commands/refund.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { createCoupon } from "#app/domain/plans/commands/coupons.server.ts";
import { cancelSubscription } from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { requestSubscriptionCoolingOffRefund } from "#app/domain/subscriptions/cancellations/commands/cooling-off.server.ts";
import { pauseSubscription } from "#app/domain/subscriptions/pauses/commands.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";
import { loadSubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { people } from "#drizzle/schema/identity.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { couponUses } from "#drizzle/schema/plans.ts";
import { subscriptionCancellations, subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { interleaveBeforeWrite } from "#tests/support/interleave.ts";
import { payAtBank, paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx, { amountCents: 3_000 });
  bruno = await createPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

async function row(subscriptionId: string) {
  const [found] = await world.ctx.db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.id, subscriptionId));
  if (!found) throw new Error("no subscription");
  return found;
}
const chargesOf = (subscriptionId: string) =>
  world.ctx.db
    .select()
    .from(charges)
    .where(eq(charges.purchaseId, subscriptionId))
    .orderBy(asc(charges.createdAt));
const refundOf = (chargeId: string, amountCents: number) => ({
  chargeId,
  sellerId: ana.id,
  decidedBy: ana.id,
  refundId: world.ctx.newId(),
  amountCents,
  reason: "",
});
const usesCount = () => world.ctx.db.$count(couponUses, isNull(couponUses.freedAt));
const leaves = (personId: string, leavingAt: number | null) =>
  world.ctx.db.update(people).set({ leavingAt }).where(eq(people.id, personId));

async function wait(ms: number): Promise<void> {
  await world.advance(ms);
  await world.tick();
  await world.tick();
}

/** Returns the renewal code of the second month, sent and not paid. */
async function renewalSent(subscriptionId: string): Promise<string> {
  const { currentPeriodEndsAt } = await row(subscriptionId);
  await wait((currentPeriodEndsAt ?? 0) - world.ctx.now() - 2 * DAY_MS);
  const [, second] = await chargesOf(subscriptionId);
  if (second?.status !== "awaiting_payment" || !second.providerChargeId)
    throw new Error(`the renewal is ${second?.status}`);
  return second.providerChargeId;
}

/** The subscription ends while its member is leaving, and is paid later by the open code. */
async function startedAgain(subscriptionId: string): Promise<void> {
  const providerChargeId = await renewalSent(subscriptionId);
  await leaves(bruno.id, world.ctx.now());
  await wait(2 * DAY_MS + MINUTE_MS);
  expect((await row(subscriptionId)).status).toBe("expired");
  await leaves(bruno.id, null);
  await payAtBank(world, { providerChargeId });
  await world.drain();
  expect((await row(subscriptionId)).status).toBe("active");
}

describe("a subscription that ended and started again", () => {
  test("gets a cooling-off refund only of what was paid since: earlier months were used", async () => {
    const { purchaseId } = await paidSubscription(world, bruno, ana);
    await startedAgain(purchaseId);
    await requestSubscriptionCoolingOffRefund(world.ctx, {
      fanId: bruno.id,
      subscriptionId: purchaseId,
    });
    await world.drain();
    expect((await chargesOf(purchaseId)).map(({ status }) => status)).toEqual([
      "succeeded",
      "refunded",
    ]);
  });

  test("can be canceled again despite an earlier cancellation", async () => {
    const { purchaseId } = await paidSubscription(world, bruno, ana);
    await world.ctx.db.insert(subscriptionCancellations).values({
      id: world.ctx.newId(),
      subscriptionId: purchaseId,
      protocol: world.ctx.newId(),
      createdAt: world.ctx.now(),
    });
    await startedAgain(purchaseId);
    await cancelSubscription(world.ctx, { fanId: bruno.id, subscriptionId: purchaseId });
    expect((await row(purchaseId)).status).toBe("canceled");
  });
});

test("a paused subscription resumes on its date with its days, even if the creator's page closed meanwhile", async () => {
  const { purchaseId } = await paidSubscription(world, bruno, ana);
  await wait(20 * DAY_MS);
  await pauseSubscription(world.ctx, { fanId: bruno.id, subscriptionId: purchaseId });
  const { resumesAt, accessUntil } = await row(purchaseId);
  await wait(10 * DAY_MS);
  await leaves(ana.id, world.ctx.now());
  await wait((resumesAt ?? 0) - world.ctx.now() + MINUTE_MS);
  expect(await row(purchaseId)).toMatchObject({ status: "active" });
  expect((await row(purchaseId)).accessUntil).toBeGreaterThanOrEqual(accessUntil ?? 0);
  await leaves(ana.id, null);
});

test("one pause is allowed in each paid period, also when the next was paid early", async () => {
  const { purchaseId } = await paidSubscription(world, bruno, ana);
  await payAtBank(world, { providerChargeId: await renewalSent(purchaseId) });
  await world.drain();
  await pauseSubscription(world.ctx, { fanId: bruno.id, subscriptionId: purchaseId });
  const { currentPeriodStartsAt, pausedAt } = await row(purchaseId);
  expect(currentPeriodStartsAt).toBeLessThanOrEqual(pausedAt ?? 0);
});

describe("concurrent commands", () => {
  test("a renewal that is paid while the previous month is refunded is refunded too", async () => {
    const first = await paidSubscription(world, bruno, ana);
    const providerChargeId = await renewalSent(first.purchaseId);
    const paysNow = async () => {
      // The webhook event of the refund is dropped. It would end the subscription before this
      // write.
      world.queued.splice(0);
      await payAtBank(world, { providerChargeId });
      await world.drain();
    };
    const ctx = interleaveBeforeWrite(world.ctx, paysNow, /update "subscriptions" set "status"/);
    await refundCharge(ctx, refundOf(first.id, 3_000));
    await world.drain();
    await world.tick();
    const held = (await chargesOf(first.purchaseId)).filter(({ status }) => status === "succeeded");
    const { status } = await row(first.purchaseId);
    // The subscription either continues with the payment or keeps none of it.
    expect(status === "expired" ? held.length : 0).toBe(0);
  });

  test("no charge is created for a subscriber who cancels while the renewal is being written", async () => {
    const { purchaseId } = await paidSubscription(world, bruno, ana);
    const { currentPeriodEndsAt } = await row(purchaseId);
    await world.advance((currentPeriodEndsAt ?? 0) - world.ctx.now() - 2 * DAY_MS);
    const ctx = interleaveBeforeWrite(
      world.ctx,
      () => cancelSubscription(world.ctx, { fanId: bruno.id, subscriptionId: purchaseId }),
      /insert into "charges"/,
    );
    expect(await advanceSubscription(ctx, { subscriptionId: purchaseId })).toEqual({
      chargeId: null,
    });
    expect(await chargesOf(purchaseId)).toHaveLength(1);
  });
});

test("a subscription that continues after the refund of its first payment keeps its coupon", async () => {
  await createCoupon(world.ctx, {
    creatorId: ana.id,
    code: "METADE",
    percent: 50,
    amountCents: null,
    cycles: null,
    usesLimit: null,
    expiresAt: null,
    planIds: null,
  });
  const { chargeId } = await startSubscription(world.ctx, {
    memberId: bruno.id,
    memberName: bruno.name,
    planPriceId: ana.priceId,
    method: "pix",
    cardToken: null,
    coupon: "METADE",
  });
  const first = await chargeRow(world.ctx, { chargeId });
  await payAtBank(world, { providerChargeId: first?.providerChargeId ?? "" });
  await world.drain();
  const subscriptionId = first?.purchaseId ?? "";
  await payAtBank(world, { providerChargeId: await renewalSent(subscriptionId) });
  await world.drain();
  await wait(5 * DAY_MS);
  await refundCharge(world.ctx, refundOf(chargeId, 1_500));
  await world.drain();
  expect((await chargeRow(world.ctx, { chargeId }))?.status).toBe("refunded");
  expect((await row(subscriptionId)).status).toBe("active");
  expect((await loadSubscriptionSnapshot(world.ctx, { subscriptionId }))?.nextPaymentCents).toBe(
    1_500,
  );
  expect(await usesCount()).toBe(1);
  // The coupon use is released once no payment of the subscription is left.
  const [, second] = await chargesOf(subscriptionId);
  await refundCharge(world.ctx, refundOf(second?.id ?? "", 1_500));
  await world.drain();
  expect(await usesCount()).toBe(0);
});
