import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  couponProblem,
  couponLabel,
  discountedCents,
  nextPaymentCents,
} from "#app/domain/plans/rules/coupons.ts";
import type { CouponProblem } from "#app/domain/plans/rules/coupons.ts";
import { couponSchema } from "#app/domain/plans/schema/coupons.ts";
import type { Coupon } from "#app/domain/plans/schema/coupons.ts";
import { instantOfIsoDay } from "#app/domain/time.ts";

const NOW = instantOfIsoDay("2026-03-10");

const coupon = (more: Partial<Coupon> = {}): Coupon => ({
  id: "k",
  code: "VOLTA10",
  percent: 10,
  amountCents: null,
  cycles: 3,
  planIds: null,
  usesLimit: null,
  usesCount: 0,
  expiresAt: null,
  endedAt: null,
  createdAt: NOW,
  ...more,
});

describe("the discount of a coupon", () => {
  test.each([
    [{ percent: 10, amountCents: null }, 1_990, 1_791],
    [{ percent: 50, amountCents: null }, 1_001, 500],
    [{ percent: 33, amountCents: null }, 1_000, 670],
    [{ percent: null, amountCents: 500 }, 1_990, 1_490],
    [{ percent: null, amountCents: 3_000 }, 1_990, -1_010],
  ])("%o of %i leaves %i", (terms, priceCents, leftCents) => {
    expect(discountedCents(terms, priceCents)).toBe(leftCents);
  });

  test("a percentage discount is never zero and never the whole price, in whole centavos", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 99 }),
        fc.integer({ min: 500, max: 500_000 }),
        (percent, priceCents) => {
          const left = discountedCents({ percent, amountCents: null }, priceCents);
          expect(Number.isInteger(left)).toBe(true);
          expect(left).toBeGreaterThan(0);
          expect(left).toBeLessThan(priceCents);
        },
      ),
    );
  });

  test("the discounted price is never under R$ 5,00 and never over the price", () => {
    const terms = fc.oneof(
      fc.record({ percent: fc.integer({ min: 1, max: 99 }), amountCents: fc.constant(null) }),
      fc.record({ percent: fc.constant(null), amountCents: fc.integer({ min: 1, max: 600_000 }) }),
    );
    fc.assert(
      fc.property(terms, fc.integer({ min: 500, max: 500_000 }), (discount, priceCents) => {
        const problem = couponProblem(coupon(discount), {
          planId: "p",
          priceCents,
          wasUsed: false,
          now: NOW,
        });
        const left = discountedCents(discount, priceCents);
        expect(problem).toBe(left < 500 ? "too_low" : null);
        if (problem === null) expect(left).toBeLessThan(priceCents);
      }),
    );
  });
});

describe("why a coupon is refused", () => {
  test.each<[string, Partial<Coupon>, boolean, CouponProblem | null]>([
    ["nothing is wrong", {}, false, null],
    ["it was ended", { endedAt: NOW - 1 }, false, "ended"],
    ["its end has passed", { expiresAt: NOW }, false, "expired"],
    ["its end is to come", { expiresAt: NOW + 1 }, false, null],
    ["its uses are over", { usesLimit: 2, usesCount: 2 }, false, "used_up"],
    ["one use is left", { usesLimit: 2, usesCount: 1 }, false, null],
    ["it is another plan's", { planIds: ["other"] }, false, "other_plan"],
    ["it is this plan's among others", { planIds: ["other", "p"] }, false, null],
    ["the member used it before", {}, true, "used"],
    ["it would leave too little", { percent: 80 }, false, "too_low"],
  ])("%s", (_, more, wasUsed, problem) => {
    expect(couponProblem(coupon(more), { planId: "p", priceCents: 1_990, wasUsed, now: NOW })).toBe(
      problem,
    );
  });
});

describe("the next payment", () => {
  const subscription = { planId: "p", amountCents: 1_990, method: "pix" as const };
  test.each<[string, Parameters<typeof nextPaymentCents>, number]>([
    ["without a coupon", [subscription, null], 1_990],
    ["while payments are left", [subscription, { ...coupon(), cyclesLeft: 1 }], 1_791],
    ["after the last one", [subscription, { ...coupon(), cyclesLeft: 0 }], 1_990],
    ["without an end", [subscription, { ...coupon({ cycles: null }), cyclesLeft: null }], 1_791],
    [
      "on another plan",
      [subscription, { ...coupon({ planIds: ["other"] }), cyclesLeft: 2 }],
      1_990,
    ],
    [
      "on a plan that became cheaper than the discount",
      [
        { ...subscription, amountCents: 700 },
        { ...coupon({ percent: 90 }), cyclesLeft: 2 },
      ],
      500,
    ],
    [
      "by card, never under R$ 10,00",
      [
        { ...subscription, method: "card" },
        { ...coupon({ percent: 90 }), cyclesLeft: 2 },
      ],
      1_000,
    ],
  ])("%s", (_, input, cents) => {
    expect(nextPaymentCents(...input)).toBe(cents);
  });
});

test("is described in text", () => {
  const said = [
    { percent: 20, amountCents: null, cycles: 3 },
    { percent: null, amountCents: 500, cycles: 1 },
    { percent: 5, amountCents: null, cycles: null },
  ].map((terms) => couponLabel(terms).replaceAll(/\s/g, " "));
  expect(said).toEqual([
    "20% de desconto nos 3 primeiros pagamentos",
    "R$ 5,00 de desconto no primeiro pagamento",
    "5% de desconto em todos os pagamentos",
  ]);
});

describe("the coupon form", () => {
  const form = {
    code: "volta 10",
    kind: "percent",
    discount: "10",
    lasts: "some",
    cycles: "3",
    usesLimit: "",
    expiresOn: "",
  };
  test("becomes the terms of the coupon", () => {
    expect(couponSchema.parse(form)).toEqual({
      code: "VOLTA10",
      percent: 10,
      amountCents: null,
      cycles: 3,
      usesLimit: null,
      expiresAt: null,
      planIds: null,
    });
    expect(
      couponSchema.parse({
        ...form,
        kind: "amount",
        discount: "5,50",
        lasts: "always",
        usesLimit: "10",
        expiresOn: "2026-03-31",
        plans: "p",
      }),
    ).toEqual({
      code: "VOLTA10",
      percent: null,
      amountCents: 550,
      cycles: null,
      usesLimit: 10,
      expiresAt: instantOfIsoDay("2026-04-01"),
      planIds: ["p"],
    });
  });

  test.each([
    ["code", { code: "é" }],
    ["discount", { discount: "100" }],
    ["discount", { discount: "0" }],
    ["discount", { discount: "1,5" }],
    ["discount", { kind: "amount", discount: "nada" }],
    ["discount", { kind: "amount", discount: "0" }],
    ["cycles", { cycles: "" }],
    ["cycles", { cycles: "0" }],
    ["usesLimit", { usesLimit: "-1" }],
    ["expiresOn", { expiresOn: "31/03/2026" }],
  ])("refuses %s in %o", (field, more) => {
    const parsed = couponSchema.safeParse({ ...form, ...more });
    expect(parsed.error?.issues.map((issue) => issue.path[0])).toContain(field);
  });
});
