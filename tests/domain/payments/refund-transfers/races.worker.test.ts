import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { saveBillingDetails } from "#app/domain/billing/details/commands.server.ts";
import { requestDeletion } from "#app/domain/deletion/commands/request.server.ts";
import { forgetPayerDigests } from "#app/domain/payments/refund-transfers/commands/refund-payer.server.ts";
import { sendRefundTransfer } from "#app/domain/payments/refund-transfers/commands/send-refund-transfer.server.ts";
import { RefundKeyOwnerMismatch, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { refundKeyPage } from "#app/domain/payments/refund-transfers/queries.server.ts";
import { settleDispute } from "#app/domain/payments/disputes/commands/settle-dispute.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { disputes, inbox } from "#drizzle/schema/payments.ts";
import { expectQuarantined } from "#tests/support/quarantine.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { cleanDatabase } from "#tests/support/clean-storage.ts";
import { expectErased, settleDeletion } from "#tests/support/account-deletion.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { deliverOutbox } from "#tests/support/disputes.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import {
  differencesAbout,
  deleteRuns,
  msUntilNextRun,
  finishRun,
} from "#tests/support/reconciliation.ts";
import {
  bankAnswers,
  pendingTransferCents,
  giveKey,
  GOOD_KEY,
  expiredTip,
  RETURNING_KEY,
  sentCentsAtProvider,
  sendRefundTransferTo,
  openRefundTransfer,
  signatureOf,
  statusesOf,
  transferTriesOf,
} from "#tests/support/refund-transfers.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let world: World;
let ctx: World["ctx"];
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  // Some tests move months ahead, and pending work of other tests would then be overdue. Money
  // taken by their lost disputes would be missing at the provider.
  await Promise.all([
    cleanDatabase("DB", testEnv.DB, []),
    cleanDatabase("PSP_DB", testEnv.PSP_DB, []),
  ]);
  world = await testContext();
  ctx = world.ctx;
  ana = await createSeller(ctx);
  bruno = await createPerson(ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(ctx));

describe("a dispute opened while a refund transfer is pending", () => {
  const opened = async (charge: Charge) => {
    const answer = await world.console(`/sandbox/charges/${charge.providerChargeId}/dispute`);
    expect(answer.status).toBe(200);
    await world.drain();
    return String(answer.body.id);
  };
  const decided = async (disputeId: string, decision: "win" | "lose") => {
    await world.console(`/sandbox/disputes/${disputeId}/${decision}`);
    await world.drain();
  };

  test("holds the refund transfer; when lost, the payer is refunded by their bank and nothing is sent", async () => {
    const charge = await expiredTip(world, bruno, ana);
    const refundId = await openRefundTransfer(world, charge);
    const dispute = await opened(charge);
    const { transferId } = await giveKey(world, refundId);
    await sendRefundTransfer(ctx, { transferId });
    expect(await transferTriesOf(world, refundId)).toMatchObject([
      { status: "ready", heldBy: dispute },
    ]);
    await expectInvariantsToHold(ctx);
    await decided(dispute, "lose");
    await sendRefundTransfer(ctx, { transferId });
    expect([
      await statusesOf(world, refundId),
      await pendingTransferCents(world, refundId),
      await sentCentsAtProvider(world, refundId),
    ]).toEqual([["canceled"], 0, 0]);
    // The seller had refunded it already: they have no dispute to answer.
    expect(await ctx.db.select().from(disputes).where(eq(disputes.chargeId, charge.id))).toEqual(
      [],
    );
  });

  test("sends the transfer to the key when the dispute is won", async () => {
    const charge = await expiredTip(world, bruno, ana);
    const refundId = await openRefundTransfer(world, charge);
    const dispute = await opened(charge);
    await decided(dispute, "win");
    await sendRefundTransferTo(world, refundId);
    expect([await statusesOf(world, refundId), await sentCentsAtProvider(world, refundId)]).toEqual(
      [["paid"], 2_000],
    );
  });

  test("over a payment with a partial refund transfer disputes only the rest with the seller", async () => {
    const charge = await expiredTip(world, bruno, ana);
    const refundId = await openRefundTransfer(world, charge, 700);
    const dispute = await opened(charge);
    expect(
      await ctx.db.select().from(disputes).where(eq(disputes.chargeId, charge.id)),
    ).toMatchObject([{ amountCents: 1_300, status: "open" }]);
    await expectInvariantsToHold(ctx);
    await decided(dispute, "lose");
    expect(await statusesOf(world, refundId)).toEqual(["canceled"]);
    expect(await chargeRow(ctx, { chargeId: charge.id })).toMatchObject({
      status: "dispute_lost",
      refundedCents: 700,
      disputedCents: 1_300,
    });
  });

  test("matches the provider's list in every reconciliation: the transfer counts beside the seller's disputed funds", async () => {
    await deleteRuns();
    const fights: { disputeId: string; refundId: string; decision: "win" | "lose" }[] = [];
    for (const [amountCents, decision] of [
      [700, "lose"],
      [2_000, "lose"],
      [700, "win"],
      [2_000, "win"],
    ] as const) {
      const charge = await expiredTip(world, bruno, ana);
      const refundId = await openRefundTransfer(world, charge, amountCents);
      fights.push({ disputeId: await opened(charge), refundId, decision });
    }
    const reconcile = async () => {
      await world.advance(msUntilNextRun(ctx.now()));
      await finishRun(ctx);
      return await differencesAbout(
        ctx,
        fights.map(({ disputeId }) => disputeId),
      );
    };
    const notifiedAgain = async () =>
      await Promise.all(
        fights.map(({ disputeId }) =>
          settleDispute(ctx, { provider: "sandbox", providerDisputeId: disputeId }),
        ),
      );
    expect(await reconcile()).toEqual([]);
    for (const { disputeId, decision } of fights) await decided(disputeId, decision);
    expect(await reconcile()).toEqual([]);
    expect(await notifiedAgain()).toEqual(fights.map(() => "applied"));
    for (const { refundId, decision } of fights)
      if (decision === "win") await sendRefundTransferTo(world, refundId);
    expect(await reconcile()).toEqual([]);
    expect(await notifiedAgain()).toEqual(fights.map(() => "applied"));
    expect(await Promise.all(fights.map(({ refundId }) => statusesOf(world, refundId)))).toEqual([
      ["canceled"],
      ["canceled"],
      ["paid"],
      ["paid"],
    ]);
    await deleteRuns();
  });

  test("waits for the result of a Pix on its way, and goes to staff review once the Pix arrived", async () => {
    const charge = await expiredTip(world, bruno, ana);
    const refundId = await openRefundTransfer(world, charge);
    const { transferId } = await giveKey(world, refundId);
    await sendRefundTransfer(ctx, { transferId });
    await world.console(`/sandbox/charges/${charge.providerChargeId}/dispute`);
    await expect(world.drain()).rejects.toBeInstanceOf(ProviderUnclear);
    await bankAnswers(world, transferId);
    await ctx.db.update(inbox).set({ receivedAt: 0 }).where(eq(inbox.type, "dispute"));
    await world.tick();
    expect(await statusesOf(world, refundId)).toEqual(["paid"]);
    await expectQuarantined(ctx, ["amount_differs"]);
  });
});

