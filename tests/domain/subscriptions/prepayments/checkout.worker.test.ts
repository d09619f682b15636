import { asc, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { chargeReleaseParts } from "#app/domain/payments/releases/queries.server.ts";
import { createCoupon } from "#app/domain/plans/commands/coupons.server.ts";
import { cancelSubscription } from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { closeSubscription } from "#app/domain/subscriptions/endings/commands/close.server.ts";
import { requestSubscriptionCoolingOffRefund } from "#app/domain/subscriptions/cancellations/commands/cooling-off.server.ts";
import {
  pauseSubscription,
  resumeSubscription,
} from "#app/domain/subscriptions/pauses/commands.server.ts";
import { PlanPriceChanged } from "#app/domain/subscriptions/errors.ts";
import { CannotPrepay } from "#app/domain/subscriptions/prepayments/errors.ts";
import { subscriptionBadge } from "#app/domain/subscriptions/overview/rules.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import { DAY_MS, formatShortDay, MINUTE_MS } from "#app/domain/time.ts";
import { chargePeriods, charges } from "#drizzle/schema/payments.ts";
import { couponUses } from "#drizzle/schema/plans.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { payAtBank } from "#tests/support/payments.ts";
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

const wish = (periods: number, more = {}) => ({
  memberId: bruno.id,
  memberName: bruno.name,
  planPriceId: ana.priceId,
  method: "pix" as const,
  cardToken: null,
  periods,
  ...more,
});
const row = async (subscriptionId: string) => {
  const [found] = await world.ctx.db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.id, subscriptionId));
  if (!found) throw new Error("no subscription");
  return found as Subscription;
};
const charge = async (chargeId: string) => {
  const found = await chargeRow(world.ctx, { chargeId });
  if (!found) throw new Error("no charge");
  return found;
};
const covered = (subscriptionId: string) =>
  world.ctx.db
    .select()
    .from(chargePeriods)
    .where(eq(chargePeriods.subscriptionId, subscriptionId))
    .orderBy(asc(chargePeriods.startsAt));
const chargesOf = (subscriptionId: string) =>
  world.ctx.db.select().from(charges).where(eq(charges.purchaseId, subscriptionId));
const parts = (chargeId: string) => chargeReleaseParts(world.ctx, { chargeId });
/** Returns what was released of a charge, even if a payout has taken it since. */
const freedCents = async (chargeId: string) =>
  (await parts(chargeId))
    .filter(({ releasedAt }) => releasedAt !== null)
    .reduce((sum, one) => sum + one.netCents - one.takenCents, 0);
const balances = () => creatorBalances(world.ctx, { creatorId: ana.id });
const settle = async (chargeId: string) => {
  await payAtBank(world, { providerChargeId: (await charge(chargeId)).providerChargeId ?? "" });
  await world.drain();
};
/** Starts and pays a subscription of `periods` periods at checkout. */
async function paidAtOnce(periods: number, more = {}) {
  const { chargeId } = await startSubscription(world.ctx, wish(periods, more));
  await settle(chargeId);
  return { chargeId, subscriptionId: (await charge(chargeId)).purchaseId };
}
async function wait(ms: number): Promise<void> {
  await world.advance(ms);
  await world.tick();
  await world.tick();
}

