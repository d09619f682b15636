import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { requestRefundStatement } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { sendRefundTransfer } from "#app/domain/payments/refund-transfers/commands/send-refund-transfer.server.ts";
import { settleRefund } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { ledgerChecks } from "#drizzle/schema/ledger.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import {
  bankAnswers,
  pendingTransferCents,
  giveKey,
  expiredTip,
  sentCentsAtProvider,
  sendRefundTransferTo,
  openRefundTransfer,
  statusesOf,
  transferTriesOf,
} from "#tests/support/refund-transfers.ts";
import { cleanDatabase } from "#tests/support/clean-storage.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let world: World;
let ctx: World["ctx"];
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  // Some tests move months ahead, and pending work of other tests would then be overdue.
  await cleanDatabase("DB", testEnv.DB, []);
  world = await testContext();
  ctx = world.ctx;
  ana = await createSeller(ctx);
  bruno = await createPerson(ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(ctx));

describe("sending the transfer", () => {
  test("moves the money once when run twice at once and again after a lost answer", async () => {
    const refundId = await openRefundTransfer(world, await expiredTip(world, bruno, ana));
    const { transferId } = await giveKey(world, refundId);
    await world.console("/sandbox/chaos", { timeouts: 1 });
    await Promise.allSettled([
      sendRefundTransfer(ctx, { transferId }),
      sendRefundTransfer(ctx, { transferId }),
    ]);
    await sendRefundTransfer(ctx, { transferId });
    await bankAnswers(world, transferId);
    expect([await statusesOf(world, refundId), await sentCentsAtProvider(world, refundId)]).toEqual(
      [["paid"], 2_000],
    );
  });

  test("is looked up from the day its key was given, even months after it was requested", async () => {
    const refundId = await openRefundTransfer(world, await expiredTip(world, bruno, ana));
    await world.advance(200 * DAY_MS);
    const { transferId } = await giveKey(world, refundId);
    const keyGivenAt = (await transferTriesOf(world, refundId))[0]?.keyGivenAt;
    const { transfer, transferByReference } = ctx.payments;
    const since: unknown[] = [];
    ctx.payments.transfer = async (request) => {
      since.push(request.readyAt);
      await transfer(request);
      throw new ProviderUnclear("no answer");
    };
    ctx.payments.transferByReference = async (reference, made) => {
      since.push(made?.readyAt);
      return await transferByReference(reference);
    };
    await expect(sendRefundTransfer(ctx, { transferId })).rejects.toBeInstanceOf(ProviderUnclear);
    await bankAnswers(world, transferId);
    expect(since).toEqual([keyGivenAt, keyGivenAt]);
    expect(await statusesOf(world, refundId)).toEqual(["paid"]);
  });

  test("waits while a ledger invariant is broken, and resumes by itself", async () => {
    const refundId = await openRefundTransfer(world, await expiredTip(world, bruno, ana));
    const { transferId } = await giveKey(world, refundId);
    await ctx.db.insert(ledgerChecks).values({
      name: "books_balance",
      checkedAt: ctx.now(),
      brokenCount: 1,
      brokenSince: ctx.now(),
      example: null,
      holdsPayouts: true,
    });
    await sendRefundTransfer(ctx, { transferId });
    expect(await statusesOf(world, refundId)).toEqual(["ready"]);
    await ctx.db.delete(ledgerChecks);
    await world.tick();
    await bankAnswers(world, transferId);
    expect(await statusesOf(world, refundId)).toEqual(["paid"]);
  });

  test("waits while the provider balance is too low, and requests no other key", async () => {
    const refundId = await openRefundTransfer(world, await expiredTip(world, bruno, ana));
    const { transferId } = await giveKey(world, refundId);
    const { balance } = ctx.payments;
    ctx.payments.balance = async () => ({ availableCents: 1_999, pendingCents: 0 });
    await sendRefundTransfer(ctx, { transferId });
    expect(await statusesOf(world, refundId)).toEqual(["ready"]);
    ctx.payments.balance = balance;
    await sendRefundTransfer(ctx, { transferId });
    await bankAnswers(world, transferId);
    expect(await statusesOf(world, refundId)).toEqual(["paid"]);
  });

  test("is unnecessary once somebody refunded it on the provider's own pages", async () => {
    const charge = await expiredTip(world, bruno, ana);
    const refundId = await openRefundTransfer(world, charge);
    const { transferId } = await giveKey(world, refundId);
    const { chargeById } = ctx.payments;
    ctx.payments.chargeById = async (id) => ({ ...(await chargeById(id)), refundedCents: 2_000 });
    await sendRefundTransfer(ctx, { transferId });
    expect([
      await statusesOf(world, refundId),
      await pendingTransferCents(world, refundId),
      await sentCentsAtProvider(world, refundId),
    ]).toEqual([["canceled"], 0, 0]);
  });

  test("waits when the provider's refunded amount belongs to another unconfirmed refund, and is then sent", async () => {
    const charge = await expiredTip(world, bruno, ana);
    const refundId = await openRefundTransfer(world, charge, 700);
    const { transferId } = await giveKey(world, refundId);
    const other = ctx.newId();
    await commit(ctx.db, [
      requestRefundStatement(ctx, charge, { id: other, amountCents: 1_300, reason: "" }),
    ]);
    const { chargeById } = ctx.payments;
    ctx.payments.chargeById = async (id) => ({ ...(await chargeById(id)), refundedCents: 1_300 });
    await sendRefundTransfer(ctx, { transferId });
    expect([
      await statusesOf(world, refundId),
      await pendingTransferCents(world, refundId),
    ]).toEqual([["ready"], 700]);
    await settleRefund(ctx, {
      refundId: other,
      providerRefund: {
        id: "rf_other",
        reference: other,
        chargeId: charge.providerChargeId ?? "",
        status: "succeeded",
        amountCents: 1_300,
      },
    });
    await sendRefundTransferTo(world, refundId);
    expect([await statusesOf(world, refundId), await sentCentsAtProvider(world, refundId)]).toEqual(
      [["paid"], 700],
    );
  });
});
