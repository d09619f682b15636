import fc from "fast-check";
import { expect, test } from "vitest";
import { splitFee, feeShareOfRefund } from "#app/domain/payments/rules.ts";
import { underageRefundReasonText } from "#app/domain/purchases/underage-sellers/rules.ts";
import { refundOfUnpaidNetCents } from "#app/domain/payments/releases/rules/fraud-refund.ts";

const sale = fc
  .record({
    amountCents: fc.integer({ min: 100, max: 500_000 }),
    basisPoints: fc.integer({ min: 0, max: 9_000 }),
    refunded: fc.double({ min: 0, max: 0.9, noNaN: true }),
    unpaid: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ amountCents, basisPoints, refunded, unpaid }) => {
    const charge = {
      amountCents,
      ...splitFee(amountCents, basisPoints),
      refundedCents: 0,
      refundedFeeCents: 0,
      disputedCents: 0,
      disputedFeeCents: 0,
    };
    const refundedCents = Math.floor(amountCents * refunded);
    const sold = {
      ...charge,
      refundedCents,
      refundedFeeCents: refundedCents === 0 ? 0 : feeShareOfRefund(charge, refundedCents),
    };
    const leftNetCents = sold.netCents - (sold.refundedCents - sold.refundedFeeCents);
    return { sold, leftNetCents, notPaidOutCents: Math.floor(leftNetCents * unpaid) };
  });

const netOf = (sold: Parameters<typeof refundOfUnpaidNetCents>[0], cents: number) =>
  cents === 0 ? 0 : cents - feeShareOfRefund(sold, cents);

test("a fraud refund never exceeds what was not paid out, and one centavo more would", () => {
  fc.assert(
    fc.property(sale, ({ sold, notPaidOutCents }) => {
      const back = refundOfUnpaidNetCents(sold, notPaidOutCents);
      const left = sold.amountCents - sold.refundedCents;
      expect(back).toBeGreaterThanOrEqual(0);
      expect(back).toBeLessThanOrEqual(left);
      expect(netOf(sold, back)).toBeLessThanOrEqual(notPaidOutCents);
      if (notPaidOutCents > 0 && back < left)
        expect(netOf(sold, back + 1)).toBeGreaterThan(notPaidOutCents);
    }),
  );
});

test("refunds everything, fee included, when nothing was paid out", () => {
  fc.assert(
    fc.property(sale, ({ sold, leftNetCents }) => {
      expect(refundOfUnpaidNetCents(sold, leftNetCents)).toBe(
        leftNetCents === 0 ? 0 : sold.amountCents - sold.refundedCents,
      );
    }),
  );
  const whole = {
    amountCents: 1_990,
    feeCents: 100,
    netCents: 1_890,
    refundedCents: 0,
    refundedFeeCents: 0,
    disputedCents: 0,
    disputedFeeCents: 0,
  };
  expect([
    refundOfUnpaidNetCents(whole, 1_890),
    refundOfUnpaidNetCents(whole, 945),
    refundOfUnpaidNetCents(whole, 0),
  ]).toEqual([1_990, 995, 0]);
});

test("the payer is told of a full refund only when it is full, and otherwise of its amount", () => {
  expect(underageRefundReasonText({ amountCents: 1_990, leftCents: 1_990 })).toContain(
    "devolve o que você pagou.",
  );
  expect(
    underageRefundReasonText({ amountCents: 663, leftCents: 1_990 }).replaceAll("\u00a0", " "),
  ).toContain("devolve R$ 6,63, a parte do que você pagou");
});
