import { expect, test } from "vitest";
import { decideAbandonment } from "#app/domain/purchases/checkout/rules.ts";

const charge = { isDebt: false, renewsSubscriptionId: null, periods: 1 };
const renewal = { ...charge, renewsSubscriptionId: "s1" };

test.each([
  ["an unpaid Pix code", { ...charge, status: "awaiting_payment" }, "cancel_charge"],
  ["an open card page", { ...charge, status: "requires_action" }, "cancel_charge"],
  ["a renewal", { ...renewal, status: "awaiting_payment" }, "cancel_subscription"],
  ["a prepayment", { ...renewal, periods: 3, status: "awaiting_payment" }, "cancel_charge"],
  ["a declined card", { ...charge, status: "failed" }, "leave"],
  ["an expired code", { ...renewal, status: "expired" }, "leave"],
  ["a canceled charge", { ...charge, status: "canceled" }, "leave"],
  ["a charge in process at the bank", { ...charge, status: "processing" }, null],
  ["an unconfirmed charge", { ...charge, status: "created" }, null],
  ["a paid charge", { ...charge, status: "succeeded" }, null],
  ["a debt", { ...charge, isDebt: true, status: "awaiting_payment" }, null],
] as const)("giving up %s", (_, asked, step) => {
  expect(decideAbandonment(asked)).toBe(step);
});
