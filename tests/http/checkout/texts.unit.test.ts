import { expect, test } from "vitest";
import { registrationSubmitLabel } from "#app/http/checkout/texts.ts";

test.each([
  [null, "Confirmar e criar a conta"],
  [{ planPriceId: "p", amountCents: "1990" }, "Confirmar e pagar"],
  [
    { planPriceId: "p", amountCents: "1990", trialDays: "7" },
    "Confirmar e começar o período grátis",
  ],
])("for the cart %o the registration button says %s", (cart, words) => {
  expect(registrationSubmitLabel(cart && JSON.stringify(cart))).toBe(words);
});
