import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sendRefundTransfer } from "#app/domain/payments/refund-transfers/commands/send-refund-transfer.server.ts";
import { settleRefundTransfer } from "#app/domain/payments/refund-transfers/commands/settle-refund-transfer.server.ts";
import { RefundKeyNotExpected } from "#app/domain/payments/errors.ts";
import { dueRefundTransfers } from "#app/domain/payments/refund-transfers/queries.server.ts";
import type { ProviderTransfer } from "#app/domain/payments/schema.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { refundTransfers } from "#drizzle/schema/payments.ts";
import { expectQuarantined } from "#tests/support/quarantine.ts";
import { expectInvariantsToHold, expectMoneyInvariants } from "#tests/support/ledger-invariants.ts";
import { cleanDatabase } from "#tests/support/clean-storage.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { interleaveBeforeWrite } from "#tests/support/interleave.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { differencesAbout } from "#tests/support/reconciliation.ts";
import {
  bankAnswers,
  pendingTransferCents,
  giveKey,
  expiredTip,
  openRefundTransfer,
  statusesOf,
  transferTriesOf,
} from "#tests/support/refund-transfers.ts";
import {
  APPLIED_OUTCOME,
  ledgerAndEmailCounts,
  providerBookBalance,
  isAnnounced,
  reconcileProvider,
  PAID_AFTER_REVERSAL,
  setTransferAtProvider,
  deliverTransferEvent,
} from "#tests/support/transfer-updates.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const OTHER = "tr_other";
const OF_A_TRY = /^update "refund_transfers"/i;

let world: World;
let ana: Seller;

beforeEach(async () => {
  // The provider database still holds the transfers that earlier tests changed.
  await Promise.all([
    cleanDatabase("DB", testEnv.DB, []),
    cleanDatabase("PSP_DB", testEnv.PSP_DB, []),
  ]);
  world = await testContext();
  ana = await createSeller(world.ctx);
});
afterEach(() => expectInvariantsToHold(world.ctx));

const sentUnder = async (transferId: string) =>
  (
    await testEnv.PSP_DB.prepare("SELECT COUNT(*) AS count FROM transfers WHERE reference = ?")
      .bind(transferId)
      .first<{ count: number }>()
  )?.count;

describe("a paid refund transfer whose own provider transfer is later reported as failed", () => {
  async function paid(): Promise<{
    refundId: string;
    transferId: string;
    providerTransferId: string;
    amountCents: number;
    heldCents: number;
  }> {
    const tip = await expiredTip(world, await createPerson(world.ctx, "Bruno"), ana);
    const refundId = await openRefundTransfer(world, tip);
    const { transferId } = await giveKey(world, refundId);
    await sendRefundTransfer(world.ctx, { transferId });
    await bankAnswers(world, transferId);
    const [one] = await transferTriesOf(world, refundId);
    if (one?.status !== "paid" || !one.providerTransferId)
      throw new Error(`the transfer is ${one?.status}`);
    expect(await pendingTransferCents(world, refundId)).toBe(0);
    return {
      refundId,
      transferId,
      providerTransferId: one.providerTransferId,
      amountCents: tip.amountCents,
      heldCents: await providerBookBalance(world),
    };
  }
  async function expectBack({
    refundId,
    amountCents,
    heldCents,
  }: Awaited<ReturnType<typeof paid>>): Promise<void> {
    expect(await statusesOf(world, refundId)).toEqual(["returned", "awaiting_key"]);
    expect(await pendingTransferCents(world, refundId)).toBe(amountCents);
    expect(await providerBookBalance(world)).toBe(heldCents + amountCents);
    expect(
      await isAnnounced(
        world,
        `refund-transfer:${(await transferTriesOf(world, refundId))[1]?.id}:key_asked:0`,
      ),
    ).toBe(true);
  }

  test("becomes returned, and the payer is asked for another key, once", async () => {
    const one = await paid();
    const update = {
      id: one.providerTransferId,
      reference: one.transferId,
      status: "failed" as const,
      amountCents: one.amountCents,
      failureCode: "account_closed",
    };
    expect(await deliverTransferEvent(world, update)).toEqual(APPLIED_OUTCOME);
    await expectBack(one);
    const before = await ledgerAndEmailCounts(world);
    await deliverTransferEvent(world, update);
    await deliverTransferEvent(world, { ...update, status: "returned" });
    expect(
      await settleRefundTransfer(world.ctx, {
        transferId: one.transferId,
        providerTransfer: update,
      }),
    ).toBe("applied");
    expect(await ledgerAndEmailCounts(world)).toEqual(before);
  });

  test("is found by the reconciliation run too", async () => {
    const one = await paid();
    await setTransferAtProvider(one.providerTransferId, "failed");
    await reconcileProvider(world);
    await expectBack(one);
    const before = await ledgerAndEmailCounts(world);
    await reconcileProvider(world);
    expect(await ledgerAndEmailCounts(world)).toEqual(before);
  });

  test.each([OTHER, ""])("is not changed by another transfer id (%j)", async (id) => {
    const { transferId, amountCents } = await paid();
    const before = await ledgerAndEmailCounts(world);
    const outcome = await settleRefundTransfer(world.ctx, {
      transferId,
      providerTransfer: {
        id,
        reference: transferId,
        status: "failed",
        amountCents,
        failureCode: "account_closed",
      },
    });
    expect([outcome, await ledgerAndEmailCounts(world)]).toEqual([
      id === OTHER ? "another_transfer" : "applied",
      before,
    ]);
  });
});

