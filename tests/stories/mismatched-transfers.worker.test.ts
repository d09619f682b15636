import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { ProviderUnavailable, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { sendRefundTransfer } from "#app/domain/payments/refund-transfers/commands/send-refund-transfer.server.ts";
import type { ProviderTransfer } from "#app/domain/payments/schema.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { releasePayoutsOf } from "#app/domain/payouts/staff-review/commands/staff-review.server.ts";
import { recordPaidAfterReversal } from "#app/domain/payouts/staff-review/commands/paid-after-reversal.server.ts";
import { PayoutNotPaidAfterReversal } from "#app/domain/payouts/errors.ts";
import { claimPayout } from "#app/domain/payouts/sending/commands/claim.server.ts";
import { changeSchedule } from "#app/domain/payouts/batches/commands/schedule.server.ts";
import { sendPayout } from "#app/domain/payouts/sending/commands/send.server.ts";
import { settlePayout } from "#app/domain/payouts/sending/commands/settle.server.ts";
import { creatorBalances, payoutRow } from "#app/domain/payouts/queries.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { payoutHolds } from "#drizzle/schema/payouts.ts";
import { expectQuarantined } from "#tests/support/quarantine.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { cleanDatabase } from "#tests/support/clean-storage.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { moderatorInTeam } from "#tests/support/teams.ts";
import {
  pendingTransferCents,
  giveKey,
  expiredTip,
  openRefundTransfer,
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
  withTransferAnswer,
  deliverTransferEvent,
} from "#tests/support/transfer-updates.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const NET_CENTS = 1_890;
const OTHER = "tr_other";

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
  await changeSchedule(world.ctx, { creatorId: ana.id, schedule: "manual" });
});
afterEach(() => expectInvariantsToHold(world.ctx));

const holds = () =>
  world.ctx.db
    .select({ endedAt: payoutHolds.endedAt })
    .from(payoutHolds)
    .where(eq(payoutHolds.creatorId, ana.id));

/** A payout of the net of one sale, sent to the provider. */
async function sent(): Promise<{ payoutId: string; transferId: string }> {
  await paidSubscription(world, await createPerson(world.ctx, "Bruno"), ana);
  await world.advance(9 * DAY_MS);
  await world.tick();
  const { payoutId } = await requestPayout(world.ctx, { creatorId: ana.id });
  world.queued.splice(0);
  await claimPayout(world.ctx, { payoutId });
  await sendPayout(world.ctx, { payoutId });
  const payout = await payoutRow(world.ctx, { payoutId });
  if (payout?.status !== "sent" || !payout.providerTransferId)
    throw new Error(`the payout is ${payout?.status}`);
  return { payoutId, transferId: payout.providerTransferId };
}

const said = (
  payoutId: string,
  id: string,
  status: ProviderTransfer["status"],
): ProviderTransfer => ({
  id,
  reference: payoutId,
  status,
  amountCents: NET_CENTS,
  failureCode: status === "failed" ? "account_closed" : null,
});

describe("an event of another transfer with the reference of a payout", () => {
  test.each(["failed", "paid", "returned", "processing"] as const)(
    "that is %s changes nothing and is quarantined; the payout's own transfer is then paid",
    async (status) => {
      const { payoutId, transferId } = await sent();
      expect(await deliverTransferEvent(world, said(payoutId, OTHER, status))).toEqual({
        reason: "another_transfer",
        handledAt: null,
      });
      expect(await payoutRow(world.ctx, { payoutId })).toMatchObject({
        status: "sent",
        providerTransferId: transferId,
      });
      expect((await creatorBalances(world.ctx, { creatorId: ana.id })).availableCents).toBe(0);
      await deliverTransferEvent(world, said(payoutId, transferId, "paid"));
      expect(await payoutRow(world.ctx, { payoutId })).toMatchObject({
        status: "paid",
        providerTransferId: transferId,
      });
      expect(await creatorBalances(world.ctx, { creatorId: ana.id })).toMatchObject({
        availableCents: 0,
        inTransitCents: 0,
      });
      await expectQuarantined(world.ctx, ["another_transfer"]);
    },
  );
});

