import { expect, test } from "vitest";
import { nextStepOfCharge, nextStepUrl } from "#app/http/checkout/next-step.ts";

const form = (path: string) => new Request(`https://coreto.test${path}`, { method: "POST" });
const waits = nextStepOfCharge({
  chargeId: "c1",
  status: "requires_action",
  nextActionUrl: "https://bank.test/3ds",
});

test.each([
  [
    "a form sent by script continues at the bank",
    "/checkout.data?plan=p",
    waits,
    "https://bank.test/3ds",
  ],
  [
    "a plain form goes to our own page, which no form-action forbids",
    "/checkout?plan=p",
    waits,
    "/checkout/c1",
  ],
  [
    "without a confirmation both go to our own page",
    "/checkout.data",
    nextStepOfCharge({ chargeId: "c1", status: "awaiting_payment", nextActionUrl: null }),
    "/checkout/c1",
  ],
])("%s", (_, path, onward, to) => {
  expect(nextStepUrl(form(path), onward)).toBe(to);
});