describe("prepaying at the checkout", () => {
  test("one Pix covers three months, releases its funds month by month, and renews after them", async () => {
    const { chargeId, subscriptionId } = await paidAtOnce(3, { amountCents: 5_970 });
    const paid = await charge(chargeId);
    expect(paid).toMatchObject({
      status: "succeeded",
      amountCents: 5_970,
      feeCents: 299,
      netCents: 5_671,
      pendingCents: 5_671,
      periodsCents: [1_990, 1_990, 1_990],
    });
    expect(paid.description).toContain(": 3 meses");
    const periods = await covered(subscriptionId);
    expect(periods).toHaveLength(3);
    const started = await row(subscriptionId);
    expect(started).toMatchObject({
      status: "active",
      currentPeriodStartsAt: periods[0]?.startsAt,
      currentPeriodEndsAt: periods[2]?.endsAt,
      accessUntil: periods[2]?.endsAt,
    });
    expect(subscriptionBadge(started)).toBe(
      `Ativa · renova em ${formatShortDay(periods[2]?.endsAt ?? 0)}`,
    );
    expect(
      (await parts(chargeId)).map(({ netCents, beginsAt, releaseAt }) => [
        netCents,
        Math.round((releaseAt - (beginsAt ?? 0)) / MINUTE_MS) * MINUTE_MS,
      ]),
    ).toEqual([
      [1_891, 8 * DAY_MS],
      [1_890, DAY_MS],
      [1_890, DAY_MS],
    ]);
    await wait(8 * DAY_MS + MINUTE_MS);
    expect(await freedCents(chargeId)).toBe(1_891);
    expect(await balances()).toMatchObject({
      pendingCents: 3_780,
      releases: [{ netCents: 1_890 }, { netCents: 1_890 }],
    });
    await wait((periods[1]?.startsAt ?? 0) + DAY_MS + MINUTE_MS - world.ctx.now());
    expect(await freedCents(chargeId)).toBe(3_781);
    expect(await chargesOf(subscriptionId)).toHaveLength(1);
    await wait((periods[2]?.endsAt ?? 0) - 2 * DAY_MS - world.ctx.now());
    expect(await freedCents(chargeId)).toBe(5_671);
    expect(await balances()).toMatchObject({ pendingCents: 0, releases: [] });
    const [sent] = (await chargesOf(subscriptionId)).filter(
      ({ status }) => status === "awaiting_payment",
    );
    expect(sent).toMatchObject({ amountCents: 1_990, periodStartsAt: periods[2]?.endsAt });
  });

  test("is refused by card, for a number of periods not offered, and at an outdated price", async () => {
    await expect(startSubscription(world.ctx, wish(3, { method: "card" }))).rejects.toThrow(
      CannotPrepay,
    );
    await expect(startSubscription(world.ctx, wish(4))).rejects.toThrow(CannotPrepay);
    await expect(startSubscription(world.ctx, wish(3, { amountCents: 1_990 }))).rejects.toThrow(
      PlanPriceChanged,
    );
    expect(await world.ctx.db.select().from(charges).where(eq(charges.payerId, bruno.id))).toEqual(
      [],
    );
  });

  test("creates one charge for two tabs, and another number of months cancels the first code", async () => {
    const first = await startSubscription(world.ctx, wish(3));
    expect((await startSubscription(world.ctx, wish(3))).chargeId).toBe(first.chargeId);
    const second = await startSubscription(world.ctx, wish(6));
    expect(second.chargeId).not.toBe(first.chargeId);
    expect((await charge(first.chargeId)).status).toBe("canceled");
    expect(await charge(second.chargeId)).toMatchObject({
      status: "awaiting_payment",
      amountCents: 11_940,
    });
  });

  test("honours a late Pix for several months from the day it was paid", async () => {
    const { chargeId } = await startSubscription(world.ctx, wish(6));
    await wait(2 * DAY_MS);
    expect((await charge(chargeId)).status).toBe("expired");
    await settle(chargeId);
    const { purchaseId, status } = await charge(chargeId);
    expect(status).toBe("succeeded");
    expect(await covered(purchaseId)).toHaveLength(6);
    expect(Math.abs(((await row(purchaseId)).startedAt ?? 0) - world.ctx.now())).toBeLessThan(
      MINUTE_MS,
    );
  });

  test("counts each month as one coupon use, and charges the full price after the discounted months", async () => {
    const { couponId } = await createCoupon(world.ctx, {
      creatorId: ana.id,
      code: "DOIS20",
      percent: 20,
      amountCents: null,
      cycles: 2,
      usesLimit: null,
      expiresAt: null,
      planIds: null,
    });
    const { chargeId, subscriptionId } = await paidAtOnce(3, {
      coupon: "DOIS20",
      amountCents: 2 * 1_592 + 1_990,
    });
    const paid = await charge(chargeId);
    expect(paid.periodsCents).toEqual([1_592, 1_592, 1_990]);
    const net = (await parts(chargeId)).map(({ netCents }) => netCents);
    expect(net.reduce((sum, cents) => sum + cents, 0)).toBe(paid.netCents);
    expect(net[2]).toBeGreaterThan(net[0] ?? 0);
    const [use] = await world.ctx.db
      .select()
      .from(couponUses)
      .where(eq(couponUses.couponId, couponId));
    expect(use).toMatchObject({
      cyclesLeft: 0,
      fullPriceAt: (await row(subscriptionId)).currentPeriodEndsAt,
    });
  });

  test("a cooling-off refund within seven days returns all of it and leaves nothing to release", async () => {
    const { chargeId, subscriptionId } = await paidAtOnce(12);
    await wait(6 * DAY_MS);
    await requestSubscriptionCoolingOffRefund(world.ctx, { fanId: bruno.id, subscriptionId });
    await world.drain();
    expect(await charge(chargeId)).toMatchObject({
      status: "refunded",
      refundedCents: 23_880,
      pendingCents: 0,
    });
    expect((await row(subscriptionId)).status).toBe("expired");
    expect(await balances()).toMatchObject({
      availableCents: 0,
      pendingCents: 0,
      owedCents: 0,
      releases: [],
    });
  });

  test("a cancellation keeps access until the end of the prepaid periods and creates no charge", async () => {
    const { subscriptionId } = await paidAtOnce(3);
    const endsAt = (await row(subscriptionId)).accessUntil ?? 0;
    await wait(20 * DAY_MS);
    await cancelSubscription(world.ctx, { fanId: bruno.id, subscriptionId });
    await wait(endsAt - DAY_MS - world.ctx.now());
    expect(await row(subscriptionId)).toMatchObject({ status: "canceled", accessUntil: endsAt });
    await wait(DAY_MS + MINUTE_MS);
    expect((await row(subscriptionId)).status).toBe("expired");
    expect(await chargesOf(subscriptionId)).toHaveLength(1);
  });

  test("closing the page after a month refunds the remaining months, and the creator owes nothing", async () => {
    const { chargeId, subscriptionId } = await paidAtOnce(12);
    const [, second] = await covered(subscriptionId);
    await wait((second?.startsAt ?? 0) - world.ctx.now());
    await closeSubscription(world.ctx, { subscriptionId, because: "creator_left" });
    await world.drain();
    const { refundedCents, pendingCents } = await charge(chargeId);
    expect(refundedCents).toBeGreaterThan(21_500);
    expect(refundedCents).toBeLessThan(21_950);
    expect(pendingCents).toBeLessThan(200);
    expect(await balances()).toMatchObject({ owedCents: 0 });
  });

  test("a pause delays the release of the remaining months, and an early resume moves it back", async () => {
    const { chargeId, subscriptionId } = await paidAtOnce(3);
    await wait(10 * DAY_MS);
    const before = await parts(chargeId);
    await pauseSubscription(world.ctx, { fanId: bruno.id, subscriptionId });
    const { resumesAt, pausedAt } = await row(subscriptionId);
    const monthMs = (resumesAt ?? 0) - (pausedAt ?? 0);
    expect((await parts(chargeId)).map(({ releaseAt }) => releaseAt)).toEqual(
      before.map(({ releaseAt, releasedAt }) =>
        releasedAt === null ? releaseAt + monthMs : releaseAt,
      ),
    );
    await wait(5 * DAY_MS);
    await resumeSubscription(world.ctx, { fanId: bruno.id, subscriptionId });
    const periods = await covered(subscriptionId);
    const after = await parts(chargeId);
    expect(after.slice(1).map(({ beginsAt }) => beginsAt)).toEqual(
      periods.slice(-2).map(({ startsAt }) => startsAt),
    );
    expect(after[1]?.releaseAt).toBe((after[1]?.beginsAt ?? 0) + DAY_MS);
  });
});
