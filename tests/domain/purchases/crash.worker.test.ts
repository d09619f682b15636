import { expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { startPurchase } from "#app/domain/purchases/single-purchases/commands/checkout.server.ts";
import { startTip } from "#app/domain/purchases/tips/commands/tips.server.ts";
import {
  endAndRefundPurchase,
  requestPurchaseCoolingOffRefund,
} from "#app/domain/purchases/single-purchases/commands/end.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { refundsOfCharge } from "#tests/support/account-deletion.ts";
import type { World } from "#tests/support/context.ts";
import { survives } from "#tests/support/crash.ts";
import {
  crashAtEveryPoint,
  chargesAtProvider,
  createCrashWorld,
  recoverAfterCrash,
} from "#tests/support/crash-world.ts";
import { payAtBank } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import {
  paidPurchase,
  purchaseEndsOf,
  expectBoughtOnce,
  pendingPixPurchase,
  canSeePost,
  soldPost,
  purchaseCheckoutInput,
} from "#tests/support/purchases.ts";
import { pendingPixTip, TIP_CENTS, tipCheckoutInput } from "#tests/support/tips.ts";

/** A world with crash points at every write and provider call, and a post for sale. */
async function mortalShop() {
  const { world, points } = await createCrashWorld();
  const ana = await createSeller(world.ctx);
  const bruno = await createPerson(world.ctx, "Bruno");
  return { world, points, ana, bruno, postId: (await soldPost(world.ctx, ana)).postId };
}

test(
  "a crash at any point of applying the payment of a post leaves it bought once",
  { timeout: 120_000 },
  async () => {
    const count = await crashAtEveryPoint(async (at) => {
      const { world, points, ana, bruno, postId } = await mortalShop();
      const waiting = await pendingPixPurchase(world, bruno, postId);
      points.arm(at);
      const end = await survives(points, async () => {
        await payAtBank(world, waiting);
        await world.drain();
      });
      points.disarm();
      await recoverAfterCrash(world);
      await expectBoughtOnce(world, { chargeId: waiting.chargeId, buyer: bruno, seller: ana });
      expect(await canSeePost(world.ctx, bruno, postId)).toBe(true);
      return end;
    });
    expect(count).toBeGreaterThan(6);
  },
);

test(
  "a crash at any point of opening a purchase, and a second try, make one payable charge",
  { timeout: 120_000 },
  async () => {
    const count = await crashAtEveryPoint(async (at) => {
      const { world, points, ana, bruno, postId } = await mortalShop();
      points.arm(at);
      const end = await survives(points, () =>
        startPurchase(world.ctx, purchaseCheckoutInput(bruno, postId)),
      );
      points.disarm();
      const again = await startPurchase(world.ctx, purchaseCheckoutInput(bruno, postId));
      await world.advance(2 * 60_000);
      await recoverAfterCrash(world);
      const payable = await chargesAtProvider(world, bruno.id);
      expect(payable.map(({ reference }) => reference)).toEqual([again.chargeId]);
      await payAtBank(world, { providerChargeId: payable[0]?.id ?? "" });
      await recoverAfterCrash(world);
      await recoverAfterCrash(world);
      await expectBoughtOnce(world, { chargeId: again.chargeId, buyer: bruno, seller: ana });
      return end;
    });
    expect(count).toBeGreaterThan(3);
  },
);

test(
  "a crash at any point of opening and paying a tip, and a second try, leave one paid tip",
  { timeout: 120_000 },
  async () => {
    const count = await crashAtEveryPoint(async (at) => {
      const { world, points, ana, bruno } = await mortalShop();
      points.arm(at);
      const end = await survives(points, async () => {
        await payAtBank(world, await pendingPixTip(world, bruno, ana));
        await world.drain();
      });
      points.disarm();
      // Clicks again only if the crash left no paid charge.
      if (
        end === "crashed" &&
        (
          await world.env.DB.prepare(
            "SELECT 1 FROM charges WHERE payer_id = ? AND status = 'succeeded'",
          )
            .bind(bruno.id)
            .all()
        ).results.length === 0
      )
        await startTip(world.ctx, tipCheckoutInput(bruno, ana));
      await world.advance(2 * 60_000);
      await recoverAfterCrash(world);
      for (const { id } of await chargesAtProvider(world, bruno.id))
        await payAtBank(world, { providerChargeId: id }).catch(() => null);
      await recoverAfterCrash(world);
      await recoverAfterCrash(world);
      const given = await world.env.DB.prepare(
        "SELECT COUNT(*) AS tips FROM tips WHERE person_id = ? AND paid_at IS NOT NULL",
      )
        .bind(bruno.id)
        .first();
      const saved = await world.env.DB.prepare(
        "SELECT SUM(amount_cents - refunded_cents) AS cents FROM charges WHERE payer_id = ? AND succeeded_at IS NOT NULL",
      )
        .bind(bruno.id)
        .first();
      expect({ given, saved }).toEqual({ given: { tips: 1 }, saved: { cents: TIP_CENTS } });
      return end;
    });
    expect(count).toBeGreaterThan(6);
  },
);

test.each([
  [
    "a cooling-off refund",
    (world: World, { personId, purchaseId }: { personId: string; purchaseId: string }) =>
      requestPurchaseCoolingOffRefund(world.ctx, { personId, purchaseId }),
  ],
  [
    "the deletion of the seller's account",
    (world: World, { purchaseId }: { personId: string; purchaseId: string }) =>
      endAndRefundPurchase(world.ctx, { purchaseId, because: "creator_left" as const }),
  ],
])("a crash at any point of %s refunds once", { timeout: 120_000 }, async (_, act) => {
  const count = await crashAtEveryPoint(async (at) => {
    const { world, points, bruno, postId } = await mortalShop();
    const { charge, purchase } = await paidPurchase(world, bruno, postId);
    const memberIds = { personId: bruno.id, purchaseId: purchase.id };
    points.arm(at);
    const end = await survives(points, () => act(world, memberIds));
    points.disarm();
    // Repeats the action if it died before its commit.
    if ((await refundsOfCharge(world.ctx, charge.id)).length === 0) await act(world, memberIds);
    await recoverAfterCrash(world);
    await recoverAfterCrash(world);
    expect(await chargeRow(world.ctx, { chargeId: charge.id })).toMatchObject({
      status: "refunded",
      refundedCents: 1_500,
    });
    expect(await refundsOfCharge(world.ctx, charge.id)).toEqual([
      { status: "succeeded", amountCents: 1_500 },
    ]);
    expect(await purchaseEndsOf(world.ctx, bruno)).toHaveLength(1);
    expect(await canSeePost(world.ctx, bruno, postId)).toBe(false);
    return end;
  });
  expect(count).toBeGreaterThan(3);
});

test(
  "a crash at any point of refunding a deleted post refunds once",
  { timeout: 120_000 },
  async () => {
    await crashAtEveryPoint(async (at) => {
      const { world, points, bruno, postId } = await mortalShop();
      const { charge } = await paidPurchase(world, bruno, postId);
      await world.ctx.db.run(
        `UPDATE posts SET deleted_at = ${world.ctx.now()} WHERE id = '${postId}'`,
      );
      await world.advance(DAY_MS + 1);
      points.arm(at);
      const end = await survives(points, () => world.tick());
      points.disarm();
      await recoverAfterCrash(world);
      await recoverAfterCrash(world);
      expect(await refundsOfCharge(world.ctx, charge.id)).toEqual([
        { status: "succeeded", amountCents: 1_500 },
      ]);
      expect(await purchaseEndsOf(world.ctx, bruno)).toEqual(["removed"]);
      return end;
    });
  },
);
