import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chargeStatuses, isUnpaid } from "#app/domain/payments/rules.ts";
import type {
  ProviderCharge,
  ProviderDispute,
  ProviderRefund,
  ProviderTransfer,
} from "#app/domain/payments/schema.ts";
import { payoutStatuses } from "#app/domain/payouts/schema.ts";
import {
  compareCharge,
  compareDispute,
  compareRefund,
  compareTransfer,
} from "#app/domain/reconciliation/rules/compare.ts";
import type { OurCharge, OurTransfer } from "#app/domain/reconciliation/rules/compare.ts";

const ours = (more: Partial<OurCharge> = {}): OurCharge => ({
  status: "succeeded",
  amountCents: 1_990,
  refundedCents: 0,
  waitingCents: 0,
  isDebited: false,
  ...more,
});
const said = (more: Partial<ProviderCharge> = {}): ProviderCharge => ({
  id: "ch_1",
  reference: "a",
  status: "succeeded",
  amountCents: 1_990,
  refundedCents: 0,
  pixCode: null,
  nextActionUrl: null,
  expiresAt: null,
  failureCode: null,
  settlesAt: null,
  savedMethodId: null,
  costCents: null,
  recurringPixId: null,
  ...more,
});
const money = (kind: string, gapCents: number) => ({ kind, isMoney: true, gapCents });

describe("comparing a charge", () => {
  test.each([
    ["paid on both sides", ours(), said(), null],
    ["paid there, open here", ours({ status: "awaiting_payment" }), said(), money("state", -1_990)],
    ["paid there late, closed here", ours({ status: "expired" }), said(), money("state", -1_990)],
    ["paid here, open there", ours(), said({ status: "awaiting_payment" }), money("state", 1_990)],
    ["paid here, unknown there", ours(), null, money("theirs_missing", 1_990)],
    [
      "refunded in part here, unknown there",
      ours({ status: "partially_refunded", refundedCents: 990 }),
      null,
      money("theirs_missing", 1_000),
    ],
    ["open here, unknown there", ours({ status: "created" }), null, null],
    ["paid there, without a row here", null, said(), money("ours_missing", -1_990)],
    [
      "paid there without our reference",
      null,
      said({ reference: null }),
      money("ours_missing", -1_990),
    ],
    [
      "open there under our reference, without a row here",
      null,
      said({ status: "awaiting_payment" }),
      { kind: "ours_missing", isMoney: false, gapCents: 0 },
    ],
    [
      "open there under another reference",
      null,
      said({ status: "awaiting_payment", reference: null }),
      null,
    ],
    ["closed there, without a row here", null, said({ status: "expired" }), null],
    ["a centavo less there", ours(), said({ amountCents: 1_989 }), money("amount", 1)],
    ["a centavo more there", ours(), said({ amountCents: 1_991 }), money("amount", -1)],
    ["refunded there, not here", ours(), said({ refundedCents: 500 }), money("amount", 500)],
    [
      "refunded here, not there",
      ours({ status: "partially_refunded", refundedCents: 500 }),
      said(),
      money("amount", -500),
    ],
    [
      "refunded on both sides",
      ours({ status: "refunded", refundedCents: 1_990 }),
      said({ refundedCents: 1_990 }),
      null,
    ],
    ["our pending refund, not counted there yet", ours({ waitingCents: 500 }), said(), null],
    [
      "our pending refund, counted there already",
      ours({ waitingCents: 500 }),
      said({ refundedCents: 500 }),
      null,
    ],
    [
      "a centavo more than our pending refund",
      ours({ waitingCents: 500 }),
      said({ refundedCents: 501 }),
      money("amount", 501),
    ],
    ["disputed here: a dispute is compared by itself", ours({ status: "disputed" }), said(), null],
    [
      "open here, closed there",
      ours({ status: "awaiting_payment" }),
      said({ status: "expired" }),
      { kind: "state", isMoney: false, gapCents: 0 },
    ],
    [
      "a refused debit that is ordered again",
      ours({ status: "processing", isDebited: true }),
      said({ status: "failed" }),
      null,
    ],
    [
      "closed here, open there: a late payment has its own rule",
      ours({ status: "canceled" }),
      said({ status: "awaiting_payment" }),
      null,
    ],
    ["other statuses for open", ours({ status: "created" }), said({ status: "processing" }), null],
    ["other statuses for closed", ours({ status: "failed" }), said({ status: "canceled" }), null],
  ])("%s", (_, one, other, difference) => {
    expect(compareCharge(one, other)).toEqual(difference);
  });

  test("money on one side only is always found, and the gap is its amount", () => {
    const charge = fc.record({
      status: fc.constantFrom(...chargeStatuses),
      amountCents: fc.integer({ min: 1, max: 500_000 }),
      back: fc.nat(100),
      waitingCents: fc.nat(1_000),
      isDebited: fc.boolean(),
    });
    const there = fc.record({
      status: fc.constantFrom(
        "awaiting_payment",
        "requires_action",
        "processing",
        "succeeded",
        "failed",
        "expired",
        "canceled",
      ),
      amountCents: fc.integer({ min: 1, max: 500_000 }),
      back: fc.nat(100),
    });
    fc.assert(
      fc.property(charge, there, (one, other) => {
        const isPaid = !isUnpaid(one.status);
        const isTaken = other.status === "succeeded";
        const known = ours({
          ...one,
          refundedCents: Math.floor((one.amountCents * one.back) / 100),
        });
        const theirs = said({
          status: other.status as ProviderCharge["status"],
          amountCents: other.amountCents,
          refundedCents: Math.floor((other.amountCents * other.back) / 100),
        });
        const difference = compareCharge(known, theirs);
        const gapCents =
          (isPaid ? known.amountCents - known.refundedCents : 0) -
          (isTaken ? theirs.amountCents - theirs.refundedCents : 0);
        expect(difference?.gapCents ?? 0).toBe(difference?.isMoney ? gapCents : 0);
        if (isPaid !== isTaken || (isPaid && known.amountCents !== theirs.amountCents))
          expect(difference?.isMoney).toBe(true);
        if (!isPaid && !isTaken) expect(difference?.isMoney ?? false).toBe(false);
      }),
    );
  });
});

