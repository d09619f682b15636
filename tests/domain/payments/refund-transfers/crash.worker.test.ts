import { expect, test } from "vitest";
import { refundCharge } from "#app/domain/billing/refunds/commands/refund.server.ts";
import { sendRefundTransferNow } from "#app/domain/payments/refund-transfers/commands/send-refund-transfer.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import { survives } from "#tests/support/crash.ts";
import {
  crashAtEveryPoint,
  createCrashWorld,
  recoverAfterCrash,
} from "#tests/support/crash-world.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import {
  pendingTransferCents,
  giveKey,
  expiredTip,
  sentCentsAtProvider,
  openRefundTransfer,
  transferTriesOf,
} from "#tests/support/refund-transfers.ts";

async function mortalOldTip() {
  const { world, points } = await createCrashWorld();
  const charge = await expiredTip(
    world,
    await createPerson(world.ctx, "Bruno"),
    await createSeller(world.ctx),
  );
  return { world, points, charge };
}

test(
  "a crash at any point of refunding an old Pix opens one refund transfer, and asks for one key",
  { timeout: 120_000 },
  async () => {
    const count = await crashAtEveryPoint(async (at) => {
      const { world, points, charge } = await mortalOldTip();
      const refundId = world.ctx.newId();
      const giveBack = () =>
        refundCharge(world.ctx, {
          sellerId: charge.creatorId,
          decidedBy: charge.creatorId,
          chargeId: charge.id,
          refundId,
          amountCents: 2_000,
          reason: "",
        });
      points.arm(at);
      const end = await survives(points, giveBack);
      points.disarm();
      await recoverAfterCrash(world);
      expect(await giveBack()).toBe("awaiting_key");
      expect(await chargeRow(world.ctx, { chargeId: charge.id })).toMatchObject({
        status: "refunded",
        refundedCents: 2_000,
      });
      expect([
        (await transferTriesOf(world, refundId)).map(({ status }) => status),
        await pendingTransferCents(world, refundId),
      ]).toEqual([["awaiting_key"], 2_000]);
      return end;
    });
    expect(count).toBeGreaterThan(3);
  },
);

test(
  "a crash at any point of sending a refund transfer, and a second click, send one Pix",
  { timeout: 240_000 },
  async () => {
    const count = await crashAtEveryPoint(async (at) => {
      const { world, points, charge } = await mortalOldTip();
      const refundId = await openRefundTransfer(world, charge);
      const send = async () =>
        await sendRefundTransferNow(world.ctx, await giveKey(world, refundId));
      points.arm(at);
      const end = await survives(points, send);
      points.disarm();
      // The sender repeats the form after the crash. Once the transfer was sent, the form is
      // refused.
      await send().catch(() => null);
      for (
        let minute = 0;
        minute < 3 && (await transferTriesOf(world, refundId))[0]?.status !== "paid";
        minute += 1
      ) {
        await world.advance(2 * MINUTE_MS);
        await recoverAfterCrash(world);
      }
      expect([
        (await transferTriesOf(world, refundId)).map(({ status }) => status),
        await pendingTransferCents(world, refundId),
        await sentCentsAtProvider(world, refundId),
      ]).toEqual([["paid"], 0, 2_000]);
      return end;
    });
    expect(count).toBeGreaterThan(6);
  },
);
