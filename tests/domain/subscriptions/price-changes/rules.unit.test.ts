import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MINIMUM_CARD_CENTS } from "#app/domain/plans/rules.ts";
import { mandateCovers, mandateTerms } from "#app/domain/subscriptions/pix-mandates/rules.ts";
import { nextTerms } from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import {
  agreedConsent,
  mandatePrices,
  canAnswerPriceChange,
  needsNewMandate,
  PRICE_NOTICE_DAYS,
  priceBeforeConsents,
  priceChangeEffect,
  takesEffectAt,
} from "#app/domain/subscriptions/price-changes/rules.ts";
import type { PriceConsent } from "#app/domain/subscriptions/price-changes/schema.ts";
import { subscriptionStatuses } from "#app/domain/subscriptions/schema.ts";
import { DAY_MS, HOUR_MS, instantOf, timeOfDayMs } from "#app/domain/time.ts";

const at = (day: number) => instantOf({ year: 2026, month: 3, day });
const consent = (more: Partial<PriceConsent> = {}): PriceConsent => ({
  askId: "ask",
  fromPlanPriceId: "old",
  fromAmountCents: 2_000,
  toPlanPriceId: "new",
  toAmountCents: 2_500,
  takesEffectAt: at(15),
  state: "accepted",
  answeredAt: at(1),
  appliedAt: null,
  ...more,
});
const subscription = (
  more: Partial<{ planPriceId: string; currentPeriodEndsAt: number | null }> = {},
) => ({ planPriceId: "old", currentPeriodEndsAt: at(15), ...more });

describe("a price change for a subscriber", () => {
  test.each([
    ["the same", { amountCents: 2_000, method: "card" }, 2_000, null, "same"],
    ["a centavo more", { amountCents: 2_000, method: "pix" }, 2_001, null, "ask"],
    ["a centavo less", { amountCents: 2_000, method: "card" }, 1_999, null, "lower"],
    [
      "less than the card minimum, by card",
      { amountCents: 2_000, method: "card" },
      MINIMUM_CARD_CENTS - 1,
      null,
      "ask",
    ],
    ["the card minimum", { amountCents: 2_000, method: "card" }, MINIMUM_CARD_CENTS, null, "lower"],
    [
      "less than the card minimum, by Pix",
      { amountCents: 2_000, method: "pix" },
      500,
      null,
      "lower",
    ],
    [
      "less than a fixed mandate",
      { amountCents: 2_000, method: "pix" },
      1_900,
      mandateTerms({ priceCents: 2_000, firstCents: 2_000 }),
      "ask",
    ],
    [
      "less, within a variable mandate",
      { amountCents: 2_000, method: "pix" },
      1_900,
      mandateTerms({ priceCents: 2_000, firstCents: 1_000 }),
      "lower",
    ],
    [
      "less than a variable mandate allows",
      { amountCents: 2_000, method: "pix" },
      999,
      mandateTerms({ priceCents: 2_000, firstCents: 1_000 }),
      "ask",
    ],
  ] as const)("%s", (_what, priced, toCents, authorisation, means) => {
    expect(priceChangeEffect(priced, toCents, authorisation)).toBe(means);
  });

  test("takes effect at the midnight after thirty whole days, at any time of proposal", () => {
    fc.assert(
      fc.property(fc.integer({ min: at(1), max: at(1) + 400 * DAY_MS }), (now) => {
        const from = takesEffectAt(now);
        expect(from - now).toBeGreaterThanOrEqual(PRICE_NOTICE_DAYS * DAY_MS);
        expect(from - now).toBeLessThanOrEqual((PRICE_NOTICE_DAYS + 1) * DAY_MS + HOUR_MS);
        expect(timeOfDayMs(from)).toBe(0);
      }),
    );
  });
});