describe("comparing a refund", () => {
  const back = (status: ProviderRefund["status"], amountCents = 500): ProviderRefund => ({
    id: "rf_1",
    reference: "r",
    chargeId: "ch_1",
    status,
    amountCents,
  });
  test.each([
    ["done on both sides", { status: "succeeded", amountCents: 500 }, back("succeeded"), null],
    [
      "done there, requested here",
      { status: "requested", amountCents: 500 },
      back("succeeded"),
      money("state", 500),
    ],
    [
      "refused there, requested here",
      { status: "requested", amountCents: 500 },
      back("failed"),
      { kind: "state", isMoney: false, gapCents: 0 },
    ],
    ["pending on both sides", { status: "requested", amountCents: 500 }, back("processing"), null],
    [
      "done here, refused there",
      { status: "succeeded", amountCents: 500 },
      back("failed"),
      money("state", -500),
    ],
    [
      "done here, unknown there",
      { status: "succeeded", amountCents: 500 },
      null,
      money("theirs_missing", -500),
    ],
    [
      "of another amount",
      { status: "succeeded", amountCents: 500 },
      back("succeeded", 501),
      money("amount", 1),
    ],
    [
      "that failed here: the comparison of its charge covers it",
      { status: "failed", amountCents: 500 },
      back("succeeded"),
      null,
    ],
    ["that is not ours: the comparison of its charge covers it", null, back("succeeded"), null],
  ] as const)("%s", (_, one, other, difference) => {
    expect(compareRefund(one, other)).toEqual(difference);
  });
});

describe("comparing a transfer", () => {
  const sent = (status: ProviderTransfer["status"], amountCents = 5_000): ProviderTransfer => ({
    id: "tr_1",
    reference: "p",
    status,
    amountCents,
    failureCode: null,
  });
  const payout = (status: OurTransfer["status"]): OurTransfer => ({ status, amountCents: 5_000 });
  test.each([
    ["paid on both sides", payout("paid"), sent("paid"), null],
    ["paid there, pending here", payout("sent"), sent("paid"), money("state", 5_000)],
    [
      "paid there, returned to its creator here",
      payout("failed"),
      sent("paid"),
      money("state", 5_000),
    ],
    ["failed there, paid here", payout("paid"), sent("failed"), money("state", -5_000)],
    ["returned there, paid here", payout("paid"), sent("returned"), money("state", -5_000)],
    [
      "returned there, failed here: the money is back either way",
      payout("failed"),
      sent("returned"),
      null,
    ],
    ["pending on both sides", payout("claimed"), sent("processing"), null],
    ["pending there, closed here", payout("failed"), sent("processing"), money("state", 0)],
    ["of another amount", payout("paid"), sent("paid", 4_999), money("amount", -1)],
    ["paid there without a payout", null, sent("paid"), money("ours_missing", 5_000)],
    ["pending there without a payout", null, sent("processing"), money("ours_missing", 0)],
    ["failed there without a payout", null, sent("failed"), null],
    ["paid here, unknown there", payout("paid"), null, money("theirs_missing", -5_000)],
    ["failed here, unknown there", payout("failed"), null, null],
  ])("%s", (_, one, other, difference) => {
    expect(compareTransfer(one, other)).toEqual(difference);
  });

  test("a sent transfer matches only a paid payout", () => {
    for (const status of payoutStatuses)
      expect(compareTransfer(payout(status), sent("paid")) === null).toBe(status === "paid");
  });
});

describe("comparing a dispute", () => {
  const dispute = (status: ProviderDispute["status"], amountCents = 1_990): ProviderDispute => ({
    id: "dp_1",
    chargeId: "ch_1",
    kind: "med",
    status,
    amountCents,
    respondBy: null,
  });
  test.each([
    ["open on both sides", { status: "open", amountCents: 1_990 }, dispute("under_review"), null],
    [
      "lost there, open here",
      { status: "open", amountCents: 1_990 },
      dispute("lost"),
      money("state", 1_990),
    ],
    [
      "won there, open here",
      { status: "open", amountCents: 1_990 },
      dispute("won"),
      money("state", 0),
    ],
    [
      "open there, won here",
      { status: "won", amountCents: 1_990 },
      dispute("needs_response"),
      money("state", 0),
    ],
    ["unknown here", null, dispute("needs_response"), money("ours_missing", 0)],
    ["lost there, unknown here", null, dispute("lost"), money("ours_missing", 1_990)],
    [
      "won there, unknown here: nothing left",
      null,
      dispute("won"),
      { kind: "ours_missing", isMoney: false, gapCents: 0 },
    ],
    [
      "of another amount",
      { status: "lost", amountCents: 1_990 },
      dispute("lost", 1_000),
      money("amount", -990),
    ],
  ] as const)("%s", (_, one, other, difference) => {
    expect(compareDispute(one, other)).toEqual(difference);
  });
});
