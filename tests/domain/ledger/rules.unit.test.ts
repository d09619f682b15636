import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as ledger from "#app/domain/ledger/rules.ts";
import * as payouts from "#app/domain/ledger/rules/payouts.ts";
import { accountId } from "#app/domain/ledger/rules.ts";
import type { Posting } from "#app/domain/ledger/schema.ts";

const charge = { chargeId: "c", creatorId: "ana", provider: "sandbox" };
const payout = { payoutId: "p", creatorId: "ana", provider: "sandbox", amountCents: 1_890 };
const refundTransfer = {
  transferId: "t",
  refundId: "r",
  chargeId: "c",
  provider: "sandbox",
  amountCents: 1_990,
};
const dispute = { ...charge, disputeId: "d", amountCents: 1_990, feeShareCents: 100 };

/** Returns what a posting does to each account. Debits are positive. */
const effect = (posting: Posting) =>
  Object.fromEntries(posting.legs.map((leg) => [accountId(leg.account), leg.debitCents]));

describe("each posting matches its row of the domain rules", () => {
  test.each<[string, Posting, Record<string, number>]>([
    [
      "charge succeeded",
      ledger.chargeSucceeded({ ...charge, grossCents: 1_990, feeCents: 100 }),
      { "provider_clearing:sandbox": 1_990, "creator_pending:ana": -1_890, platform_fees: -100 },
    ],
    [
      "charge succeeded without a fee",
      ledger.chargeSucceeded({ ...charge, grossCents: 500, feeCents: 0 }),
      { "provider_clearing:sandbox": 500, "creator_pending:ana": -500 },
    ],
    [
      "charge that is all fee",
      ledger.chargeSucceeded({ ...charge, grossCents: 500, feeCents: 500 }),
      { "provider_clearing:sandbox": 500, platform_fees: -500 },
    ],
    [
      "released, without a debt",
      ledger.chargeReleased({ ...charge, position: 0, netCents: 1_890, owedCents: 0 }),
      { "creator_pending:ana": 1_890, "creator_available:ana": -1_890 },
    ],
    [
      "released, with a small debt",
      ledger.chargeReleased({ ...charge, position: 0, netCents: 1_890, owedCents: 300 }),
      { "creator_pending:ana": 1_890, "creator_owed:ana": -300, "creator_available:ana": -1_590 },
    ],
    [
      "released, with a debt above half",
      ledger.chargeReleased({ ...charge, position: 0, netCents: 1_891, owedCents: 5_000 }),
      { "creator_pending:ana": 1_891, "creator_owed:ana": -945, "creator_available:ana": -946 },
    ],
    [
      "released, with a debt a centavo below half",
      ledger.chargeReleased({ ...charge, position: 0, netCents: 1_890, owedCents: 944 }),
      { "creator_pending:ana": 1_890, "creator_owed:ana": -944, "creator_available:ana": -946 },
    ],
    [
      "released, with a debt of exactly half",
      ledger.chargeReleased({ ...charge, position: 0, netCents: 1_890, owedCents: 945 }),
      { "creator_pending:ana": 1_890, "creator_owed:ana": -945, "creator_available:ana": -945 },
    ],
    [
      "released, with a debt a centavo above half",
      ledger.chargeReleased({ ...charge, position: 0, netCents: 1_890, owedCents: 946 }),
      { "creator_pending:ana": 1_890, "creator_owed:ana": -945, "creator_available:ana": -945 },
    ],
    [
      "released, a single centavo, with a debt",
      ledger.chargeReleased({ ...charge, position: 0, netCents: 1, owedCents: 5_000 }),
      { "creator_pending:ana": 1, "creator_available:ana": -1 },
    ],
    [
      "released, two centavos, with a debt of one",
      ledger.chargeReleased({ ...charge, position: 0, netCents: 2, owedCents: 1 }),
      { "creator_pending:ana": 2, "creator_owed:ana": -1, "creator_available:ana": -1 },
    ],
    [
      "refund from pending",
      ledger.chargeRefunded({
        ...charge,
        refundId: "r",
        amountCents: 1_990,
        feeShareCents: 100,
        recourse: { pendingOfChargeCents: 1_890, availableCents: 9 },
      }),
      { "creator_pending:ana": 1_890, platform_fees: 100, "provider_clearing:sandbox": -1_990 },
    ],
    [
      "refund from available",
      ledger.chargeRefunded({
        ...charge,
        refundId: "r",
        amountCents: 1_990,
        feeShareCents: 100,
        recourse: { pendingOfChargeCents: 0, availableCents: 5_000 },
      }),
      { "creator_available:ana": 1_890, platform_fees: 100, "provider_clearing:sandbox": -1_990 },
    ],
    [
      "refund that leaves a debt",
      ledger.chargeRefunded({
        ...charge,
        refundId: "r",
        amountCents: 1_990,
        feeShareCents: 100,
        recourse: { pendingOfChargeCents: 0, availableCents: 800 },
      }),
      {
        "creator_available:ana": 800,
        "creator_owed:ana": 1_090,
        platform_fees: 100,
        "provider_clearing:sandbox": -1_990,
      },
    ],
    [
      "refund reserved for a refund transfer",
      ledger.chargeRefunded({
        ...charge,
        refundId: "r",
        amountCents: 1_990,
        feeShareCents: 100,
        recourse: { pendingOfChargeCents: 1_890, availableCents: 0 },
        isByTransfer: true,
      }),
      { "creator_pending:ana": 1_890, platform_fees: 100, "refund_in_transit:r": -1_990 },
    ],
    [
      "refund transfer sent by another provider",
      ledger.refundTransferred({ ...refundTransfer, provider: "asaas" }),
      { "refund_in_transit:r": 1_990, "provider_clearing:asaas": -1_990 },
    ],
    [
      "refund transfer returned",
      ledger.refundTransferReturned(refundTransfer),
      { "provider_clearing:sandbox": 1_990, "refund_in_transit:r": -1_990 },
    ],
    [
      "refund reserved for a transfer, made outside",
      ledger.refundSuperseded(refundTransfer),
      { "refund_in_transit:r": 1_990, "provider_clearing:sandbox": -1_990 },
    ],
    [
      "dispute opened",
      ledger.disputeOpened({
        ...dispute,
        recourse: { pendingOfChargeCents: 1_890, availableCents: 0 },
      }),
      {
        "creator_pending:ana": 1_890,
        platform_fees: 100,
        "creator_reserved:ana": -1_890,
        fees_reserved: -100,
      },
    ],
    [
      "dispute opened that leaves a debt",
      ledger.disputeOpened({
        ...dispute,
        recourse: { pendingOfChargeCents: 500, availableCents: 300 },
      }),
      {
        "creator_pending:ana": 500,
        "creator_available:ana": 300,
        "creator_owed:ana": 1_090,
        platform_fees: 100,
        "creator_reserved:ana": -1_890,
        fees_reserved: -100,
      },
    ],
    [
      "dispute opened without a balance",
      ledger.disputeOpened({
        ...dispute,
        recourse: { pendingOfChargeCents: 0, availableCents: 0 },
      }),
      {
        "creator_owed:ana": 1_890,
        platform_fees: 100,
        "creator_reserved:ana": -1_890,
        fees_reserved: -100,
      },
    ],
    [
      "dispute opened without a fee",
      ledger.disputeOpened({
        ...dispute,
        feeShareCents: 0,
        recourse: { pendingOfChargeCents: 1_990, availableCents: 0 },
      }),
      { "creator_pending:ana": 1_990, "creator_reserved:ana": -1_990 },
    ],
    [
      "dispute lost without a fee",
      ledger.disputeLost({ ...dispute, feeShareCents: 0 }),
      { "creator_reserved:ana": 1_990, "provider_clearing:sandbox": -1_990 },
    ],
    [
      "dispute won without a fee",
      ledger.disputeWon({ ...dispute, feeShareCents: 0, waitingCents: 0, owedCents: 0 }),
      { "creator_reserved:ana": 1_990, "creator_available:ana": -1_990 },
    ],
    [
      "dispute won, without a debt",
      ledger.disputeWon({ ...dispute, waitingCents: 0, owedCents: 0 }),
      {
        "creator_reserved:ana": 1_890,
        fees_reserved: 100,
        "creator_available:ana": -1_890,
        platform_fees: -100,
      },
    ],
    [
      "dispute lost",
      ledger.disputeLost(dispute),
      { "creator_reserved:ana": 1_890, fees_reserved: 100, "provider_clearing:sandbox": -1_990 },
    ],
    [
      "dispute won, with a debt recovered first",
      ledger.disputeWon({ ...dispute, waitingCents: 0, owedCents: 1_000 }),
      {
        "creator_reserved:ana": 1_890,
        fees_reserved: 100,
        "creator_owed:ana": -1_000,
        "creator_available:ana": -890,
        platform_fees: -100,
      },
    ],
    [
      "dispute won, upcoming periods pending again",
      ledger.disputeWon({ ...dispute, waitingCents: 1_500, owedCents: 1_000 }),
      {
        "creator_reserved:ana": 1_890,
        fees_reserved: 100,
        "creator_owed:ana": -390,
        "creator_pending:ana": -1_500,
        platform_fees: -100,
      },
    ],
    [
      "a provider's cost",
      ledger.providerCost({
        object: "charge",
        id: "c",
        provider: "sandbox",
        chargeId: "c",
        costCents: 99,
      }),
      { provider_costs: 99, "provider_clearing:sandbox": -99 },
    ],
    [
      "a provider cost of zero",
      ledger.providerCost({
        object: "refund",
        id: "r",
        provider: "sandbox",
        chargeId: "c",
        costCents: 0,
      }),
      {},
    ],
    [
      "a provider cost returned in part",
      ledger.providerCost({
        object: "refund",
        id: "r",
        provider: "sandbox",
        chargeId: "c",
        costCents: -20,
      }),
      { provider_costs: -20, "provider_clearing:sandbox": 20 },
    ],
    [
      "a debt paid whole",
      ledger.debtPaid({ ...charge, amountCents: 800, owedCents: 800 }),
      { "provider_clearing:sandbox": 800, "creator_owed:ana": -800 },
    ],
    [
      "a debt paid in part",
      ledger.debtPaid({ ...charge, amountCents: 500, owedCents: 800 }),
      { "provider_clearing:sandbox": 500, "creator_owed:ana": -500 },
    ],
    [
      "a debt that shrank while the code was open",
      ledger.debtPaid({ ...charge, amountCents: 800, owedCents: 300 }),
      { "provider_clearing:sandbox": 800, "creator_owed:ana": -300, "creator_available:ana": -500 },
    ],
    [
      "a debt that no longer exists",
      ledger.debtPaid({ ...charge, amountCents: 800, owedCents: 0 }),
      { "provider_clearing:sandbox": 800, "creator_available:ana": -800 },
    ],
    [
      "a platform deposit",
      ledger.platformDeposited({ id: "m", provider: "sandbox", amountCents: 700 }),
      { "provider_clearing:sandbox": 700, platform_cash: -700 },
    ],
    [
      "a platform withdrawal",
      ledger.platformWithdrawn({ id: "m", provider: "sandbox", amountCents: 700 }),
      { platform_cash: 700, "provider_clearing:sandbox": -700 },
    ],
    [
      "a debt written off",
      ledger.debtWriteOff({ writeOffId: "w", creatorId: "ana", amountCents: 1 }),
      { write_offs: 1, "creator_owed:ana": -1 },
    ],
    [
      "money moved to another provider",
      ledger.providerTransferred({ id: "m", from: "sandbox", to: "asaas", amountCents: 1_890 }),
      { "provider_clearing:asaas": 1_890, "provider_clearing:sandbox": -1_890 },
    ],
    [
      "a centavo moved to another provider",
      ledger.providerTransferred({ id: "m", from: "asaas", to: "sandbox", amountCents: 1 }),
      { "provider_clearing:sandbox": 1, "provider_clearing:asaas": -1 },
    ],
    [
      "payout claimed",
      payouts.payoutClaimed(payout),
      { "creator_available:ana": 1_890, "payout_in_transit:p": -1_890 },
    ],
    [
      "payout paid",
      payouts.payoutPaid(payout),
      { "payout_in_transit:p": 1_890, "provider_clearing:sandbox": -1_890 },
    ],
    [
      "payout failed",
      payouts.payoutFailed(payout),
      { "payout_in_transit:p": 1_890, "creator_available:ana": -1_890 },
    ],
    [
      "payout paid after a reversal, partly covered by the balance",
      payouts.payoutPaidAfterReversal({ ...payout, availableCents: 1_000 }),
      {
        "creator_available:ana": 1_000,
        "creator_owed:ana": 890,
        "provider_clearing:sandbox": -1_890,
      },
    ],
    [
      "payout paid after a reversal, fully covered by the balance",
      payouts.payoutPaidAfterReversal({ ...payout, availableCents: 5_000 }),
      { "creator_available:ana": 1_890, "provider_clearing:sandbox": -1_890 },
    ],
    [
      "payout returned",
      payouts.payoutReturned(payout),
      { "provider_clearing:sandbox": 1_890, "creator_available:ana": -1_890 },
    ],
  ])("%s", (_, posting, expected) => {
    expect(effect(posting)).toEqual(expected);
  });
});

