import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { claimGift } from "#app/domain/purchases/gifts/commands/claim-gift.server.ts";
import { requestGiftCoolingOffRefund } from "#app/domain/purchases/gifts/commands/end-gift.server.ts";
import { startGift } from "#app/domain/purchases/gifts/commands/gifts.server.ts";
import { chargePeriods } from "#drizzle/schema/payments.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { refundsOfCharge } from "#tests/support/account-deletion.ts";
import type { World } from "#tests/support/context.ts";
import { survives } from "#tests/support/crash.ts";
import { paidGift, giftRow, giftCheckoutInput, pendingPixGift } from "#tests/support/gifts.ts";
import {
  crashAtEveryPoint,
  chargesAtProvider,
  createCrashWorld,
  recoverAfterCrash,
} from "#tests/support/crash-world.ts";
import { payAtBank } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";

async function mortalShop() {
  const { world, points } = await createCrashWorld();
  return {
    world,
    points,
    ana: await createSeller(world.ctx),
    bruno: await createPerson(world.ctx, "Bruno"),
    clara: await createPerson(world.ctx, "Clara"),
  };
}

const seatsOf = async (world: World, planId: string) =>
  (
    await world.ctx.db.select({ taken: plans.seatsTaken }).from(plans).where(eq(plans.id, planId))
  )[0]?.taken;

test(
  "a crash at any point of opening and paying a gift, and a second try, make one gift with one seat",
  { timeout: 240_000 },
  async () => {
    const count = await crashAtEveryPoint(async (at) => {
      const { world, points, ana, bruno } = await mortalShop();
      points.arm(at);
      const end = await survives(points, async () => {
        await payAtBank(world, await pendingPixGift(world, bruno, ana));
        await world.drain();
      });
      points.disarm();
      const paid = (
        await world.env.DB.prepare(
          "SELECT 1 FROM charges WHERE payer_id = ? AND status = 'succeeded'",
        )
          .bind(bruno.id)
          .all()
      ).results.length;
      if (end === "crashed" && paid === 0)
        await startGift(world.ctx, giftCheckoutInput(bruno, ana));
      await world.advance(2 * 60_000);
      await recoverAfterCrash(world);
      for (const { id } of await chargesAtProvider(world, bruno.id))
        await payAtBank(world, { providerChargeId: id }).catch(() => null);
      await recoverAfterCrash(world);
      await recoverAfterCrash(world);
      const made = await world.env.DB.prepare(
        "SELECT COUNT(*) AS gifts FROM gifts WHERE giver_id = ? AND paid_at IS NOT NULL AND ended_at IS NULL",
      )
        .bind(bruno.id)
        .first();
      const saved = await world.env.DB.prepare(
        "SELECT SUM(amount_cents - refunded_cents) AS cents FROM charges WHERE payer_id = ? AND succeeded_at IS NOT NULL",
      )
        .bind(bruno.id)
        .first();
      expect({ made, saved, seats: await seatsOf(world, ana.planId) }).toEqual({
        made: { gifts: 1 },
        saved: { cents: 1_990 },
        seats: 1,
      });
      return end;
    });
    expect(count).toBeGreaterThan(6);
  },
);

test(
  "a crash at any point of claiming a gift, and a second try, open one period with the gift's seat",
  { timeout: 120_000 },
  async () => {
    const count = await crashAtEveryPoint(async (at) => {
      const { world, points, ana, bruno, clara } = await mortalShop();
      const { gift, charge, code } = await paidGift(world, bruno, ana);
      const claim = () =>
        claimGift(world.ctx, { memberId: clara.id, memberName: clara.name, code });
      points.arm(at);
      const end = await survives(points, claim);
      points.disarm();
      await claim();
      await recoverAfterCrash(world);
      expect(await giftRow(world, { giftId: gift.id })).toMatchObject({
        claimedBy: clara.id,
        holdsSeat: false,
      });
      expect(
        await world.ctx.db.select().from(subscriptions).where(eq(subscriptions.fanId, clara.id)),
      ).toMatchObject([{ id: gift.id, status: "canceled", holdsSeat: true }]);
      expect(
        await world.ctx.db
          .select()
          .from(chargePeriods)
          .where(eq(chargePeriods.chargeId, charge.id)),
      ).toHaveLength(1);
      expect(await seatsOf(world, ana.planId)).toBe(1);
      return end;
    });
    expect(count).toBeGreaterThan(1);
  },
);

test(
  "a crash at any point of a giver's cooling-off refund refunds once, and ends the claimed subscription",
  { timeout: 120_000 },
  async () => {
    const count = await crashAtEveryPoint(async (at) => {
      const { world, points, ana, bruno, clara } = await mortalShop();
      const { gift, charge, code } = await paidGift(world, bruno, ana);
      await claimGift(world.ctx, { memberId: clara.id, memberName: clara.name, code });
      const coolingOffRefund = () =>
        requestGiftCoolingOffRefund(world.ctx, { personId: bruno.id, giftId: gift.id });
      points.arm(at);
      const end = await survives(points, coolingOffRefund);
      points.disarm();
      // Repeats the refund if it died before its commit.
      if ((await refundsOfCharge(world.ctx, charge.id)).length === 0) await coolingOffRefund();
      await recoverAfterCrash(world);
      await recoverAfterCrash(world);
      expect(await chargeRow(world.ctx, { chargeId: charge.id })).toMatchObject({
        status: "refunded",
        refundedCents: 1_990,
      });
      expect(await refundsOfCharge(world.ctx, charge.id)).toEqual([
        { status: "succeeded", amountCents: 1_990 },
      ]);
      expect(
        await world.ctx.db.select().from(subscriptions).where(eq(subscriptions.fanId, clara.id)),
      ).toMatchObject([{ status: "expired" }]);
      expect(await seatsOf(world, ana.planId)).toBe(0);
      return end;
    });
    expect(count).toBeGreaterThan(3);
  },
);
