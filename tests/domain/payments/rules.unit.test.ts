import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitFee, feeShareOfRefund, statusesBefore } from "#app/domain/payments/rules.ts";
import { releaseAt } from "#app/domain/payments/releases/rules/release-time.ts";
import { isMethodOffered } from "#app/domain/payments/providers/rules/providers.ts";
import { formatMoney, parseMoney, shareRoundedHalfUp } from "#app/domain/money.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { chaoticProvider } from "#tests/support/chaos/provider.ts";

test.each([
  [1_990, 500, 100],
  [1_989, 500, 99],
  [10, 500, 1],
  [9, 500, 0],
  [0, 500, 0],
  [1, 10_000, 1],
  [500, 0, 0],
  [500_000, 500, 25_000],
  [1_990, 549, 109],
  [-10, 500, -1],
])("the share of %i centavos at %i basis points is %i", (amount, basisPoints, share) => {
  expect(shareRoundedHalfUp(amount, basisPoints)).toBe(share);
});

test.each([0.5, Number.NaN, Number.MAX_SAFE_INTEGER + 2])("%s is not a valid amount", (amount) => {
  expect(() => shareRoundedHalfUp(amount, 500)).toThrow("centavos");
});

test("fee and net always sum to the charge, and the fee parts of its refunds to its fee", () => {
  const charges = fc.record({
    amountCents: fc.integer({ min: 1, max: 500_000 }),
    basisPoints: fc.integer({ min: 0, max: 10_000 }),
  });
  fc.assert(
    fc.property(
      charges,
      fc.array(fc.integer({ min: 1, max: 100_000 }), { maxLength: 8 }),
      ({ amountCents, basisPoints }, wishes) => {
        const { feeCents, netCents } = splitFee(amountCents, basisPoints);
        expect(feeCents + netCents).toBe(amountCents);
        const charge = {
          amountCents,
          feeCents,
          refundedCents: 0,
          refundedFeeCents: 0,
          disputedCents: 0,
          disputedFeeCents: 0,
        };
        for (const wish of [...wishes, amountCents]) {
          const part = Math.min(wish, amountCents - charge.refundedCents);
          if (part === 0) continue;
          const share = feeShareOfRefund(charge, part);
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(part);
          charge.refundedCents += part;
          charge.refundedFeeCents += share;
        }
        expect(charge.refundedFeeCents).toBe(feeCents);
      },
    ),
  );
});

test("refunds never exceed the charged amount", () => {
  expect(() =>
    feeShareOfRefund(
      {
        amountCents: 100,
        feeCents: 5,
        refundedCents: 60,
        refundedFeeCents: 3,
        disputedCents: 0,
        disputedFeeCents: 0,
      },
      41,
    ),
  ).toThrow("refund above");
  // Funds lost to or held by a dispute are not refundable either, and their fee share counts as
  // returned.
  expect(() =>
    feeShareOfRefund(
      {
        amountCents: 100,
        feeCents: 5,
        refundedCents: 30,
        refundedFeeCents: 2,
        disputedCents: 30,
        disputedFeeCents: 1,
      },
      41,
    ),
  ).toThrow("refund above");
  expect(
    feeShareOfRefund(
      {
        amountCents: 100,
        feeCents: 5,
        refundedCents: 30,
        refundedFeeCents: 2,
        disputedCents: 30,
        disputedFeeCents: 1,
      },
      40,
    ),
  ).toBe(2);
});

describe("when a sale is released", () => {
  const at = Date.UTC(2026, 10, 20);
  test.each([
    ["the first Pix, after the cooling-off period", "pix", false, at, 8],
    ["a Pix renewal, the next day", "pix", true, at, 1],
    ["a card, at its settlement", "card", false, at + 30 * DAY_MS, 30],
    ["a card renewal, at its settlement", "card", true, at + 30 * DAY_MS, 30],
    ["a card without a settlement date", "card", true, null, 30],
    ["a card settled early, after the cooling-off period", "card", false, at + DAY_MS, 8],
  ] as const)("%s", (_, method, isRenewal, settlesAt, days) => {
    expect(releaseAt({ method, isRenewal, succeededAt: at, settlesAt })).toBe(at + days * DAY_MS);
  });
});

test("a late failure or expiry never undoes a success, and a late payment still counts", () => {
  for (const late of [
    "failed",
    "expired",
    "canceled",
    "awaiting_payment",
    "requires_action",
    "processing",
  ] as const) {
    expect(statusesBefore(late)).not.toContain("succeeded");
  }
  expect(statusesBefore("succeeded")).toEqual(
    expect.arrayContaining(["expired", "failed", "canceled", "awaiting_payment"]),
  );
  expect(statusesBefore("succeeded")).not.toContain("refunded");
});

test.each([
  ["19,90", 1_990],
  ["R$ 1.234,56", 123_456],
  ["15", 1_500],
  ["15.5", null],
  ["15.50", 1_550],
  ["0,05", 5],
  ["1,5", 150],
  ["1.23", 123],
  ["1.2345", null],
  ["-5", null],
  ["dez", null],
  ["", null],
  ["1000000,01", null],
])("%s is parsed as %s centavos", (text, cents) => {
  expect(parseMoney(text)).toBe(cents);
});

test("amounts are formatted with a no-break space", () => {
  expect(formatMoney(123_456)).toBe("R$\u00a01.234,56");
});

test.each([
  ["pix", ["pix", "card"], true, true],
  ["pix", ["pix", "card"], false, false],
  ["pix", ["card"], true, false],
  ["card", ["pix", "card"], false, true],
  ["card", ["pix"], true, false],
] as const)(
  "%s with a provider that has %j and Pix on: %s is offered: %s",
  (method, can, pixEnabled, isOffered) => {
    expect(
      isMethodOffered(method, {
        payments: { ...chaoticProvider(() => 0).port, can: new Set(can) },
        settings: { pixEnabled },
      }),
    ).toBe(isOffered);
  },
);
