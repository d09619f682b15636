import { describe, expect, test } from "vitest";
import { planReversal } from "#app/domain/subscriptions/plan-changes/rules/plan-change-reversal.ts";
import type { AppliedPlanChange } from "#app/domain/subscriptions/plan-changes/rules/plan-change-reversal.ts";
import { DAY_MS, instantOf } from "#app/domain/time.ts";

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

describe("the reversal of a plan change", () => {
  const NOW = noon(2026, 11, 12);
  const done = (more: Partial<AppliedPlanChange> = {}): AppliedPlanChange => ({
    id: "1",
    happens: "now",
    fromPlanId: "old",
    fromPlanPriceId: "old-m",
    fromInterval: "monthly",
    fromAmountCents: 3_000,
    fromPlanName: "Old",
    toPlanPriceId: "new-m",
    beforeStartsAt: START,
    beforeEndsAt: monthly.currentPeriodEndsAt,
    beforeAnchorAt: null,
    coversFrom: START,
    coversUntil: monthly.currentPeriodEndsAt,
    settledAt: START,
    periodSplit: null,
    chargeId: "c",
    coveredUntil: monthly.currentPeriodEndsAt,
    ...more,
  });
  const annual = done({
    toPlanPriceId: "new-m",
    periodSplit: { cuts: [], moved: [] },
    coversUntil: noon(2027, 11, 10),
    coveredUntil: noon(2027, 11, 10),
  });
  const on = {
    status: "active" as const,
    planPriceId: "new-m",
    currentPeriodEndsAt: monthly.currentPeriodEndsAt,
  };
  const onAnnual = { ...on, currentPeriodEndsAt: noon(2027, 11, 10) };

  test.each<[string, Parameters<typeof planReversal>[0], object]>([
    [
      "in the same period",
      { subscription: on, changes: [done()], isRenewing: false, now: NOW },
      { kind: "back", period: null },
    ],
    [
      "while a renewal may be paid at the new price",
      { subscription: on, changes: [done()], isRenewing: true, now: NOW },
      { kind: "stays" },
    ],
    [
      "once the next period is paid",
      {
        subscription: { ...on, currentPeriodEndsAt: noon(2027, 1, 1) },
        changes: [done()],
        isRenewing: false,
        now: NOW,
      },
      { kind: "stays" },
    ],
    [
      "of one that is on another plan",
      { subscription: { ...on, planPriceId: "x" }, changes: [done()], isRenewing: false, now: NOW },
      { kind: "stays" },
    ],
    [
      "of one that ended",
      {
        subscription: { ...on, status: "expired" },
        changes: [done()],
        isRenewing: false,
        now: NOW,
      },
      { kind: "stays" },
    ],
    [
      "to the previous period",
      { subscription: onAnnual, changes: [annual], isRenewing: false, now: NOW },
      {
        kind: "back",
        period: { startsAt: START, endsAt: monthly.currentPeriodEndsAt, anchorAt: null },
      },
    ],
    [
      "to a period that has ended",
      { subscription: onAnnual, changes: [annual], isRenewing: false, now: noon(2026, 12, 2) },
      { kind: "ends" },
    ],
    [
      "to a period that a vacation moved too",
      {
        subscription: { ...onAnnual, currentPeriodEndsAt: onAnnual.currentPeriodEndsAt + 9 },
        changes: [{ ...annual, coveredUntil: onAnnual.currentPeriodEndsAt + 9 }],
        shifts: [{ from: NOW, by: 9, at: NOW }],
        isRenewing: false,
        now: NOW,
      },
      {
        kind: "back",
        period: {
          startsAt: START,
          endsAt: monthly.currentPeriodEndsAt + 9,
          anchorAt: monthly.currentPeriodEndsAt + 9,
        },
      },
    ],
    [
      "of a period moved by a pause",
      {
        subscription: { ...onAnnual, currentPeriodEndsAt: onAnnual.currentPeriodEndsAt + 9 },
        changes: [{ ...annual, coveredUntil: onAnnual.currentPeriodEndsAt + 9 }],
        isRenewing: false,
        now: NOW,
      },
      { kind: "ends" },
    ],
    [
      "of a new period, during a pause",
      {
        subscription: { ...onAnnual, status: "paused" },
        changes: [annual],
        isRenewing: false,
        now: NOW,
      },
      { kind: "ends" },
    ],
  ])("%s", (_, input, way) => {
    expect(planReversal(input)).toEqual(way);
  });
});
