import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { commit } from "#app/db/client.server.ts";
import { requestRefundStatement } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { createCoupon } from "#app/domain/plans/commands/coupons.server.ts";
import { prepayPeriods } from "#app/domain/subscriptions/prepayments/commands.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { closeSubscription } from "#app/domain/subscriptions/endings/commands/close.server.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import { refunds } from "#drizzle/schema/payments.ts";
import { couponUses } from "#drizzle/schema/plans.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { decideDisputeAtProvider, openDisputeOn } from "#tests/support/disputes.ts";
import { payAtBank, paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx, { amountCents: 1_990 });
  bruno = await createPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

const charge = async (chargeId: string): Promise<Charge> => {
  const found = await chargeRow(world.ctx, { chargeId });
  if (!found) throw new Error("no charge");
  return found;
};
const statusOf = async (subscriptionId: string) =>
  (await world.ctx.db.select().from(subscriptions).where(eq(subscriptions.id, subscriptionId)))[0]
    ?.status;
async function prepaidCharge(subscriptionId: string, periods: number): Promise<string> {
  const { chargeId } = await prepayPeriods(world.ctx, { fanId: bruno.id, subscriptionId, periods });
  await payAtBank(world, { providerChargeId: (await charge(chargeId)).providerChargeId ?? "" });
  await world.drain();
  return chargeId;
}
async function sendRefunds(): Promise<void> {
  await world.advance(MINUTE_MS);
  await world.tick();
}

test("a lost dispute ends the subscription and refunds its prepaid periods, once", async () => {
  const first = await paidSubscription(world, bruno, ana);
  const prepaidId = await prepaidCharge(first.purchaseId, 6);
  const { providerDisputeId } = await openDisputeOn(world, first);
  expect(await statusOf(first.purchaseId)).toBe("active");
  await decideDisputeAtProvider(world, providerDisputeId, "lose");
  expect(await statusOf(first.purchaseId)).toBe("expired");
  await sendRefunds();
  await decideDisputeAtProvider(world, providerDisputeId, "lose").catch(() => undefined);
  await sendRefunds();
  expect(await charge(prepaidId)).toMatchObject({
    status: "refunded",
    refundedCents: 11_940,
    pendingCents: 0,
  });
  expect(
    await world.ctx.db.select().from(refunds).where(eq(refunds.chargeId, prepaidId)),
  ).toHaveLength(1);
  expect(await charge(first.id)).toMatchObject({ status: "dispute_lost", refundedCents: 0 });
});

test("a lost dispute of a prepayment refunds the unused days of the running period", async () => {
  const first = await paidSubscription(world, bruno, ana);
  const prepaid = await charge(await prepaidCharge(first.purchaseId, 3));
  const { providerDisputeId } = await openDisputeOn(world, prepaid);
  await decideDisputeAtProvider(world, providerDisputeId, "lose");
  await sendRefunds();
  expect(await statusOf(first.purchaseId)).toBe("expired");
  const { status, refundedCents } = await charge(first.id);
  expect(status).toBe("partially_refunded");
  // One of 28 to 31 days is used.
  expect(refundedCents).toBeGreaterThanOrEqual(Math.floor((1_990 * 27) / 28));
  expect(refundedCents).toBeLessThan(1_990);
});

test("prepaid months with different prices are each refunded at their own price", async () => {
  await createCoupon(world.ctx, {
    creatorId: ana.id,
    code: "METADE",
    percent: 50,
    amountCents: null,
    cycles: 2,
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
    periods: 6,
    coupon: "METADE",
  });
  await payAtBank(world, { providerChargeId: (await charge(chargeId)).providerChargeId ?? "" });
  await world.drain();
  const { purchaseId, amountCents } = await charge(chargeId);
  expect(amountCents).toBe(2 * 995 + 4 * 1_990);
  await world.advance(8 * 24 * 60 * MINUTE_MS);
  await closeSubscription(world.ctx, { subscriptionId: purchaseId, because: "creator_left" });
  await world.drain();
  const { refundedCents } = await charge(chargeId);
  const running = refundedCents - (995 + 4 * 1_990);
  // Nine of 28 to 31 days of the first month are used.
  expect(running).toBeGreaterThanOrEqual(Math.floor((995 * 19) / 28));
  expect(running).toBeLessThanOrEqual(Math.ceil((995 * 22) / 31));
});

test("refunding prepaid periods restores their uses of the coupon, once", async () => {
  await createCoupon(world.ctx, {
    creatorId: ana.id,
    code: "TRES10",
    percent: 10,
    amountCents: null,
    cycles: 3,
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
    coupon: "TRES10",
  });
  await payAtBank(world, { providerChargeId: (await charge(chargeId)).providerChargeId ?? "" });
  await world.drain();
  const { purchaseId: subscriptionId } = await charge(chargeId);
  const use = async () =>
    (
      await world.ctx.db
        .select()
        .from(couponUses)
        .where(eq(couponUses.subscriptionId, subscriptionId))
    )[0];
  expect(await use()).toMatchObject({ cyclesLeft: 2, fullPriceAt: null });
  const prepaid = await charge(await prepaidCharge(subscriptionId, 6));
  expect(prepaid.amountCents).toBe(2 * 1_791 + 4 * 1_990);
  expect((await use())?.cyclesLeft).toBe(0);
  expect((await use())?.fullPriceAt).toBeGreaterThan(0);
  await commit(world.ctx.db, [
    requestRefundStatement(world.ctx, prepaid, {
      id: world.ctx.newId(),
      amountCents: prepaid.amountCents,
      reason: "De volta",
    }),
  ]);
  await sendRefunds();
  await sendRefunds();
  expect((await charge(prepaid.id)).status).toBe("refunded");
  expect(await use()).toMatchObject({ cyclesLeft: 2, fullPriceAt: null, notifiedAt: null });
  expect((await charge(await prepaidCharge(subscriptionId, 6))).amountCents).toBe(
    prepaid.amountCents,
  );
  expect((await use())?.cyclesLeft).toBe(0);
});
