import { expect, test } from "vitest";
import { decideAbandonment } from "#app/domain/purchases/checkout/rules.ts";

const charge = { isDebt: false, renewsSubscriptionId: null, periods: 1 };
const renewal = { ...charge, renewsSubscriptionId: "s1" };

test.each([
  ["a Pix code that waits", { ...charge, status: "awaiting_payment" }, "cancel_charge"],
  ["a card page that waits", { ...charge, status: "requires_action" }, "cancel_charge"],
  ["a renewal", { ...renewal, status: "awaiting_payment" }, "cancel_subscription"],
  ["months ahead", { ...renewal, periods: 3, status: "awaiting_payment" }, "cancel_charge"],
  ["a declined card", { ...charge, status: "failed" }, "leave"],
  ["a code that ran out", { ...renewal, status: "expired" }, "leave"],
  ["what was given up", { ...charge, status: "canceled" }, "leave"],
  ["what the bank answers now", { ...charge, status: "processing" }, null],
  ["what nobody has heard of yet", { ...charge, status: "created" }, null],
  ["what is paid", { ...charge, status: "succeeded" }, null],
  ["a debt", { ...charge, isDebt: true, status: "awaiting_payment" }, null],
] as const)("giving up %s", (_, asked, step) => {
  expect(decideAbandonment(asked)).toBe(step);
});