describe("the price of the next period", () => {
  const fixed = mandateTerms({ priceCents: 2_000, firstCents: 2_000 });
  test.each([
    ["accepted, for a period from the effective date on", subscription(), consent(), null, true],
    [
      "accepted, for a period a moment before it",
      subscription({ currentPeriodEndsAt: at(15) - 1 }),
      consent(),
      null,
      false,
    ],
    ["not answered", subscription(), consent({ state: "asked" }), null, false],
    ["kept", subscription(), consent({ state: "kept" }), null, false],
    ["not proposed", subscription(), null, null, false],
    ["in force already", subscription(), consent({ appliedAt: at(2) }), null, false],
    [
      "of a price that is no longer paid",
      subscription({ planPriceId: "other" }),
      consent(),
      null,
      false,
    ],
    ["without a period", subscription({ currentPeriodEndsAt: null }), consent(), null, false],
    ["above the limit of the mandate", subscription(), consent(), fixed, false],
    [
      "within a new mandate",
      subscription(),
      consent(),
      mandateTerms({ priceCents: 2_500, firstCents: 2_000 }),
      true,
    ],
  ])("%s", (_what, renewing, answered, authorisation, isAgreed) => {
    expect(agreedConsent(renewing, answered, authorisation) !== null).toBe(isAgreed);
  });

  test("is never above the previous price or the accepted price", () => {
    const priced = fc.record({
      from: fc.integer({ min: 500, max: 500_000 }),
      to: fc.integer({ min: 500, max: 500_000 }),
      ceiling: fc.option(fc.integer({ min: 500, max: 500_000 })),
      state: fc.constantFrom("asked", "accepted", "kept" as const),
      ends: fc.integer({ min: at(1), max: at(30) }),
    });
    fc.assert(
      fc.property(priced, ({ from, to, ceiling, state, ends }) => {
        const answered = consent({
          fromAmountCents: from,
          toAmountCents: to,
          state: state as PriceConsent["state"],
        });
        const authorisation =
          ceiling === null ? null : mandateTerms({ priceCents: ceiling, firstCents: ceiling });
        const current = {
          planId: "plan",
          planPriceId: "old",
          interval: "monthly" as const,
          amountCents: from,
          method: "pix" as const,
          currentPeriodEndsAt: ends,
        };
        const next = nextTerms(current, null, agreedConsent(current, answered, authorisation));
        expect(
          next.amountCents === from ||
            (next.amountCents === to && state === "accepted" && ends >= answered.takesEffectAt),
        ).toBe(true);
        if (authorisation && next.amountCents !== from)
          expect(mandateCovers(authorisation, next.amountCents)).toBe(true);
      }),
    );
  });

  test("below R$ 10,00 is paid by Pix, and a scheduled plan change has precedence", () => {
    const current = {
      planId: "plan",
      planPriceId: "old",
      interval: "monthly" as const,
      amountCents: 2_000,
      method: "card" as const,
    };
    expect(nextTerms(current, null, consent({ toAmountCents: 900 }))).toMatchObject({
      planPriceId: "new",
      amountCents: 900,
      method: "pix",
    });
    const change = {
      state: "scheduled" as const,
      toPlanId: "other",
      toPlanPriceId: "there",
      toInterval: "annual" as const,
      toAmountCents: 9_000,
    };
    expect(nextTerms(current, change, consent())).toMatchObject({
      planId: "other",
      planPriceId: "there",
      amountCents: 9_000,
    });
  });
});

describe("a price change with Pix Automático", () => {
  test.each([
    ["dearer", 2_500, true],
    ["cheaper", 1_500, true],
    ["the same", 2_000, false],
  ])("a %s price and a mandate with a fixed amount", (_what, toCents, needs) => {
    expect(needsNewMandate(toCents, mandateTerms({ priceCents: 2_000, firstCents: 2_000 }))).toBe(
      needs,
    );
  });

  test("a new mandate covers the current price and the accepted price, and nothing above", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 500, max: 500_000 }),
        fc.integer({ min: 500, max: 500_000 }),
        (nextCents, toCents) => {
          const terms = mandateTerms(
            mandatePrices(nextCents, nextCents, { state: "accepted", toAmountCents: toCents }),
          );
          expect(mandateCovers(terms, nextCents) && mandateCovers(terms, toCents)).toBe(true);
          expect(mandateCovers(terms, Math.max(nextCents, toCents) + 1)).toBe(false);
        },
      ),
    );
    expect(mandatePrices(1_000, 2_000, { state: "asked", toAmountCents: 2_500 })).toEqual({
      priceCents: 2_000,
      firstCents: 1_000,
    });
  });
});

test.each(
  subscriptionStatuses.map(
    (status) => [status, !["incomplete", "canceled", "expired"].includes(status)] as const,
  ),
)("a price change of a subscription that is %s can be answered: %s", (status, may) => {
  expect(canAnswerPriceChange({ appliedAt: null }, { status })).toBe(may);
  expect(canAnswerPriceChange({ appliedAt: 1 }, { status })).toBe(false);
});

describe("reversing a period", () => {
  const applied = (
    askId: string,
    from: [string, number],
    to: [string, number],
    takesEffectAt: number,
  ) => ({
    askId,
    fromPlanPriceId: from[0],
    fromAmountCents: from[1],
    toPlanPriceId: to[0],
    toAmountCents: to[1],
    takesEffectAt,
  });
  const [a, b, c]: [[string, number], [string, number], [string, number]] = [
    ["a", 2_000],
    ["b", 2_500],
    ["c", 2_200],
  ];
  test.each<
    [string, [string, number], ReturnType<typeof applied>[], ReturnType<typeof priceBeforeConsents>]
  >([
    ["never proposed", a, [], null],
    [
      "before the date",
      b,
      [applied("1", a, b, 11)],
      { planPriceId: "a", amountCents: 2_000, askIds: ["1"] },
    ],
    ["on the date", b, [applied("1", a, b, 10)], null],
    ["on another plan by then", ["z", 9_000], [applied("1", a, b, 11)], null],
    ["a lower price stays", a, [applied("1", b, a, 11)], null],
    [
      "less than a price not in force yet, and more than the one before",
      c,
      [applied("1", a, b, 11), applied("2", b, c, 1)],
      { planPriceId: "a", amountCents: 2_000, askIds: ["2", "1"] },
    ],
  ])("%s", (_what, [planPriceId, amountCents], consents, expected) => {
    expect(priceBeforeConsents({ planPriceId, amountCents }, consents, 10)).toEqual(expected);
  });
});
