import { and, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { rejectDocuments } from "#app/domain/documents/commands.server.ts";
import { submitDocumentsStatements } from "#app/domain/documents/commands/submit.server.ts";
import {
  AgeConfirmationRequired,
  SellerNotUnderage,
  SellerUnderage,
  UnlikelyBirthDate,
} from "#app/domain/documents/errors.ts";
import { documentsOfPerson } from "#app/domain/documents/queries.server.ts";
import { canSell } from "#app/domain/documents/rules.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { claimPayout } from "#app/domain/payouts/sending/commands/claim.server.ts";
import { changeSchedule } from "#app/domain/payouts/batches/commands/schedule.server.ts";
import { sendPayout } from "#app/domain/payouts/sending/commands/send.server.ts";
import { DocumentsNotApproved } from "#app/domain/payouts/errors.ts";
import { creatorBalances, payoutRow } from "#app/domain/payouts/queries.server.ts";
import { refundUnderageSale } from "#app/domain/purchases/underage-sellers/commands.server.ts";
import { underageSalesToRefund } from "#app/domain/purchases/underage-sellers/queries.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { charges, refunds } from "#drizzle/schema/payments.ts";
import { withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { refundsOfCharge, settleDeletion } from "#tests/support/account-deletion.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { survives } from "#tests/support/crash.ts";
import { decideDisputeAtProvider, openDisputeOn } from "#tests/support/disputes.ts";
import { paidGift } from "#tests/support/gifts.ts";
import { payAtBank, paidSubscription } from "#tests/support/payments.ts";
import {
  crashAtEveryPoint,
  createCrashWorld,
  recoverAfterCrash,
} from "#tests/support/crash-world.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { emailsTo } from "#tests/support/refund-transfers.ts";
import { paidTip } from "#tests/support/tips.ts";
import { falseAgeSteps } from "#app/domain/purchases/commands/steps.server.ts";
import { runCronSteps } from "#workers/scheduler.ts";

const SIXTEEN = "2010-06-01";

async function rejected(world: World, personId: string): Promise<void> {
  await rejectDocuments(world.ctx, {
    moderatorId: (await createModerator(world.ctx)).id,
    personId,
    code: "underage",
    bornOn: SIXTEEN,
  });
}

/** Three prepaid months, in three release parts. */
async function paidAhead(world: World, fan: TestPerson, { priceId }: Seller): Promise<Charge> {
  const { chargeId } = await startSubscription(world.ctx, {
    memberId: fan.id,
    memberName: fan.name,
    planPriceId: priceId,
    method: "pix",
    cardToken: null,
    periods: 3,
  });
  await payAtBank(world, {
    providerChargeId: (await chargeRow(world.ctx, { chargeId }))?.providerChargeId ?? "",
  });
  await world.drain();
  const charge = await chargeRow(world.ctx, { chargeId });
  if (charge?.status !== "succeeded") throw new Error(`the charge is ${charge?.status}`);
  return charge;
}

const liveOf = async (world: World, creatorId: string) =>
  await world.ctx.db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.creatorId, creatorId),
        sql`${subscriptions.status} NOT IN ('incomplete', 'expired')`,
      ),
    );

