import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { previewRefund, refundProblem, REFUNDS_LIMIT } from "#app/domain/billing/refunds/rules.ts";
import type { Refundable } from "#app/domain/billing/refunds/rules.ts";
import { parseRefundAmount } from "#app/domain/billing/statements/rules/statement.ts";
import { splitFee } from "#app/domain/payments/rules.ts";

const NOON = Date.UTC(2026, 9, 15, 15);

describe("a refund", () => {
  const paid: Refundable = {
    status: "succeeded",
    method: "pix",
    amountCents: 1_000,
    refundedCents: 0,
    disputedCents: 0,
    succeededAt: NOON,
  };
  const ask = (
    charge: Partial<Refundable>,
    {
      amountCents = null as number | null,
      refunds = [] as { status: "requested" | "succeeded" | "failed" }[],
    } = {},
  ) => refundProblem({ ...paid, ...charge }, refunds, { amountCents });
  test("is either possible or refused with its reason", () => {
    expect(ask({ succeededAt: null, status: "expired" })).toBe("unpaid");
    expect(ask({ status: "refunded", refundedCents: 1_000 })).toBe("all_back");
    expect(ask({ status: "disputed" })).toBe("disputed");
    expect(ask({ status: "dispute_lost" })).toBe("disputed");
    expect(ask({}, { refunds: [{ status: "requested" }] })).toBe("waiting");
    expect(ask({}, { refunds: [{ status: "failed" }] })).toBeNull();
    expect(
      ask(
        {},
        {
          refunds: Array.from({ length: REFUNDS_LIMIT }, () => ({ status: "succeeded" as const })),
        },
      ),
    ).toBe("too_many");
    expect(
      ask({ refundedCents: 400, status: "partially_refunded" }, { amountCents: 600 }),
    ).toBeNull();
    expect(ask({ refundedCents: 400, status: "partially_refunded" }, { amountCents: 601 })).toBe(
      "too_much",
    );
    expect(ask({ status: "dispute_won" }, { amountCents: 1_000 })).toBeNull();
    // The bank took a part in a dispute. The rest can still be refunded.
    expect(
      ask({ status: "partially_refunded", disputedCents: 300 }, { amountCents: 700 }),
    ).toBeNull();
    expect(ask({ status: "partially_refunded", disputedCents: 300 }, { amountCents: 701 })).toBe(
      "too_much",
    );
  });
  test("previews its exact effect: the parts sum to the whole and never exceed the available funds", () => {
    const charge = fc.record({
      amountCents: fc.integer({ min: 1, max: 500_000 }),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
      pending: fc.integer({ min: 0, max: 500_000 }),
      available: fc.integer({ min: 0, max: 500_000 }),
      basisPoints: fc.integer({ min: 0, max: 10_000 }),
    });
    fc.assert(
      fc.property(charge, ({ amountCents, part, pending, available, basisPoints }) => {
        const back = Math.max(1, Math.round(amountCents * part));
        const { feeCents } = splitFee(amountCents, basisPoints);
        const seen = previewRefund(
          {
            amountCents,
            feeCents,
            refundedCents: 0,
            refundedFeeCents: 0,
            disputedCents: 0,
            disputedFeeCents: 0,
          },
          back,
          { pendingOfChargeCents: pending, availableCents: available },
        );
        expect(seen.feeCents + seen.pendingCents + seen.availableCents + seen.owedCents).toBe(back);
        expect(seen.pendingCents).toBeLessThanOrEqual(pending);
        expect(seen.availableCents).toBeLessThanOrEqual(available);
        if (seen.owedCents > 0)
          expect([seen.pendingCents, seen.availableCents]).toEqual([pending, available]);
        expect(seen.isWhole).toBe(back === amountCents);
        if (back === amountCents) expect(seen.feeCents).toBe(feeCents);
      }),
    );
  });
  test.each([
    ["19,90", 5_000, { cents: 1_990 }],
    ["50", 5_000, { cents: 5_000 }],
    ["50,01", 5_000, { problem: "É mais do que resta desta cobrança." }],
    ["0", 5_000, { problem: "Escreva o valor assim: 19,90." }],
    ["-1", 5_000, { problem: "Escreva o valor assim: 19,90." }],
    ["0,1+0,2", 5_000, { problem: "Escreva o valor assim: 19,90." }],
    ["9007199254740992", 5_000, { problem: "Escreva o valor assim: 19,90." }],
  ])("%s of at most %i", (typed, most, expected) => {
    expect(parseRefundAmount(typed, most)).toEqual(expected);
  });
});
