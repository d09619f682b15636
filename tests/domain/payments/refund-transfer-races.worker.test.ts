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
  // Months go by in some tests, in which what others left under way would be late; and what a lost
  // dispute of theirs took would be missing at the provider.
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

describe("a dispute meanwhile", () => {
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

  test("holds what is set aside; lost, who paid has it from their bank and nothing is sent", async () => {
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
    // Its seller had given it back: nothing is theirs to answer for.
    expect(await ctx.db.select().from(disputes).where(eq(disputes.chargeId, charge.id))).toEqual(
      [],
    );
  });

  test("won, the money goes on to the key", async () => {
    const charge = await expiredTip(world, bruno, ana);
    const refundId = await openRefundTransfer(world, charge);
    const dispute = await opened(charge);
    await decided(dispute, "win");
    await sendRefundTransferTo(world, refundId);
    expect([await statusesOf(world, refundId), await sentCentsAtProvider(world, refundId)]).toEqual(
      [["paid"], 2_000],
    );
  });

  test("over a payment of which a part is set aside: the seller fights over the rest alone", async () => {
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

  test("is the one that its provider lists, night after night and told again: what is set aside counts beside what the seller answers for", async () => {
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
    const night = async () => {
      await world.advance(msUntilNextRun(ctx.now()));
      await finishRun(ctx);
      return await differencesAbout(
        ctx,
        fights.map(({ disputeId }) => disputeId),
      );
    };
    const toldAgain = async () =>
      await Promise.all(
        fights.map(({ disputeId }) =>
          settleDispute(ctx, { provider: "sandbox", providerDisputeId: disputeId }),
        ),
      );
    expect(await night()).toEqual([]);
    for (const { disputeId, decision } of fights) await decided(disputeId, decision);
    expect(await night()).toEqual([]);
    expect(await toldAgain()).toEqual(fights.map(() => "applied"));
    for (const { refundId, decision } of fights)
      if (decision === "win") await sendRefundTransferTo(world, refundId);
    expect(await night()).toEqual([]);
    expect(await toldAgain()).toEqual(fights.map(() => "applied"));
    expect(await Promise.all(fights.map(({ refundId }) => statusesOf(world, refundId)))).toEqual([
      ["canceled"],
      ["canceled"],
      ["paid"],
      ["paid"],
    ]);
    await deleteRuns();
  });

  test("opened while the Pix is on its way waits for what becomes of it; after it arrived, a human looks", async () => {
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

describe("an account deleted meanwhile", () => {
  test("of who paid: nothing holds it up, and the address of the letter still takes a key", async () => {
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

  test("of who paid: only the CPF that they had given is taken, after a Pix that failed or came back too, and nothing tells it", async () => {
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

  test("of who sold: their balance pays for it first, and they wait for nobody's key", async () => {
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
