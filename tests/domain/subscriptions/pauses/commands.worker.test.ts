import { and, asc, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { removeMemberCard } from "#app/domain/billing/saved-methods/commands/saved-methods.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { createCoupon } from "#app/domain/plans/commands/coupons.server.ts";
import { cancelSubscription } from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { closeSubscription } from "#app/domain/subscriptions/endings/commands/close.server.ts";
import {
  pauseSubscription,
  resumeSubscription,
} from "#app/domain/subscriptions/pauses/commands.server.ts";
import { NotPausable, NotPaused, SubscriptionNotFound } from "#app/domain/subscriptions/errors.ts";
import { givesAccess } from "#app/domain/subscriptions/rules.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { chargePeriods, charges } from "#drizzle/schema/payments.ts";
import { couponUses } from "#drizzle/schema/plans.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { cardToken, payAtBank, paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
let subscriptionId: string;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx, { amountCents: 3_000 });
  bruno = await createPerson(world.ctx, "Bruno");
  subscriptionId = (await paidSubscription(world, bruno, ana)).purchaseId;
});
afterEach(() => expectInvariantsToHold(world.ctx));

const memberIds = () => ({ fanId: bruno.id, subscriptionId });
async function row() {
  const [found] = await world.ctx.db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.id, subscriptionId));
  if (!found) throw new Error("no subscription");
  return found;
}
const renewals = (status: string) =>
  world.ctx.db
    .select()
    .from(charges)
    .where(and(eq(charges.purchaseId, subscriptionId), eq(charges.status, status)));
const covered = () =>
  world.ctx.db
    .select()
    .from(chargePeriods)
    .where(eq(chargePeriods.subscriptionId, subscriptionId))
    .orderBy(asc(chargePeriods.startsAt));
const coveredMs = async () =>
  (await covered()).reduce((sum, { startsAt, endsAt }) => sum + endsAt - startsAt, 0);
const opens = async () =>
  givesAccess((await row()) as Parameters<typeof givesAccess>[0], world.ctx.now());

/** Moves the clock and runs what is due. */
async function wait(ms: number): Promise<void> {
  await world.advance(ms);
  await world.tick();
  await world.tick();
}

