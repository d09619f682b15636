import { expect, test } from "vitest";
import { isNewSubscription, paymentAccess } from "#app/domain/subscriptions/history/rules.ts";
import { testClock } from "#tests/support/clock.ts";

const NOW = testClock.now();
const DAY = 86_400_000;
const first = { renewsSubscriptionId: null, beginsAt: null, change: null, gift: null };
const active = {
  status: "active",
  accessUntil: NOW + DAY,
  currentPeriodEndsAt: NOW + DAY,
} as const;
const canceled = { ...active, status: "canceled" } as const;

test.each([
  ["a first payment", first, active, true],
  ["a first payment, canceled since with access left", first, canceled, true],
  ["a first payment, canceled and over", first, { ...canceled, accessUntil: NOW - 1 }, false],
  ["a first payment, paused since", first, { ...active, status: "paused" as const }, false],
  ["a renewal", { ...first, renewsSubscriptionId: "s" }, active, false],
  ["an upgrade", { ...first, change: {} }, active, false],
  ["a gift", { ...first, gift: {} }, active, false],
  [
    "a payment that starts after a gift",
    { ...first, beginsAt: NOW + DAY },
    { ...active, status: "upcoming" as const },
    false,
  ],
  ["a payment without a subscription", first, null, false],
] as const)("%s: a new subscription is %j", (_, charge, subscription, expected) => {
  expect(isNewSubscription(charge, subscription && paymentAccess(subscription, NOW))).toBe(
    expected,
  );
});