describe("a refund transfer reported as failed, and as paid later", () => {
  const AMOUNT_CENTS = 2_000;
  type Failed = {
    refundId: string;
    transferId: string;
    chargeId: string | null;
    heldCents: number;
    update(status: ProviderTransfer["status"], id?: string): ProviderTransfer;
  };

  /**
   * A refund with one failed attempt. For `transfer_failed` the next attempt is ready an hour
   * later. For `key_not_found` it waits for a key.
   */
  async function failedOnce(
    failureCode: "transfer_failed" | "key_not_found" = "transfer_failed",
  ): Promise<Failed> {
    const tip = await expiredTip(world, await createPerson(world.ctx, "Bruno"), ana);
    const refundId = await openRefundTransfer(world, tip);
    const { transferId } = await giveKey(world, refundId);
    await sendRefundTransfer(world.ctx, { transferId });
    const id = (await transferTriesOf(world, refundId))[0]?.providerTransferId ?? "";
    const update: Failed["update"] = (status, as = id) => ({
      id: as,
      reference: transferId,
      status,
      amountCents: AMOUNT_CENTS,
      failureCode: status === "failed" ? failureCode : null,
    });
    await setTransferAtProvider(id, "failed");
    await deliverTransferEvent(world, update("failed"));
    expect(await statusesOf(world, refundId)).toEqual([
      "failed",
      failureCode === "transfer_failed" ? "ready" : "awaiting_key",
    ]);
    return {
      refundId,
      transferId,
      chargeId: tip.providerChargeId,
      heldCents: await providerBookBalance(world),
      update,
    };
  }
  const second = async (refundId: string) => (await transferTriesOf(world, refundId))[1]?.id ?? "";
  const howItStands = async ({ refundId, heldCents }: Failed) => [
    await statusesOf(world, refundId),
    await pendingTransferCents(world, refundId),
    (await providerBookBalance(world)) - heldCents,
  ];
  const STOPPED = [["failed", "canceled"], 0, -AMOUNT_CENTS];

  /** The refund transfers that the cron sends after a day. */
  async function sentInADay(): Promise<readonly string[]> {
    await world.advance(DAY_MS);
    const due = await dueRefundTransfers(world.ctx, { limit: 10 });
    for (const transferId of due) await sendRefundTransfer(world.ctx, { transferId });
    return due;
  }

  test.each([
    ["with a key, of its own transfer", "transfer_failed", "its own transfer"],
    ["with a key, of another transfer", "transfer_failed", "another transfer"],
    ["that waits for a key", "key_not_found", "its own transfer"],
  ] as const)(
    "paid: the next attempt, %s, is never sent, and the ledger has the money as paid",
    async (_, code, which) => {
      const one = await failedOnce(code);
      const changed = which === "another transfer" ? one.update("paid", OTHER) : one.update("paid");
      expect(await deliverTransferEvent(world, changed)).toEqual(PAID_AFTER_REVERSAL);
      expect(await howItStands(one)).toEqual(STOPPED);
      await expectMoneyInvariants(testEnv.DB);
      const before = await ledgerAndEmailCounts(world);
      expect(
        await settleRefundTransfer(world.ctx, {
          transferId: one.transferId,
          providerTransfer: changed,
        }),
      ).toBe("paid_after_given_back");
      expect([
        await sentInADay(),
        await sendRefundTransfer(world.ctx, { transferId: await second(one.refundId) }),
        await ledgerAndEmailCounts(world),
      ]).toEqual([[], undefined, before]);
      await expect(giveKey(world, one.refundId)).rejects.toBeInstanceOf(RefundKeyNotExpected);
      await expectQuarantined(world.ctx, ["paid_after_given_back"]);
    },
  );

  test.each(["transfer_failed", "key_not_found"] as const)(
    "in process (%s): the next attempt waits, even with a new key, until the provider gives a final status",
    async (code) => {
      const one = await failedOnce(code);
      expect(await deliverTransferEvent(world, one.update("processing"))).toEqual(
        PAID_AFTER_REVERSAL,
      );
      await giveKey(world, one.refundId);
      expect([await sentInADay(), ...(await howItStands(one))]).toEqual([
        [],
        ["failed", "ready"],
        AMOUNT_CENTS,
        0,
      ]);
      await sendRefundTransfer(world.ctx, { transferId: await second(one.refundId) });
      expect(await statusesOf(world, one.refundId)).toEqual(["failed", "ready"]);
      expect(await deliverTransferEvent(world, one.update("paid"))).toEqual(PAID_AFTER_REVERSAL);
      expect(await howItStands(one)).toEqual(STOPPED);
      await expectQuarantined(world.ctx, ["paid_after_given_back"]);
    },
  );

  test("in process and then failed: the next attempt is sent once", async () => {
    const one = await failedOnce();
    await deliverTransferEvent(world, one.update("processing"));
    expect(await deliverTransferEvent(world, one.update("failed"))).toEqual(APPLIED_OUTCOME);
    expect(await sentInADay()).toEqual([await second(one.refundId)]);
    await bankAnswers(world, await second(one.refundId));
    expect(await howItStands(one)).toEqual([["failed", "paid"], 0, -AMOUNT_CENTS]);
    await expectQuarantined(world.ctx, ["paid_after_given_back"]);
  });

  test.each(["paid", "processing"] as const)(
    "%s after the next attempt was sent: the event is quarantined, and the next attempt settles normally",
    async (status) => {
      const one = await failedOnce();
      await sentInADay();
      expect(await deliverTransferEvent(world, one.update(status))).toEqual(PAID_AFTER_REVERSAL);
      expect(await howItStands(one)).toEqual([["failed", "sent"], AMOUNT_CENTS, 0]);
      await bankAnswers(world, await second(one.refundId));
      expect(await deliverTransferEvent(world, one.update(status))).toEqual(PAID_AFTER_REVERSAL);
      expect(await howItStands(one)).toEqual([["failed", "paid"], 0, -AMOUNT_CENTS]);
      await expectQuarantined(world.ctx, ["paid_after_given_back"]);
    },
  );

  test.each([
    ["paid", "canceled"],
    ["processing", "ready"],
  ] as const)(
    "%s while the cron claims the next attempt: that attempt is stopped",
    async (status, stopped) => {
      const one = await failedOnce();
      await world.advance(DAY_MS);
      await sendRefundTransfer(
        interleaveBeforeWrite(
          world.ctx,
          () => deliverTransferEvent(world, one.update(status)),
          OF_A_TRY,
        ),
        { transferId: await second(one.refundId) },
      );
      expect(await statusesOf(world, one.refundId)).toEqual(["failed", stopped]);
      expect(await sentUnder(await second(one.refundId))).toBe(0);
      await expectQuarantined(world.ctx, ["paid_after_given_back"]);
    },
  );

  test.each(["paid", "processing"] as const)(
    "%s just after the cron claimed the next attempt: it is sent once, and the event is quarantined",
    async (status) => {
      const one = await failedOnce();
      await world.advance(DAY_MS);
      const transferId = await second(one.refundId);
      const slower = interleaveBeforeWrite(
        world.ctx,
        () => sendRefundTransfer(world.ctx, { transferId }),
        OF_A_TRY,
      );
      expect(
        await settleRefundTransfer(slower, {
          transferId: one.transferId,
          providerTransfer: one.update(status),
        }),
      ).toBe("paid_after_given_back");
      expect([await statusesOf(world, one.refundId), await sentUnder(transferId)]).toEqual([
        ["failed", "sent"],
        1,
      ]);
      expect(await deliverTransferEvent(world, one.update(status))).toEqual(PAID_AFTER_REVERSAL);
      await expectQuarantined(world.ctx, ["paid_after_given_back"]);
    },
  );

  test("paid while the charge is disputed: the next attempt waits for staff, even after the dispute is won", async () => {
    const one = await failedOnce();
    const tryAfter = eq(refundTransfers.id, await second(one.refundId));
    await world.ctx.db
      .update(refundTransfers)
      .set({ heldBy: "dp_1", disputedBy: "dp_1" })
      .where(tryAfter);
    expect(await deliverTransferEvent(world, one.update("paid"))).toEqual(PAID_AFTER_REVERSAL);
    expect(await howItStands(one)).toEqual([["failed", "ready"], AMOUNT_CENTS, 0]);
    await world.ctx.db.update(refundTransfers).set({ heldBy: null }).where(tryAfter);
    expect(await sentInADay()).toEqual([]);
    expect(await deliverTransferEvent(world, one.update("paid"))).toEqual(PAID_AFTER_REVERSAL);
    expect(await howItStands(one)).toEqual(STOPPED);
    await expectQuarantined(world.ctx, ["paid_after_given_back"]);
  });

  test("paid without a webhook event: the reconciliation run stops the next attempt and reports the transfer", async () => {
    const one = await failedOnce();
    const { id } = one.update("paid");
    await setTransferAtProvider(id, "paid");
    await reconcileProvider(world, async () => {
      expect(await howItStands(one)).toEqual(STOPPED);
      expect(await differencesAbout(world.ctx, [id, one.chargeId])).toMatchObject([
        { object: "transfer", objectId: id, kind: "state" },
      ]);
    });
  });
});