describe("a subscription paused for a month", () => {
  test("gives no access and creates no charge, then resumes by itself with every paid day", async () => {
    const paid = await coveredMs();
    await wait(10 * DAY_MS);
    const leftMs = ((await row()).accessUntil ?? 0) - world.ctx.now();
    await pauseSubscription(world.ctx, memberIds());
    const paused = await row();
    expect(paused.status).toBe("paused");
    expect(await opens()).toBe(false);
    await wait((paused.resumesAt ?? 0) - world.ctx.now() - DAY_MS);
    expect(await renewals("awaiting_payment")).toEqual([]);
    expect((await row()).status).toBe("paused");
    await wait(DAY_MS + MINUTE_MS);
    const resumed = await row();
    expect(resumed).toMatchObject({ status: "active", resumesAt: null });
    expect(await opens()).toBe(true);
    expect(Math.abs((resumed.accessUntil ?? 0) - world.ctx.now() - leftMs)).toBeLessThan(MINUTE_MS);
    expect(await coveredMs()).toBe(paid);
    await wait(leftMs - 2 * DAY_MS);
    const [sent] = await renewals("awaiting_payment");
    await payAtBank(world, { providerChargeId: sent?.providerChargeId ?? "" });
    await world.drain();
    const renewed = await row();
    expect(renewed).toMatchObject({
      status: "active",
      currentPeriodStartsAt: resumed.currentPeriodEndsAt,
    });
    expect(
      (renewed.currentPeriodEndsAt ?? 0) - (renewed.currentPeriodStartsAt ?? 0),
    ).toBeGreaterThan(27 * DAY_MS);
  });

  test("loses no day when the worker resumes it two days late", async () => {
    await wait(10 * DAY_MS);
    const leftMs = ((await row()).accessUntil ?? 0) - world.ctx.now();
    await pauseSubscription(world.ctx, memberIds());
    await world.advance(((await row()).resumesAt ?? 0) + 2 * DAY_MS - world.ctx.now());
    await world.tick();
    expect(Math.abs(((await row()).accessUntil ?? 0) - world.ctx.now() - leftMs)).toBeLessThan(
      MINUTE_MS,
    );
  });

  test("resumes at once by hand; a second pause in the same period is refused, and one in the next is allowed", async () => {
    const paid = await coveredMs();
    await wait(10 * DAY_MS);
    await expect(pauseSubscription(world.ctx, { ...memberIds(), fanId: ana.id })).rejects.toThrow(
      SubscriptionNotFound,
    );
    await expect(resumeSubscription(world.ctx, memberIds())).rejects.toThrow(NotPaused);
    const clicks = await Promise.allSettled(
      Array.from({ length: 8 }, () => pauseSubscription(world.ctx, memberIds())),
    );
    expect(clicks.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await wait(5 * DAY_MS);
    await expect(resumeSubscription(world.ctx, { ...memberIds(), fanId: ana.id })).rejects.toThrow(
      SubscriptionNotFound,
    );
    const takes = await Promise.allSettled(
      Array.from({ length: 8 }, () => resumeSubscription(world.ctx, memberIds())),
    );
    expect(takes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await opens()).toBe(true);
    expect(await coveredMs()).toBe(paid);
    await expect(pauseSubscription(world.ctx, memberIds())).rejects.toThrow(NotPausable);
    await wait(((await row()).currentPeriodEndsAt ?? 0) - world.ctx.now() - 2 * DAY_MS);
    const [sent] = await renewals("awaiting_payment");
    await payAtBank(world, { providerChargeId: sent?.providerChargeId ?? "" });
    await wait(3 * DAY_MS);
    await pauseSubscription(world.ctx, memberIds());
    expect((await row()).status).toBe("paused");
  });

  test("cancels the pending Pix renewal, and refunds it if paid, without losing a day", async () => {
    await wait(((await row()).currentPeriodEndsAt ?? 0) - world.ctx.now() - 2 * DAY_MS);
    const [sent] = await renewals("awaiting_payment");
    await pauseSubscription(world.ctx, memberIds());
    expect((await chargeRow(world.ctx, { chargeId: sent?.id ?? "" }))?.status).toBe("canceled");
    const before = [await row(), await covered()];
    await payAtBank(world, { providerChargeId: sent?.providerChargeId ?? "" });
    await world.drain();
    expect((await chargeRow(world.ctx, { chargeId: sent?.id ?? "" }))?.status).toBe("refunded");
    expect([await row(), await covered()]).toEqual(before);
  });

  test("when canceled, first gets its remaining days back", async () => {
    await wait(10 * DAY_MS);
    const leftMs = ((await row()).accessUntil ?? 0) - world.ctx.now();
    await pauseSubscription(world.ctx, memberIds());
    await wait(5 * DAY_MS);
    await cancelSubscription(world.ctx, memberIds());
    expect(await row()).toMatchObject({ status: "canceled", resumesAt: null });
    expect(await opens()).toBe(true);
    expect(Math.abs(((await row()).accessUntil ?? 0) - world.ctx.now() - leftMs)).toBeLessThan(
      MINUTE_MS,
    );
    await wait(leftMs + MINUTE_MS);
    expect((await row()).status).toBe("expired");
  });

  test("refunds every unused day when the creator's page closes", async () => {
    await wait(10 * DAY_MS);
    await pauseSubscription(world.ctx, memberIds());
    await wait(25 * DAY_MS);
    await closeSubscription(world.ctx, { subscriptionId, because: "creator_left" });
    await world.drain();
    expect((await row()).status).toBe("expired");
    const [charge] = await world.ctx.db
      .select()
      .from(charges)
      .where(eq(charges.purchaseId, subscriptionId));
    // Ten of some thirty days are used.
    expect(charge?.refundedCents).toBeGreaterThan(1_850);
    expect(charge?.refundedCents).toBeLessThan(2_150);
  });
});

test("a pause does not use up a coupon payment", async () => {
  const beto = await createSeller(world.ctx);
  const { couponId } = await createCoupon(world.ctx, {
    creatorId: beto.id,
    code: "VOLTA10",
    percent: 10,
    amountCents: null,
    cycles: 2,
    usesLimit: null,
    expiresAt: null,
    planIds: null,
  });
  const { chargeId } = await startSubscription(world.ctx, {
    memberId: bruno.id,
    memberName: bruno.name,
    planPriceId: beto.priceId,
    method: "pix",
    cardToken: null,
    coupon: "VOLTA10",
  });
  const charge = await chargeRow(world.ctx, { chargeId });
  await payAtBank(world, { providerChargeId: charge?.providerChargeId ?? "" });
  await world.drain();
  subscriptionId = charge?.purchaseId ?? "";
  await wait(10 * DAY_MS);
  await pauseSubscription(world.ctx, memberIds());
  await wait(DAY_MS);
  await resumeSubscription(world.ctx, memberIds());
  expect(await covered()).toHaveLength(2);
  const [use] = await world.ctx.db
    .select()
    .from(couponUses)
    .where(eq(couponUses.couponId, couponId));
  expect(use?.cyclesLeft).toBe(1);
});

test("a card is not charged during the pause; its removal asks how to renew, and may cancel with the remaining days", async () => {
  const carla = await createPerson(world.ctx, "Carla");
  const { chargeId } = await startSubscription(world.ctx, {
    memberId: carla.id,
    memberName: carla.name,
    planPriceId: ana.priceId,
    method: "card",
    cardToken: await cardToken(world),
  });
  await world.drain();
  [subscriptionId, bruno] = [(await chargeRow(world.ctx, { chargeId }))?.purchaseId ?? "", carla];
  await wait(10 * DAY_MS);
  const leftMs = ((await row()).accessUntil ?? 0) - world.ctx.now();
  await pauseSubscription(world.ctx, memberIds());
  await wait(25 * DAY_MS);
  expect(await renewals("succeeded")).toHaveLength(1);
  await removeMemberCard(world.ctx, {
    personId: carla.id,
    methodId: (await row()).savedMethodId ?? "",
    instead: "cancel",
  });
  expect(await row()).toMatchObject({ status: "canceled", savedMethodId: null });
  expect(Math.abs(((await row()).accessUntil ?? 0) - world.ctx.now() - leftMs)).toBeLessThan(
    MINUTE_MS,
  );
});
