import { and, eq, isNotNull, ne, or, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { payoutCanceledText } from "#app/components/payouts/payout-labels.ts";
import { refundCharge } from "#app/domain/billing/refunds/commands/refund.server.ts";
import type { Context } from "#app/domain/context.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { claimPayout } from "#app/domain/payouts/sending/commands/claim.server.ts";
import {
  cancelPayout,
  holdPayoutsOf,
} from "#app/domain/payouts/staff-review/commands/staff-review.server.ts";
import { changeSchedule } from "#app/domain/payouts/batches/commands/schedule.server.ts";
import { sendPayout } from "#app/domain/payouts/sending/commands/send.server.ts";
import { changeWithdrawalMethod } from "#app/domain/payouts/destinations/commands.server.ts";
import { PayoutInProgress } from "#app/domain/payouts/errors.ts";
import { payoutHistory, payoutRow } from "#app/domain/payouts/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import type { PaymentProvider } from "#app/domain/payments/schema.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { ledgerAccounts, ledgerEntries, ledgerTransactions } from "#drizzle/schema/ledger.ts";
import { inbox } from "#drizzle/schema/payments.ts";
import { expectQuarantined } from "#tests/support/quarantine.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { decideDisputeAtProvider, openDisputeOn } from "#tests/support/disputes.ts";
import { interleaveBeforeWrite } from "#tests/support/interleave.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { emailsTo } from "#tests/support/refund-transfers.ts";
import { testEnv } from "#tests/support/worker-env.ts";

/** Centavos of each sale: R$ 19,90 paid, R$ 1,00 of fee. */
const [GROSS_CENTS, FEE_CENTS, NET_CENTS] = [1_990, 100, 1_890];
const OF_A_PAYOUT = /^update "payouts"/i;

let world: World;
let carla: TestPerson;
let ana: Seller;
let sale: Charge;
let payoutId: string;

beforeEach(async () => {
  world = await testContext();
  carla = await createModerator(world.ctx);
  ana = await createSeller(world.ctx);
  await changeSchedule(world.ctx, { creatorId: ana.id, schedule: "manual" });
  sale = await paidSubscription(world, await createPerson(world.ctx, "Bruno"), ana);
  await world.advance(9 * DAY_MS);
  await world.tick();
  ({ payoutId } = await requestPayout(world.ctx, { creatorId: ana.id }));
  world.queued.splice(0);
});
afterEach(() => expectInvariantsToHold(world.ctx));

/** Advances in two steps, and runs the crons and the provider after each. */
async function goesOn(): Promise<void> {
  for (const ms of [MINUTE_MS, 10 * MINUTE_MS]) {
    await world.advance(ms);
    await world.tick();
  }
}

const stateOf = async () => (await payoutRow(world.ctx, { payoutId }))?.status;
const sentTo = async () =>
  (
    await testEnv.PSP_DB.prepare(
      "SELECT pix_key AS place, status, amount_cents AS cents FROM transfers WHERE reference = ?",
    )
      .bind(payoutId)
      .all<{ place: string; status: string; cents: number }>()
  ).results;

/**
 * The ledger balances of the sale and the payout by account kind (centavos, debits positive).
 * Leaves out accounts at zero and the provider's own costs.
 */
async function finalBooks(): Promise<Record<string, number>> {
  const cents = sql<number>`SUM(${ledgerEntries.amountCents})`;
  const rows = await world.ctx.db
    .select({ kind: ledgerAccounts.kind, cents })
    .from(ledgerEntries)
    .innerJoin(ledgerTransactions, eq(ledgerTransactions.id, ledgerEntries.transactionId))
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerEntries.accountId))
    .where(
      and(
        or(eq(ledgerTransactions.chargeId, sale.id), eq(ledgerTransactions.payoutId, payoutId)),
        ne(ledgerTransactions.kind, "provider.cost"),
      ),
    )
    .groupBy(ledgerAccounts.kind)
    .having(sql`${cents} <> 0`);
  return Object.fromEntries(rows.map((row) => [row.kind, row.cents]));
}