test(
  "a seller shown to be under 18 cannot sell or be paid, and every unpaid centavo is refunded once, without mention of age",
  { timeout: 120_000 },
  async () => {
    const world = await testContext();
    const ana = await createSeller(world.ctx, { approved: false });
    const bruno = await createPerson(world.ctx, "Bruno");
    const free = await paidSubscription(world, bruno, ana);
    await world.advance(9 * DAY_MS);
    await world.tick();
    expect((await creatorBalances(world.ctx, { creatorId: ana.id })).availableCents).toBe(1_890);
    const pending = await paidSubscription(world, await createPerson(world.ctx, "Clara"), ana);
    const { charge: tip } = await paidTip(world, await createPerson(world.ctx, "Davi"), ana);
    const { charge: gift } = await paidGift(world, await createPerson(world.ctx, "Elis"), ana);
    const ahead = await paidAhead(world, await createPerson(world.ctx, "Gil"), ana);
    const fought = await paidSubscription(world, await createPerson(world.ctx, "Fábio"), ana);
    const { providerDisputeId } = await openDisputeOn(world, fought);

    await rejected(world, ana.id);
    const papers = await documentsOfPerson(world.ctx, { personId: ana.id });
    expect([papers?.statedBirthDate, papers?.birthDate], "both are retained for staff").toEqual([
      "1990-01-31",
      SIXTEEN,
    ]);
    expect(papers).toMatchObject({
      status: "rejected",
      rejectionCode: "underage",
      birthDate: SIXTEEN,
    });
    expect(canSell(papers, world.ctx.now())).toBe(false);
    await expect(requestPayout(world.ctx, { creatorId: ana.id })).rejects.toThrow(
      DocumentsNotApproved,
    );

    await settleDeletion(world);
    const back = async () =>
      await Promise.all(
        [free, pending, tip, gift, ahead].map(
          async ({ id }) => await refundsOfCharge(world.ctx, id),
        ),
      );
    expect(await back()).toEqual(
      [free, pending, tip, gift, ahead].map(({ amountCents }) => [
        { status: "succeeded", amountCents },
      ]),
    );
    expect(await refundsOfCharge(world.ctx, fought.id)).toEqual([]);
    expect(await creatorBalances(world.ctx, { creatorId: ana.id })).toMatchObject({
      pendingCents: 0,
      availableCents: 0,
      owedCents: 0,
      reservedCents: 1_890,
    });
    const letters = (await emailsTo(world, bruno))
      .map(({ subject, body }) => `${subject} ${body}`)
      .filter((letter) => letter.includes("O Coreto cancelou as vendas desta página"));
    expect(letters).toHaveLength(1);
    expect(letters[0]).not.toMatch(/idade|18 anos|menor/u);

    // What the bank returns to the seller is refunded to the payer.
    await decideDisputeAtProvider(world, providerDisputeId, "win");
    await settleDeletion(world);
    expect(await refundsOfCharge(world.ctx, fought.id)).toEqual([
      { status: "succeeded", amountCents: 1_990 },
    ]);
    expect(await creatorBalances(world.ctx, { creatorId: ana.id })).toMatchObject({
      pendingCents: 0,
      availableCents: 0,
      reservedCents: 0,
    });
    expect(await liveOf(world, ana.id)).toEqual([]);
    expect(await underageSalesToRefund(world.ctx, { limit: 9 })).toEqual([]);
    await expectInvariantsToHold(world.ctx);
  },
);

test.each([
  ["stopped before it leaves", "certa@exemplo.test"],
  ["refused by the bank", "falha@coreto.test"],
])(
  "funds in a pending payout are refunded with the rest: the refund waits until the payout is %s",
  { timeout: 120_000 },
  async (_, pixKey) => {
    const world = await testContext();
    const ana = await createSeller(world.ctx);
    await changeSchedule(world.ctx, { creatorId: ana.id, schedule: "manual" });
    await world.ctx.db
      .update(withdrawalMethods)
      .set({ pixKeyKind: "email", pixKey })
      .where(eq(withdrawalMethods.creatorId, ana.id));
    const ahead = await paidAhead(world, await createPerson(world.ctx, "Gil"), ana);
    await world.advance(9 * DAY_MS);
    await world.tick();
    const { payoutId } = await requestPayout(world.ctx, { creatorId: ana.id });
    world.queued.splice(0);
    await claimPayout(world.ctx, { payoutId });
    if (pixKey.startsWith("falha")) await sendPayout(world.ctx, { payoutId });
    await world.ctx.db
      .update(documents)
      .set({ status: "submitted" })
      .where(eq(documents.personId, ana.id));
    await rejected(world, ana.id);
    await refundUnderageSale(world.ctx, { chargeId: ahead.id });
    expect([
      await underageSalesToRefund(world.ctx, { limit: 9 }),
      await refundsOfCharge(world.ctx, ahead.id),
    ]).toEqual([[], []]);
    await settleDeletion(world);
    expect((await payoutRow(world.ctx, { payoutId }))?.status).toBe("failed");
    expect(await refundsOfCharge(world.ctx, ahead.id)).toEqual([
      { status: "succeeded", amountCents: ahead.amountCents },
    ]);
    expect(await creatorBalances(world.ctx, { creatorId: ana.id })).toMatchObject({
      pendingCents: 0,
      availableCents: 0,
      owedCents: 0,
    });
    expect(await liveOf(world, ana.id)).toEqual([]);
    await expectInvariantsToHold(world.ctx);
  },
);