test("every posting sums to zero and has no zero leg, for any amounts", () => {
  const cents = fc.integer({ min: 0, max: 500_000_00 });
  fc.assert(
    fc.property(cents, cents, cents, cents, cents, (gross, feeWish, pending, available, owed) => {
      const feeCents = Math.min(gross, feeWish);
      const recourse = { pendingOfChargeCents: pending, availableCents: available };
      const postings = [
        ledger.chargeSucceeded({ ...charge, grossCents: gross, feeCents }),
        ledger.chargeReleased({ ...charge, position: 0, netCents: gross, owedCents: owed }),
        ledger.chargeRefunded({
          ...charge,
          refundId: "r",
          amountCents: gross,
          feeShareCents: feeCents,
          recourse,
        }),
        ledger.disputeOpened({ ...dispute, amountCents: gross, feeShareCents: feeCents, recourse }),
        ledger.providerCost({ object: "charge", id: "c", provider: "sandbox", costCents: gross }),
        ledger.debtPaid({ ...charge, amountCents: gross, owedCents: owed }),
        ledger.disputeWon({
          ...dispute,
          amountCents: gross,
          feeShareCents: feeCents,
          waitingCents: Math.min(pending, gross - feeCents),
          owedCents: owed,
        }),
      ];
      for (const posting of postings) {
        expect(posting.legs.reduce((sum, leg) => sum + leg.debitCents, 0)).toBe(0);
        expect(posting.legs.every((leg) => leg.debitCents !== 0)).toBe(true);
      }
      const taken = ledger.chargeRefunded({
        ...charge,
        refundId: "r",
        amountCents: gross,
        feeShareCents: feeCents,
        recourse,
      });
      expect(effect(taken)["creator_pending:ana"] ?? 0).toBeLessThanOrEqual(pending);
      expect(effect(taken)["creator_available:ana"] ?? 0).toBeLessThanOrEqual(available);
    }),
  );
});
