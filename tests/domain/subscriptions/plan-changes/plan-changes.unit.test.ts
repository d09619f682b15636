import { describe, expect, test } from "vitest";
import {
  MINIMUM_DIFFERENCE_CENTS,
  quoteChange,
} from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import { decidePlanChange } from "#app/domain/subscriptions/plan-changes/rules/plan-change-decision.ts";
import type {
  PlanChangeQuoteInput,
  CoveringPayment,
  PlanChangeQuote,
  SubscriptionTerms,
} from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import { DAY_MS, instantOf } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

const noon = (year: number, month: number, day: number) =>
  instantOf({ year, month, day }, DAY_MS / 2);
const START = noon(2026, 11, 1);
const monthly = {
  planId: "old",
  planPriceId: "old-m",
  interval: "monthly" as const,
  amountCents: 3_000,
  method: "pix" as const,
  currentPeriodStartsAt: START,
  currentPeriodEndsAt: noon(2026, 12, 1),
};
const row = (
  startsAt: Instant,
  endsAt: Instant,
  more: Partial<CoveringPayment["periods"][number]> = {},
) => ({ id: `${startsAt}`, startsAt, endsAt, isDifference: 0, amountCents: null, ...more });
const paidFor = (more: Partial<CoveringPayment> = {}): CoveringPayment => ({
  chargeId: "base",
  amountCents: 3_000,
  refundedCents: 0,
  disputedCents: 0,
  waitingCents: 0,
  periods: [row(START, monthly.currentPeriodEndsAt)],
  ...more,
});
const terms = (more: Partial<SubscriptionTerms> = {}): SubscriptionTerms => ({
  planId: "new",
  planPriceId: "new-m",
  interval: "monthly",
  amountCents: 6_000,
  ...more,
});
const quoted = (
  to: Partial<SubscriptionTerms> = {},
  more: Partial<PlanChangeQuoteInput> = {},
): PlanChangeQuote =>
  quoteChange({
    subscription: monthly,
    covering: [paidFor()],
    to: terms(to),
    coupon: null,
    now: noon(2026, 11, 10),
    ...more,
  });

describe("the cost of a plan change", () => {
  test("in the same interval, is the price difference of the remaining days, with today counted as used", () => {
    expect(quoted()).toEqual({
      happens: "now",
      keepsPeriod: true,
      costCents: 4_000,
      creditCents: 2_000,
      dueCents: 2_000,
      days: { total: 30, left: 20 },
      covers: {
        startsAt: instantOf({ year: 2026, month: 11, day: 11 }),
        endsAt: monthly.currentPeriodEndsAt,
      },
      nextChargeAt: monthly.currentPeriodEndsAt,
      nextCents: 6_000,
    });
  });

  test("to another interval, is a whole period from today less the unused value", () => {
    expect(quoted({ interval: "annual", amountCents: 60_000 })).toMatchObject({
      happens: "now",
      keepsPeriod: false,
      costCents: 60_000,
      creditCents: 2_000,
      dueCents: 58_000,
      covers: { startsAt: noon(2026, 11, 10), endsAt: noon(2027, 11, 10) },
      nextCents: 60_000,
    });
  });

  test.each<[string, Partial<SubscriptionTerms>, Partial<PlanChangeQuoteInput>, string]>([
    ["a lower price", { amountCents: 900 }, {}, "weighs_less"],
    ["the same price", { amountCents: 3_000 }, {}, "weighs_less"],
    [
      "a shorter interval with a lower total",
      { interval: "weekly", amountCents: 600 },
      {},
      "weighs_less",
    ],
    ["a difference a centavo below the minimum", { amountCents: 3_148 }, {}, "little"],
    ["the last day of a period", {}, { now: noon(2026, 11, 30) }, "little"],
    [
      "another interval while the next period is paid",
      { interval: "annual", amountCents: 60_000 },
      {
        subscription: {
          ...monthly,
          currentPeriodStartsAt: noon(2026, 12, 1),
          currentPeriodEndsAt: noon(2027, 1, 1),
        },
      },
      "paid_ahead",
    ],
    [
      "periods prepaid by one charge",
      {},
      { covering: [paidFor({ amountCents: 9_000, periods: [row(START, noon(2027, 2, 1))] })] },
      "paid_ahead",
    ],
  ])("%s waits for the next period", (_, to, more, because) => {
    expect(quoted(to, more)).toMatchObject({ happens: "next_period", because });
  });

  test("is never below the minimum difference", () => {
    expect(quoted({ amountCents: 3_150 })).toMatchObject({
      happens: "now",
      dueCents: MINIMUM_DIFFERENCE_CENTS,
    });
  });

  test("includes the next period when that is already paid", () => {
    const next = paidFor({ chargeId: "next", periods: [row(noon(2026, 12, 1), noon(2027, 1, 1))] });
    const prepaid = {
      ...monthly,
      currentPeriodStartsAt: noon(2026, 12, 1),
      currentPeriodEndsAt: noon(2027, 1, 1),
    };
    expect(
      quoted({}, { now: noon(2026, 11, 29), subscription: prepaid, covering: [paidFor(), next] }),
    ).toMatchObject({
      happens: "now",
      costCents: 200 + 6_000,
      creditCents: 100 + 3_000,
      dueCents: 3_100,
    });
  });

  test("gives no credit for a refunded amount", () => {
    expect(
      quoted({}, { covering: [paidFor({ refundedCents: 2_000, waitingCents: 500 })] }),
    ).toMatchObject({ creditCents: 500, dueCents: 3_500 });
  });

  test("applies the coupon of the current period when the coupon is valid for the new plan", () => {
    const half = {
      percent: 50,
      amountCents: null,
      cycles: null,
      planIds: null,
      cyclesLeft: null,
      fullPriceAt: null,
    };
    const base = { covering: [paidFor({ amountCents: 1_500 })] };
    expect(quoted({}, { ...base, coupon: half })).toMatchObject({
      costCents: 2_000,
      creditCents: 1_000,
      nextCents: 3_000,
    });
    expect(quoted({}, { ...base, coupon: { ...half, planIds: ["old"] } })).toMatchObject({
      costCents: 4_000,
      creditCents: 1_000,
      nextCents: 6_000,
    });
    expect(
      quoted(
        {},
        { ...base, coupon: { ...half, cyclesLeft: 0, fullPriceAt: monthly.currentPeriodEndsAt } },
      ),
    ).toMatchObject({ costCents: 2_000, nextCents: 6_000 });
    expect(
      quoted(
        { interval: "annual", amountCents: 60_000 },
        { ...base, coupon: { ...half, cyclesLeft: 1 } },
      ),
    ).toMatchObject({ costCents: 30_000, nextCents: 60_000 });
  });
});

