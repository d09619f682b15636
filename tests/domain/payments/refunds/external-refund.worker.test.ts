import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { invariantFindings } from "#app/domain/audit/queries/invariants.server.ts";
import { ProviderRefused } from "#app/domain/payments/errors.ts";
import { requestRefundStatement } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { externalRefundCents } from "#app/domain/payments/refunds/rules/external-refund.ts";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { settleCharge } from "#app/domain/payments/charges/commands/settle.server.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import { ledgerEntries, ledgerTransactions } from "#drizzle/schema/ledger.ts";
import { refunds } from "#drizzle/schema/payments.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { pixCheckout, paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { runPayouts } from "#workers/payouts/run.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx, { amountCents: 2_000 });
  bruno = await createPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

const charge = async (chargeId: string) => {
  const found = await chargeRow(world.ctx, { chargeId });
  if (!found) throw new Error("no charge");
  return found;
};
const refundsOf = (chargeId: string) =>
  world.ctx.db.select().from(refunds).where(eq(refunds.chargeId, chargeId));
const statusOf = async (subscriptionId: string) =>
  (await world.ctx.db.select().from(subscriptions).where(eq(subscriptions.id, subscriptionId)))[0]
    ?.status;
/** Refunds a charge on the provider's own pages, as staff does. */
async function onItsPages(providerChargeId: string | null, amountCents: number): Promise<void> {
  await world.ctx.payments.refund({
    refundId: `panel-${world.ctx.newId()}`,
    providerChargeId: providerChargeId ?? "",
    amountCents,
  });
  await world.drain();
}

test("a refund on the provider's pages is booked here once, and a full refund ends the subscription", async () => {
  const paid = await paidSubscription(world, bruno, ana);
  await onItsPages(paid.providerChargeId, 500);
  await settleCharge(world.ctx, { chargeId: paid.id });
  expect(await charge(paid.id)).toMatchObject({
    status: "partially_refunded",
    refundedCents: 500,
    refundedFeeCents: 25,
    pendingCents: 1_425,
  });
  expect(await statusOf(paid.purchaseId)).toBe("active");
  await onItsPages(paid.providerChargeId, 1_500);
  expect(await charge(paid.id)).toMatchObject({
    status: "refunded",
    refundedCents: 2_000,
    refundedFeeCents: 100,
    pendingCents: 0,
  });
  expect(await statusOf(paid.purchaseId)).toBe("expired");
  expect(
    (await refundsOf(paid.id)).map(({ amountCents, status }) => [amountCents, status]),
  ).toEqual([
    [500, "succeeded"],
    [1_500, "succeeded"],
  ]);
  expect(await creatorBalances(world.ctx, { creatorId: ana.id })).toMatchObject({
    pendingCents: 0,
    availableCents: 0,
    owedCents: 0,
  });
});

test("a refund on the provider's pages settles one of ours that the provider had refused", async () => {
  const paid = await paidSubscription(world, bruno, ana);
  await commit(world.ctx.db, [
    requestRefundStatement(world.ctx, paid, {
      id: world.ctx.newId(),
      amountCents: 2_000,
      reason: "De volta",
    }),
  ]);
  await runPayouts({
    ...world.ctx,
    payments: {
      ...world.ctx.payments,
      refund: () => Promise.reject(new ProviderRefused("insufficient_balance")),
    },
  });
  expect((await refundsOf(paid.id)).map(({ status }) => status)).toEqual(["failed"]);
  expect(
    (await invariantFindings(world.ctx))
      .filter(({ rows }) => rows.length > 0)
      .map(({ name }) => name),
  ).toEqual(["refunds_answered"]);
  await onItsPages(paid.providerChargeId, 2_000);
  expect((await charge(paid.id)).status).toBe("refunded");
});

test("a requested refund succeeds when the provider's pages already refunded the charge, without a second refund", async () => {
  const paid = await paidSubscription(world, bruno, ana);
  await commit(world.ctx.db, [
    requestRefundStatement(world.ctx, paid, {
      id: world.ctx.newId(),
      amountCents: 2_000,
      reason: "De volta",
    }),
  ]);
  await onItsPages(paid.providerChargeId, 2_000);
  await world.advance(MINUTE_MS);
  await world.tick();
  expect(await charge(paid.id)).toMatchObject({ status: "refunded", refundedCents: 2_000 });
  expect((await refundsOf(paid.id)).map(({ status, reason }) => [status, reason])).toEqual([
    ["succeeded", "De volta"],
  ]);
});

test.each([2_500, 1_500])(
  "a charge paid with another amount (%i) is booked and refunded at that amount",
  async (takenCents) => {
    const { chargeId, providerChargeId } = await pixCheckout(world, bruno, ana);
    const given: number[] = [];
    const payments = {
      ...world.ctx.payments,
      refund: async (asked: {
        refundId: string;
        providerChargeId: string;
        amountCents: number;
      }) => (
        given.push(asked.amountCents),
        {
          id: `rf_${asked.refundId}`,
          reference: asked.refundId,
          chargeId: asked.providerChargeId,
          status: "succeeded" as const,
          amountCents: asked.amountCents,
        }
      ),
    };
    const ctx = { ...world.ctx, payments };
    const providerCharge = {
      ...(await world.ctx.payments.chargeById(providerChargeId)),
      status: "succeeded" as const,
      amountCents: takenCents,
    };
    await settleCharge(ctx, { chargeId, providerCharge });
    expect(given).toEqual([takenCents]);
    const back = await charge(chargeId);
    expect(back).toMatchObject({
      status: "refunded",
      amountCents: takenCents,
      refundedCents: takenCents,
      feeCents: takenCents / 20,
      refundedFeeCents: takenCents / 20,
    });
    const clearing = await world.ctx.db
      .select({ cents: ledgerEntries.amountCents })
      .from(ledgerEntries)
      .innerJoin(ledgerTransactions, eq(ledgerTransactions.id, ledgerEntries.transactionId))
      .where(eq(ledgerTransactions.chargeId, chargeId));
    expect(clearing.map(({ cents }) => cents)).toContain(takenCents);
  },
);

test.each([
  ["all of it booked already", { refundedCents: 500 }, { reportedCents: 500, waitingCents: 0 }, 0],
  [
    "one of our refunds is pending",
    { refundedCents: 0 },
    { reportedCents: 500, waitingCents: 500 },
    0,
  ],
  ["a further part", { refundedCents: 500 }, { reportedCents: 1_700, waitingCents: 200 }, 1_000],
  [
    "never more than the rest of the charge",
    { refundedCents: 1_500 },
    { reportedCents: 9_000, waitingCents: 0 },
    500,
  ],
  [
    "less than booked already",
    { refundedCents: 1_500 },
    { reportedCents: 1_000, waitingCents: 0 },
    0,
  ],
])("external refund: %s", (_, known, said, cents) => {
  expect(
    externalRefundCents(
      { amountCents: 2_000, disputedCents: 0, ...known },
      { ...said, sentCents: 0 },
    ),
  ).toBe(cents);
});

test("external refund: a refund transfer of ours does not count as a refund of the provider", () => {
  const said = (reportedCents: number) =>
    externalRefundCents(
      { amountCents: 2_000, refundedCents: 500, disputedCents: 0 },
      { reportedCents, waitingCents: 0, sentCents: 500 },
    );
  expect([said(0), said(300)]).toEqual([0, 300]);
});
