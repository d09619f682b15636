import { expect, test } from "vitest";
import { coolingOffEndsAt } from "#app/domain/payments/refunds/rules/cooling-off.ts";
import { givesAccess, canWithdraw } from "#app/domain/subscriptions/rules.ts";
import { subscriptionStatuses } from "#app/domain/subscriptions/schema.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { now } from "#tests/support/charge-decisions.ts";

test.each(subscriptionStatuses)("access while %s ends at its date", (status) => {
  const opens = !["incomplete", "expired", "paused"].includes(status);
  expect(givesAccess({ status, accessUntil: now + 1 }, now)).toBe(opens);
  expect(givesAccess({ status, accessUntil: now }, now)).toBe(false);
  expect(givesAccess({ status, accessUntil: null }, now)).toBe(false);
});

test("the cooling-off period lasts to the end of the seventh day after the first payment", () => {
  const active = {
    status: "active" as const,
    startedAt: now,
    trialEndsAt: null,
    giftedBy: null,
    createdAt: now,
  };
  expect(canWithdraw(active, coolingOffEndsAt(now) - 1)).toBe(true);
  expect(canWithdraw(active, coolingOffEndsAt(now))).toBe(false);
  expect(canWithdraw({ ...active, status: "expired" }, now)).toBe(false);
  // An upcoming subscription gave no access, however long ago it should have started.
  expect(canWithdraw({ ...active, status: "upcoming" }, now + 30 * DAY_MS)).toBe(true);
  // A free trial is not a payment. The cooling-off period follows the first payment.
  expect(canWithdraw({ ...active, status: "trialing", trialEndsAt: now + DAY_MS }, now)).toBe(
    false,
  );
  expect(
    canWithdraw(
      { ...active, trialEndsAt: now - DAY_MS, createdAt: now - 30 * DAY_MS },
      now + 6 * DAY_MS,
    ),
  ).toBe(true);
});