describe("an event of another transfer with the reference of a refund transfer", () => {
  test("that failed is quarantined, and the payer is not asked for another key", async () => {
    const tip = await expiredTip(world, await createPerson(world.ctx, "Bruno"), ana);
    const refundId = await openRefundTransfer(world, tip);
    const { transferId } = await giveKey(world, refundId);
    await sendRefundTransfer(world.ctx, { transferId });
    const [before] = await transferTriesOf(world, refundId);
    expect(before).toMatchObject({ status: "sent" });
    const aside = await pendingTransferCents(world, refundId);
    const news = {
      id: OTHER,
      reference: transferId,
      status: "failed" as const,
      amountCents: tip.amountCents,
      failureCode: "key_not_found",
    };
    expect(await deliverTransferEvent(world, news)).toEqual({
      reason: "another_transfer",
      handledAt: null,
    });
    expect(await transferTriesOf(world, refundId)).toEqual([before]);
    expect(await pendingTransferCents(world, refundId)).toBe(aside);
    await expectQuarantined(world.ctx, ["another_transfer"]);
  });
});

describe("a paid payout whose own transfer is later reported as failed", () => {
  async function paid(): Promise<{ payoutId: string; transferId: string; heldCents: number }> {
    const one = await sent();
    await deliverTransferEvent(world, said(one.payoutId, one.transferId, "paid"));
    expect(await payoutRow(world.ctx, one)).toMatchObject({ status: "paid" });
    return { ...one, heldCents: await providerBookBalance(world) };
  }
  async function expectBack({
    payoutId,
    heldCents,
  }: {
    payoutId: string;
    heldCents: number;
  }): Promise<void> {
    expect(await payoutRow(world.ctx, { payoutId })).toMatchObject({
      status: "returned",
      failureCode: "account_closed",
    });
    expect(await creatorBalances(world.ctx, { creatorId: ana.id })).toMatchObject({
      availableCents: NET_CENTS,
      inTransitCents: 0,
    });
    expect(await providerBookBalance(world)).toBe(heldCents + NET_CENTS);
    expect(await isAnnounced(world, `payout:${payoutId}:returned`)).toBe(true);
  }

  test("becomes returned: the creator has the money and one notification, once", async () => {
    const one = await paid();
    const news = said(one.payoutId, one.transferId, "failed");
    expect(await deliverTransferEvent(world, news)).toEqual(APPLIED_OUTCOME);
    await expectBack(one);
    const before = await ledgerAndEmailCounts(world);
    await deliverTransferEvent(world, news);
    await deliverTransferEvent(world, { ...news, status: "returned" });
    expect(await settlePayout(world.ctx, { payoutId: one.payoutId, providerTransfer: news })).toBe(
      "applied",
    );
    expect(await ledgerAndEmailCounts(world)).toEqual(before);
  });

  test.each(["failed", "returned"] as const)(
    "is found by the reconciliation run too, as %s, without a webhook event",
    async (status) => {
      const one = await paid();
      await setTransferAtProvider(one.transferId, status);
      await reconcileProvider(world);
      await expectBack(one);
      const before = await ledgerAndEmailCounts(world);
      await reconcileProvider(world);
      expect(await ledgerAndEmailCounts(world)).toEqual(before);
    },
  );

  test("and then as paid again is quarantined, and the creator's payouts are held", async () => {
    const { payoutId, transferId } = await paid();
    await deliverTransferEvent(world, said(payoutId, transferId, "failed"));
    expect(await deliverTransferEvent(world, said(payoutId, transferId, "paid"))).toEqual(
      PAID_AFTER_REVERSAL,
    );
    expect(await holds()).toEqual([{ endedAt: null }]);
    await expectQuarantined(world.ctx, ["paid_after_given_back"]);
  });

  test.each([OTHER, ""])("is not changed by another transfer id (%j)", async (id) => {
    const { payoutId } = await paid();
    const before = await ledgerAndEmailCounts(world);
    const outcome = await settlePayout(world.ctx, {
      payoutId,
      providerTransfer: said(payoutId, id, "failed"),
    });
    expect([outcome, await ledgerAndEmailCounts(world)]).toEqual([
      id === OTHER ? "another_transfer" : "applied",
      before,
    ]);
  });
});

