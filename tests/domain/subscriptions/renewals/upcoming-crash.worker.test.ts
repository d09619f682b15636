import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { expireComp, grantComp } from "#app/domain/subscriptions/comps/commands.server.ts";
import { requestSubscriptionCoolingOffRefund } from "#app/domain/subscriptions/cancellations/commands/cooling-off.server.ts";
import { liveSubscription, subscriptionRow } from "#app/domain/subscriptions/queries.server.ts";
import { addMonths, MINUTE_MS } from "#app/domain/time.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { chargePeriods, charges, refunds } from "#drizzle/schema/payments.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { survives } from "#tests/support/crash.ts";
import { deliverOutbox } from "#tests/support/disputes.ts";
import { payAtBank } from "#tests/support/payments.ts";
import {
  crashAtEveryPoint,
  createCrashWorld,
  recoverAfterCrash,
} from "#tests/support/crash-world.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";

/** A member with a one-month complimentary subscription, who paid for the subscription after it. */
async function paidUpcoming() {
  const { world, points } = await createCrashWorld();
  const [ana, clara] = [await createSeller(world.ctx), await createPerson(world.ctx, "Clara")];
  const { endsAt } = await grantComp(world.ctx, {
    creatorId: ana.id,
    creatorName: ana.name,
    givenBy: ana.id,
    username: clara.username,
    planId: ana.planId,
    months: 1,
  });
  const compId =
    (await liveSubscription(world.ctx, { fanId: clara.id, creatorId: ana.id }))?.id ?? "";
  const { chargeId } = await startSubscription(world.ctx, {
    memberId: clara.id,
    memberName: clara.name,
    planPriceId: ana.priceId,
    method: "pix",
    cardToken: null,
    beginsAt: endsAt,
  });
  const charge = await chargeRow(world.ctx, { chargeId });
  await payAtBank(world, { providerChargeId: charge?.providerChargeId ?? "" });
  await world.drain();
  const stands = async () => ({
    seats: (
      await world.ctx.db
        .select({ taken: plans.seatsTaken })
        .from(plans)
        .where(eq(plans.id, ana.planId))
    )[0]?.taken,
    counted: (
      await world.ctx.db
        .select({ count: profiles.subscribersCount })
        .from(profiles)
        .where(eq(profiles.personId, ana.id))
    )[0]?.count,
  });
  return {
    world,
    points,
    clara,
    compId,
    endsAt,
    chargeId,
    subscriptionId: charge?.purchaseId ?? "",
    stands,
  };
}

test(
  "a crash at any point of starting an upcoming subscription starts it once, with one notification and no charge",
  { timeout: 240_000 },
  async () => {
    const count = await crashAtEveryPoint(async (at) => {
      const { world, points, clara, compId, endsAt, subscriptionId, stands } = await paidUpcoming();
      await world.advance(endsAt + MINUTE_MS - world.ctx.now());
      points.arm(at);
      const end = await survives(points, () => expireComp(world.ctx, { subscriptionId: compId }));
      points.disarm();
      await recoverAfterCrash(world);
      await deliverOutbox(world.ctx);
      expect(await subscriptionRow(world.ctx, { subscriptionId })).toMatchObject({
        status: "active",
        startedAt: endsAt,
        accessUntil: addMonths(endsAt, 1),
      });
      expect(await subscriptionRow(world.ctx, { subscriptionId: compId })).toMatchObject({
        status: "expired",
      });
      expect(await stands()).toEqual({ seats: 1, counted: 1 });
      expect([
        await world.ctx.db.$count(chargePeriods, eq(chargePeriods.subscriptionId, subscriptionId)),
        await world.ctx.db.$count(charges, eq(charges.purchaseId, subscriptionId)),
      ]).toEqual([1, 1]);
      expect(
        await world.ctx.db.$count(
          notifications,
          sql`${notifications.personId} = ${clara.id} AND ${notifications.kind} = 'subscription.begun'`,
        ),
      ).toBe(1);
      return end;
    });
    expect(count).toBeGreaterThan(3);
  },
);

test(
  "a crash at any point of canceling an upcoming subscription refunds it once, and the comp goes on",
  { timeout: 240_000 },
  async () => {
    const count = await crashAtEveryPoint(async (at) => {
      const { world, points, clara, compId, chargeId, subscriptionId, stands } =
        await paidUpcoming();
      const cancel = () =>
        requestSubscriptionCoolingOffRefund(world.ctx, { fanId: clara.id, subscriptionId });
      points.arm(at);
      const end = await survives(points, cancel);
      points.disarm();
      // Repeats the refund if it died before its commit.
      if ((await world.ctx.db.$count(refunds, eq(refunds.chargeId, chargeId))) === 0)
        await cancel();
      await world.advance(2 * MINUTE_MS);
      await recoverAfterCrash(world);
      await recoverAfterCrash(world);
      expect(await subscriptionRow(world.ctx, { subscriptionId })).toMatchObject({
        status: "expired",
        holdsSeat: false,
      });
      expect(await subscriptionRow(world.ctx, { subscriptionId: compId })).toMatchObject({
        status: "active",
      });
      expect(await chargeRow(world.ctx, { chargeId })).toMatchObject({
        status: "refunded",
        refundedCents: 1_990,
      });
      expect([
        await world.ctx.db.$count(refunds, eq(refunds.chargeId, chargeId)),
        await stands(),
      ]).toEqual([1, { seats: 1, counted: 1 }]);
      return end;
    });
    expect(count).toBeGreaterThan(3);
  },
);