describe("an account deleted while a refund transfer is pending", () => {
  test("of the payer does not block the transfer, and the address of the email still accepts a key", async () => {
    const charge = await expiredTip(world, bruno, ana);
    const refundId = await openRefundTransfer(world, charge);
    await deliverOutbox(ctx);
    await requestDeletion(ctx, { personId: bruno.id });
    await world.advance(32 * DAY_MS);
    await settleDeletion(world, 5);
    await expectErased(ctx, bruno.id, bruno.username);
    await sendRefundTransferTo(world, refundId);
    expect([await statusesOf(world, refundId), await sentCentsAtProvider(world, refundId)]).toEqual(
      [["paid"], 2_000],
    );
  });

  test("of the payer still limits the key to their CPF, also after a failed or returned Pix, without revealing it", async () => {
    const address = {
      cep: "",
      street: "",
      number: "",
      complement: "",
      district: "",
      city: "",
      state: "",
    };
    await saveBillingDetails(ctx, {
      personId: bruno.id,
      details: { name: "Bruno", ...RETURNING_KEY, ...address },
    });
    const refundId = await openRefundTransfer(world, await expiredTip(world, bruno, ana));
    await deliverOutbox(ctx);
    await requestDeletion(ctx, { personId: bruno.id });
    await world.advance(32 * DAY_MS);
    await settleDeletion(world, 5);
    await expectErased(ctx, bruno.id, bruno.username);
    await expect(giveKey(world, refundId, GOOD_KEY)).rejects.toThrow(RefundKeyOwnerMismatch);
    expect(JSON.stringify(await transferTriesOf(world, refundId))).not.toContain(
      RETURNING_KEY.taxId,
    );
    expect(
      await refundKeyPage(ctx, { refundId, signature: await signatureOf(world, refundId) }),
    ).toMatchObject({ ownerShown: null, isOwnerKnown: true });
    await sendRefundTransferTo(world, refundId, RETURNING_KEY);
    await world.advance(2 * DAY_MS);
    await world.console("/sandbox/tick");
    await world.drain();
    expect(await statusesOf(world, refundId)).toEqual(["returned", "awaiting_key"]);
    await expect(giveKey(world, refundId, GOOD_KEY)).rejects.toThrow(RefundKeyOwnerMismatch);
    expect(
      (await transferTriesOf(world, refundId)).map(({ payerDigest }) => payerDigest !== null),
    ).toEqual([false, true]);
    await sendRefundTransferTo(world, refundId, RETURNING_KEY);
    await world.advance(91 * DAY_MS);
    await forgetPayerDigests(ctx);
    expect((await transferTriesOf(world, refundId)).map(({ payerDigest }) => payerDigest)).toEqual([
      null,
      null,
    ]);
  });

  test("of the seller pays the refund from their balance first, without waiting for the key", async () => {
    const charge = await expiredTip(world, bruno, ana);
    const refundId = await openRefundTransfer(world, charge);
    await requestDeletion(ctx, { personId: ana.id });
    await world.advance(32 * DAY_MS);
    await settleDeletion(world, 5);
    await expectErased(ctx, ana.id, ana.username);
    expect([
      await statusesOf(world, refundId),
      await pendingTransferCents(world, refundId),
    ]).toEqual([["awaiting_key"], 2_000]);
  });
});