const shown = async () =>
  (await payoutHistory(world.ctx, { creatorId: ana.id, cursor: null, limit: 1 })).items.map(
    ({ status, failureCode }) => [status, payoutCanceledText(failureCode)],
  );
const emails = async () =>
  (await emailsTo(world, ana)).flatMap(({ subject, body }) =>
    subject === "Seu saque foi cancelado" ? [body] : [],
  );
const refund = (amountCents: number) =>
  refundCharge(world.ctx, {
    sellerId: ana.id,
    decidedBy: ana.id,
    chargeId: sale.id,
    refundId: world.ctx.newId(),
    amountCents,
    reason: "",
  });

/** The creator has the net, and only our fee is left at the provider. */
const PAID_OUT = { provider_clearing: FEE_CENTS, platform_fees: -FEE_CENTS };
const NOT_PAID_OUT = {
  provider_clearing: GROSS_CENTS,
  creator_available: -NET_CENTS,
  platform_fees: -FEE_CENTS,
};

describe("a payout canceled while it is claimed", () => {
  const cancel = (ctx: Context = world.ctx) => cancelPayout(ctx, { payoutId, creatorId: ana.id });

  test("is not claimed when the cancellation comes first, and the balance keeps the money", async () => {
    await claimPayout(interleaveBeforeWrite(world.ctx, cancel, OF_A_PAYOUT), { payoutId });
    await goesOn();
    expect([await stateOf(), await finalBooks(), await sentTo()]).toEqual([
      "canceled",
      NOT_PAID_OUT,
      [],
    ]);
  });

  test("refuses the cancellation when the claim comes first, and is paid once", async () => {
    await expect(
      cancel(
        interleaveBeforeWrite(world.ctx, () => claimPayout(world.ctx, { payoutId }), OF_A_PAYOUT),
      ),
    ).rejects.toThrow(PayoutInProgress);
    await goesOn();
    expect([await stateOf(), await finalBooks()]).toEqual(["paid", PAID_OUT]);
    expect(await sentTo()).toHaveLength(1);
  });
});

test("a withdrawal method changed between claim and send: the payout goes to the claimed key, once", async () => {
  await claimPayout(world.ctx, { payoutId });
  const claimedFor = (await payoutRow(world.ctx, { payoutId }))?.pixKey;
  await changeWithdrawalMethod(world.ctx, {
    creatorId: ana.id,
    to: { kind: "email", key: "nova@exemplo.test" },
  });
  await goesOn();
  expect([await stateOf(), await finalBooks()]).toEqual(["paid", PAID_OUT]);
  expect(await sentTo()).toEqual([{ place: claimedFor, status: "paid", cents: NET_CENTS }]);
});

test("a withdrawal method changed between a claim's read and its commit holds the payout a day, then the new key is paid", async () => {
  const change = () =>
    changeWithdrawalMethod(world.ctx, {
      creatorId: ana.id,
      to: { kind: "email", key: "nova@exemplo.test" },
    });
  await claimPayout(interleaveBeforeWrite(world.ctx, change, OF_A_PAYOUT), { payoutId });
  expect([await stateOf(), await finalBooks()]).toEqual(["held", NOT_PAID_OUT]);
  await world.advance(DAY_MS);
  await goesOn();
  expect([await stateOf(), await finalBooks()]).toEqual(["paid", PAID_OUT]);
  expect(await sentTo()).toEqual([
    { place: "nova@exemplo.test", status: "paid", cents: NET_CENTS },
  ]);
});

