import { describe, expect, test } from "vitest";
import { paymentTimeline } from "#app/domain/billing/statements/rules/timeline.ts";
import type { TimelinePayment } from "#app/domain/billing/statements/rules/timeline.ts";

describe("the timeline", () => {
  const waits = {
    netCents: 1_890,
    takenCents: 0,
    disputedCents: 0,
    releaseAt: 50,
    releasedAt: null,
  };
  const lived: TimelinePayment = {
    status: "succeeded",
    createdAt: 1,
    askedAt: 5,
    expiresAt: 9,
    succeededAt: 5,
    releases: [waits],
    refunds: [],
    transfers: [],
    disputes: [],
  };
  const kinds = (side: "payer" | "seller", payment: Partial<TimelinePayment>) =>
    paymentTimeline(side, { ...lived, ...payment }).map((moment) => `${moment.kind}@${moment.at}`);
  const unpaid = { succeededAt: null, releases: [] };
  test("lists the events in order, and tells the seller when the funds are released", () => {
    expect(kinds("payer", {})).toEqual(["created@1", "succeeded@5"]);
    expect(kinds("seller", {})).toEqual(["created@1", "succeeded@5", "to_release@50"]);
    expect(kinds("seller", { releases: [{ ...waits, releasedAt: 51 }] })).toEqual([
      "created@1",
      "succeeded@5",
      "released@51",
    ]);
    expect(kinds("payer", { ...unpaid, status: "awaiting_payment" })).toEqual([
      "created@1",
      "waiting@5",
    ]);
    expect(kinds("payer", { ...unpaid, status: "expired" })).toEqual(["created@1", "expired@9"]);
    expect(kinds("payer", { ...unpaid, status: "failed" })).toEqual(["created@1", "failed@5"]);
    expect(kinds("payer", { ...unpaid, status: "canceled" })).toEqual(["created@1", "canceled@5"]);
  });
  test("shows a refund confirmed at once as one event, and a slow one as two", () => {
    const refund = {
      id: "r",
      amountCents: 300,
      status: "succeeded" as const,
      reason: "Errei.",
      createdAt: 10,
      settledAt: 20,
    };
    expect(kinds("payer", { status: "partially_refunded", refunds: [refund] })).toEqual([
      "created@1",
      "succeeded@5",
      "refund_succeeded@20",
    ]);
    expect(kinds("payer", { refunds: [{ ...refund, settledAt: 100_000 }] })).toEqual([
      "created@1",
      "succeeded@5",
      "refund_requested@10",
      "refund_succeeded@100000",
    ]);
    expect(
      kinds("payer", { refunds: [{ ...refund, status: "requested", settledAt: null }] }),
    ).toContain("refund_requested@10");
    expect(kinds("payer", { refunds: [{ ...refund, status: "failed" }] })).toEqual([
      "created@1",
      "succeeded@5",
      "refund_requested@10",
      "refund_failed@20",
    ]);
  });
  test("shows a refund transfer as refunded once it is paid, and as waiting for a Pix key until then", () => {
    const refund = {
      id: "r",
      amountCents: 300,
      status: "succeeded" as const,
      reason: "Errei.",
      createdAt: 10,
      settledAt: 10,
    };
    const transfer = {
      refundId: "r",
      status: "awaiting_key" as const,
      amountCents: 300,
      createdAt: 10,
      keyGivenAt: null,
      settledAt: null,
    };
    const ends = (transfers: TimelinePayment["transfers"]) =>
      kinds("payer", { status: "partially_refunded", refunds: [refund], transfers }).slice(2);
    expect(ends([transfer])).toEqual(["refund_requested@10", "refund_awaits_key@10"]);
    expect(ends([{ ...transfer, status: "sent", keyGivenAt: 20 }])).toEqual([
      "refund_requested@10",
      "refund_sending@20",
    ]);
    expect(
      ends([
        { ...transfer, status: "failed", keyGivenAt: 20, settledAt: 21 },
        { ...transfer, createdAt: 21, status: "paid", keyGivenAt: 30, settledAt: 31 },
      ]),
    ).toEqual(["refund_requested@10", "refund_key_failed@21", "refund_succeeded@31"]);
    expect(ends([{ ...transfer, status: "canceled", settledAt: 40 }])).toEqual([
      "refund_requested@10",
      "refund_by_bank@40",
    ]);
  });
  test("shows no release when a dispute takes the funds first", () => {
    const dispute = { amountCents: 1_000, status: "open" as const, createdAt: 30, settledAt: null };
    expect(
      kinds("seller", {
        status: "disputed",
        releases: [
          { ...waits, releasedAt: 51 },
          { ...waits, disputedCents: 1_890 },
        ],
        disputes: [dispute],
      }),
    ).toEqual(["created@1", "succeeded@5", "dispute_opened@30", "released@51"]);
    expect(
      kinds("seller", {
        status: "disputed",
        releases: [{ ...waits, disputedCents: 1_890 }],
        disputes: [dispute],
      }),
    ).toEqual(["created@1", "succeeded@5", "dispute_opened@30"]);
    expect(
      kinds("seller", {
        status: "disputed",
        releases: [{ ...waits, disputedCents: 950 }],
        disputes: [dispute],
      }),
    ).toEqual(["created@1", "succeeded@5", "dispute_opened@30", "to_release@50"]);
    expect(
      kinds("seller", {
        status: "dispute_lost",
        disputes: [{ ...dispute, status: "lost", settledAt: 40 }],
      }),
    ).toEqual(["created@1", "succeeded@5", "dispute_opened@30", "dispute_lost@40"]);
  });
});