describe("a payout reported as failed, and as paid later", () => {
  test.each([
    ["paid", "its own transfer"],
    ["processing", "its own transfer"],
    ["paid", "another transfer"],
  ] as const)(
    "(%s, %s) is quarantined, and the creator's payouts are held until staff looks at it",
    async (status, which) => {
      const { payoutId, transferId } = await sent();
      await deliverTransferEvent(world, said(payoutId, transferId, "failed"));
      expect((await creatorBalances(world.ctx, { creatorId: ana.id })).availableCents).toBe(
        NET_CENTS,
      );
      const news = said(payoutId, which === "another transfer" ? OTHER : transferId, status);
      expect(await deliverTransferEvent(world, news)).toEqual(PAID_AFTER_REVERSAL);
      expect(await payoutRow(world.ctx, { payoutId })).toMatchObject({ status: "failed" });
      expect(await holds()).toEqual([{ endedAt: null }]);
      await expect(requestPayout(world.ctx, { creatorId: ana.id })).rejects.toThrow("confer");
      // A repeated event, or the reconciliation run, places no second hold.
      expect(
        await settlePayout(withTransferAnswer(world, news), { payoutId, providerTransfer: news }),
      ).toBe("paid_after_given_back");
      expect(await holds()).toHaveLength(1);
      await expectQuarantined(world.ctx, ["paid_after_given_back"]);
    },
  );
});