test("a birth date of an adult is no such reason, and a minor cannot send documents again before they are 18", async () => {
  const { ctx } = await testContext();
  const ana = await createSeller(ctx, { approved: false });
  const moderatorId = (await createModerator(ctx)).id;
  for (const bornOn of ["1990-01-01", null])
    await expect(
      rejectDocuments(ctx, { moderatorId, personId: ana.id, code: "underage", bornOn }),
    ).rejects.toThrow(SellerNotUnderage);
  for (const bornOn of ["2090-06-01", "2026-06-01", "2020-01-01"])
    await expect(
      rejectDocuments(ctx, { moderatorId, personId: ana.id, code: "underage", bornOn }),
    ).rejects.toThrow(UnlikelyBirthDate);
  for (const confirmedBornOn of [null, "2010-06-02"])
    await expect(
      rejectDocuments(ctx, {
        moderatorId,
        personId: ana.id,
        code: "underage",
        bornOn: SIXTEEN,
        confirmedBornOn,
      }),
    ).rejects.toThrow(AgeConfirmationRequired);
  await rejectDocuments(ctx, {
    moderatorId,
    personId: ana.id,
    code: "underage",
    bornOn: SIXTEEN,
    confirmedBornOn: SIXTEEN,
  });
  const again = {
    personId: ana.id,
    fullName: "Ana Lira",
    cpf: "52998224725",
    birthDate: "1990-01-01",
  };
  await expect(submitDocumentsStatements(ctx, again)).rejects.toThrow(SellerUnderage);
});

test(
  "a crash at any point of the underage refunds, and two concurrent runs, refund every charge once",
  { timeout: 240_000 },
  async () => {
    const count = await crashAtEveryPoint(async (at) => {
      const { world, points } = await createCrashWorld();
      const ana = await createSeller(world.ctx, { approved: false });
      const paid = [
        await paidSubscription(world, await createPerson(world.ctx, "Bruno"), ana),
        (await paidTip(world, await createPerson(world.ctx, "Clara"), ana)).charge,
      ];
      await rejected(world, ana.id);
      points.arm(at);
      const end = await survives(
        points,
        async () => await runCronSteps(world.ctx, Object.values(falseAgeSteps)),
      );
      points.disarm();
      await Promise.all(
        paid.map(async ({ id: chargeId }) => await refundUnderageSale(world.ctx, { chargeId })),
      );
      await recoverAfterCrash(world);
      await recoverAfterCrash(world);
      const rows = await world.ctx.db
        .select({ amountCents: refunds.amountCents, status: refunds.status })
        .from(refunds)
        .innerJoin(charges, eq(charges.id, refunds.chargeId))
        .where(eq(charges.creatorId, ana.id))
        .orderBy(refunds.amountCents);
      expect(rows).toEqual(
        paid
          .map(({ amountCents }) => ({ amountCents, status: "succeeded" }))
          .toSorted((one, other) => one.amountCents - other.amountCents),
      );
      expect(await creatorBalances(world.ctx, { creatorId: ana.id })).toMatchObject({
        pendingCents: 0,
        availableCents: 0,
        owedCents: 0,
      });
      expect(await liveOf(world, ana.id)).toEqual([]);
      return end;
    });
    expect(count).toBeGreaterThan(3);
  },
);