describe("the charge of a difference", () => {
  const charge = {
    status: "awaiting_payment" as const,
    amountCents: 2_000,
    expiresAt: noon(2026, 11, 10),
  };
  const said = (status: ProviderCharge["status"], amountCents = 2_000): ProviderCharge => ({
    id: "p",
    reference: "c",
    status,
    amountCents,
    refundedCents: 0,
    pixCode: null,
    nextActionUrl: null,
    expiresAt: null,
    failureCode: null,
    settlesAt: null,
    savedMethodId: null,
    costCents: null,
    recurringPixId: null,
  });
  const change = {
    state: "open" as const,
    holdsSeat: true,
    fromPlanPriceId: "old-m",
    toPlanId: "new",
    beforeEndsAt: monthly.currentPeriodEndsAt,
    createdAt: noon(2026, 11, 10),
    toPlanState: "active" as const,
    toHasFreeSeat: true,
  };
  const subscription = {
    status: "active" as const,
    planId: "old",
    planPriceId: "old-m",
    currentPeriodEndsAt: monthly.currentPeriodEndsAt,
  };
  const decided = (more: Partial<Parameters<typeof decidePlanChange>[0]> = {}) =>
    decidePlanChange({
      charge,
      providerCharge: said("succeeded"),
      change,
      subscription,
      isShut: false,
      isPayerLeaving: false,
      now: noon(2026, 11, 10),
      ...more,
    });

  test.each<[string, Parameters<typeof decided>[0], object]>([
    ["paid", {}, { kind: "change", needsSeat: false }],
    [
      "paid late, on its day, with a seat",
      { change: { ...change, state: "over", holdsSeat: false } },
      { kind: "change", needsSeat: true },
    ],
    [
      "paid late, of a plan that is full",
      { change: { ...change, state: "over", holdsSeat: false, toHasFreeSeat: false } },
      { kind: "give_back", reason: "no_seat", endsAttempt: false },
    ],
    [
      "paid late, of a plan that is archived",
      { change: { ...change, state: "over", holdsSeat: false, toPlanState: "archived" } },
      { kind: "give_back", reason: "not_sold", endsAttempt: false },
    ],
    [
      "paid on another day",
      { change: { ...change, state: "over", holdsSeat: false }, now: noon(2026, 11, 11) },
      { kind: "give_back", reason: "moved", endsAttempt: false },
    ],
    [
      "of another amount",
      { providerCharge: said("succeeded", 1_999) },
      { kind: "give_back", reason: "amount_differs", endsAttempt: true },
    ],
    [
      "of a closed page",
      { isShut: true },
      { kind: "give_back", reason: "not_sold", endsAttempt: true },
    ],
    [
      "of a payer who is leaving",
      { isPayerLeaving: true },
      { kind: "give_back", reason: "payer_leaving", endsAttempt: true },
    ],
    [
      "of a subscription that was renewed",
      { subscription: { ...subscription, currentPeriodEndsAt: noon(2027, 1, 1) } },
      { kind: "give_back", reason: "moved", endsAttempt: true },
    ],
    [
      "of one that is on another plan",
      { subscription: { ...subscription, planPriceId: "x" } },
      { kind: "give_back", reason: "moved", endsAttempt: true },
    ],
    [
      "of one that is canceled",
      { subscription: { ...subscription, status: "canceled" } },
      { kind: "give_back", reason: "moved", endsAttempt: true },
    ],
    [
      "failed",
      { providerCharge: said("failed") },
      { kind: "progress", status: "failed", failureCode: null, endsAttempt: true },
    ],
    [
      "failed after it was paid",
      { charge: { ...charge, status: "succeeded" }, providerCharge: said("failed") },
      { kind: "nothing" },
    ],
  ])("%s", (_, more, decision) => {
    expect(decided(more)).toEqual(decision);
  });
});