describe("a payout paid by the bank after its reversal", () => {
  const available = async () => await creatorBalances(world.ctx, { creatorId: ana.id });
  const record = (ctx: Context, payoutId: string, by: { id: string }) =>
    recordPaidAfterReversal(ctx, { payoutId, moderatorId: by.id });

  /** A payout reported as failed, and then as paid. */
  async function paidLate(): Promise<{ payoutId: string; late: ProviderTransfer }> {
    const { payoutId, transferId } = await sent();
    await deliverTransferEvent(world, said(payoutId, transferId, "failed"));
    const late = said(payoutId, transferId, "paid");
    await deliverTransferEvent(world, late);
    return { payoutId, late };
  }

  test("is recorded once by an impartial moderator; the repeated event is applied, and the hold can be released", async () => {
    const { payoutId, late } = await paidLate();
    const [carla, colleague] = [
      await createModerator(world.ctx),
      await moderatorInTeam(world.ctx, ana.id),
    ];
    for (const side of [ana, colleague])
      await expect(record(withTransferAnswer(world, late), payoutId, side)).rejects.toMatchObject({
        kind: "forbidden",
      });
    const both = await Promise.allSettled([
      record(withTransferAnswer(world, late), payoutId, carla),
      record(withTransferAnswer(world, late), payoutId, carla),
    ]);
    expect(
      both
        .map((end) => (end.status === "fulfilled" ? end.value : (end.reason as Error).name))
        .toSorted(),
    ).toEqual(expect.arrayContaining([{ owedCents: 0 }]));
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await available()).toMatchObject({ availableCents: 0, inTransitCents: 0, owedCents: 0 });
    expect(await payoutRow(world.ctx, { payoutId })).toMatchObject({
      status: "paid",
      failureCode: null,
    });
    expect(await deliverTransferEvent(world, late)).toMatchObject({
      reason: null,
      handledAt: expect.any(Number),
    });
    await releasePayoutsOf(world.ctx, { payoutId, moderatorId: carla.id });
    expect(await holds()).toEqual([{ endedAt: expect.any(Number) }]);
    await expectQuarantined(world.ctx, ["paid_after_given_back"]);
  });

  test("leaves a debt when its money was paid out again, and a later return by the bank is available", async () => {
    // The sale of another seller funds the second payout at the provider.
    const other = await createSeller(world.ctx);
    await changeSchedule(world.ctx, { creatorId: other.id, schedule: "manual" });
    await paidSubscription(world, await createPerson(world.ctx, "Clara"), other);
    const { payoutId, late } = await paidLate();
    const carla = await createModerator(world.ctx);
    await releasePayoutsOf(world.ctx, { payoutId, moderatorId: carla.id });
    const { payoutId: second } = await requestPayout(world.ctx, { creatorId: ana.id });
    world.queued.splice(0);
    await claimPayout(world.ctx, { payoutId: second });
    await sendPayout(world.ctx, { payoutId: second });
    expect(await payoutRow(world.ctx, { payoutId: second })).toMatchObject({
      status: "sent",
      amountCents: NET_CENTS,
    });
    expect(await record(withTransferAnswer(world, late), payoutId, carla)).toEqual({
      owedCents: NET_CENTS,
    });
    expect(await available()).toMatchObject({ availableCents: 0, owedCents: NET_CENTS });
    await deliverTransferEvent(world, { ...late, status: "returned" });
    expect(await available()).toMatchObject({ availableCents: NET_CENTS, owedCents: NET_CENTS });
    await expectQuarantined(world.ctx, ["paid_after_given_back"]);
  });

  test("is recorded too when the payout was returned before", async () => {
    const { payoutId, transferId } = await sent();
    for (const status of ["paid", "failed", "paid"] as const)
      await deliverTransferEvent(world, said(payoutId, transferId, status));
    expect(await payoutRow(world.ctx, { payoutId })).toMatchObject({ status: "returned" });
    expect(
      await record(
        withTransferAnswer(world, said(payoutId, transferId, "paid")),
        payoutId,
        await createModerator(world.ctx),
      ),
    ).toEqual({ owedCents: 0 });
    expect(await payoutRow(world.ctx, { payoutId })).toMatchObject({
      status: "paid",
      failureCode: null,
    });
    expect(await available()).toMatchObject({ availableCents: 0, inTransitCents: 0, owedCents: 0 });
    await expectQuarantined(world.ctx, ["paid_after_given_back"]);
  });

  test("under another transfer id is recorded with that id", async () => {
    const { payoutId, transferId } = await sent();
    await deliverTransferEvent(world, said(payoutId, transferId, "failed"));
    const other = said(payoutId, OTHER, "paid");
    await deliverTransferEvent(world, other);
    const payments = {
      ...world.ctx.payments,
      transferById: async () => said(payoutId, transferId, "failed"),
      transferByReference: async () => other,
    };
    expect(
      await record({ ...world.ctx, payments }, payoutId, await createModerator(world.ctx)),
    ).toEqual({
      owedCents: 0,
    });
    expect(await payoutRow(world.ctx, { payoutId })).toMatchObject({
      status: "paid",
      providerTransferId: OTHER,
    });
    await expectQuarantined(world.ctx, ["paid_after_given_back"]);
  });

  test.each([
    ["reports a failure", (payoutId: string, id: string) => said(payoutId, id, "failed")],
    ["reports it as pending", (payoutId: string, id: string) => said(payoutId, id, "processing")],
    [
      "paid another amount",
      (payoutId: string, id: string) => ({
        ...said(payoutId, id, "paid"),
        amountCents: NET_CENTS - 1,
      }),
    ],
  ])("is not recorded while its provider %s", async (_, saysNow) => {
    const { payoutId, late } = await paidLate();
    const now = saysNow(payoutId, late.id);
    const payments = {
      ...world.ctx.payments,
      transferById: async () => now,
      transferByReference: async () => now,
    };
    await expect(
      record({ ...world.ctx, payments }, payoutId, await createModerator(world.ctx)),
    ).rejects.toBeInstanceOf(PayoutNotPaidAfterReversal);
    expect(await available()).toMatchObject({ availableCents: NET_CENTS, owedCents: 0 });
    const silent = {
      ...world.ctx.payments,
      transferById: () => Promise.reject(new ProviderUnclear("silence")),
    };
    await expect(
      record({ ...world.ctx, payments: silent }, payoutId, await createModerator(world.ctx)),
    ).rejects.toBeInstanceOf(ProviderUnavailable);
    await expectQuarantined(world.ctx, ["paid_after_given_back"]);
  });
});