test("a transfer paid by the provider after the payout was reversed quarantines the event", async () => {
  const payments = world.ctx.payments as PaymentProvider;
  const blind = { ...world.ctx, payments: { ...payments, transferByReference: async () => null } };
  await claimPayout(world.ctx, { payoutId });
  await payments.transfer({
    payoutId,
    amountCents: NET_CENTS,
    readyAt: world.ctx.now(),
    pixKeyKind: "email",
    pixKey: "certa@exemplo.test",
  });
  await holdPayoutsOf(world.ctx, { payoutId, moderatorId: carla.id, reason: "Um momento." });
  await sendPayout(blind, { payoutId });
  world.queued.splice(0);
  await goesOn();
  expect([await stateOf(), await sentTo()]).toMatchObject(["failed", [{ status: "paid" }]]);
  const [quarantined] = await world.ctx.db
    .select()
    .from(inbox)
    .where(isNotNull(inbox.quarantinedAt));
  expect(quarantined).toMatchObject({
    quarantineReason: "paid_after_given_back",
    aboutPayoutId: payoutId,
    aboutChargeId: null,
  });
  await expectQuarantined(world.ctx, ["paid_after_given_back"]);
});

describe("a dispute opened between claim and send", () => {
  test.each([
    [
      "lost: the creator owes the amount paid out, and the payer is refunded",
      "lose",
      { provider_clearing: -NET_CENTS, creator_owed: NET_CENTS },
    ],
    ["won: no debt remains", "win", PAID_OUT],
  ] as const)(
    "does not stop the payout, and the creator owes the disputed net; %s",
    async (_, decision, books) => {
      await claimPayout(world.ctx, { payoutId });
      const { providerDisputeId } = await openDisputeOn(world, sale);
      expect([await stateOf(), await finalBooks()]).toEqual([
        "claimed",
        {
          provider_clearing: GROSS_CENTS,
          payout_in_transit: -NET_CENTS,
          creator_owed: NET_CENTS,
          creator_reserved: -NET_CENTS,
          fees_reserved: -FEE_CENTS,
        },
      ]);
      await goesOn();
      expect([await stateOf(), await finalBooks()]).toEqual([
        "paid",
        {
          provider_clearing: FEE_CENTS,
          creator_owed: NET_CENTS,
          creator_reserved: -NET_CENTS,
          fees_reserved: -FEE_CENTS,
        },
      ]);
      await decideDisputeAtProvider(world, providerDisputeId, decision);
      expect([await stateOf(), await finalBooks()]).toEqual(["paid", books]);
      expect(await sentTo()).toHaveLength(1);
    },
  );
});

test("a refund that leaves less than the minimum cancels the payout with a notification; after thirty days it may leave", async () => {
  await refund(995);
  const books = { provider_clearing: 995, creator_available: -945, platform_fees: -50 };
  await goesOn();
  expect([await stateOf(), await finalBooks(), await sentTo()]).toEqual(["canceled", books, []]);
  expect([await shown(), await emails()]).toEqual([
    [["canceled", expect.stringContaining("menos de R$ 10,00")]],
    [expect.stringContaining("depois de 30 dias")],
  ]);
  await world.advance(30 * DAY_MS);
  ({ payoutId } = await requestPayout(world.ctx, { creatorId: ana.id }));
  await goesOn();
  expect([await stateOf(), await sentTo()]).toMatchObject(["paid", [{ cents: 945 }]]);
});

describe("a refund after the payout", () => {
  test.each([
    [
      "of the whole charge: the fee is refunded too, and the net is owed",
      GROSS_CENTS,
      { provider_clearing: -NET_CENTS, creator_owed: NET_CENTS },
    ],
    [
      "of a part: its share of the fee is refunded, and the rest is owed",
      995,
      { provider_clearing: FEE_CENTS - 995, creator_owed: 945, platform_fees: -50 },
    ],
  ])("%s", async (_, amountCents, books) => {
    await claimPayout(world.ctx, { payoutId });
    await goesOn();
    expect([await stateOf(), await finalBooks()]).toEqual(["paid", PAID_OUT]);
    await refund(amountCents);
    await goesOn();
    expect([await stateOf(), await finalBooks()]).toEqual(["paid", books]);
    expect(await sentTo()).toMatchObject([{ status: "paid", cents: NET_CENTS }]);
  });
});
