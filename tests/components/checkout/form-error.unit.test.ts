import { expect, test } from "vitest";
import { paymentFormError } from "#app/components/checkout/form-error.ts";
import { giftSchema } from "#app/domain/purchases/gifts/schema.ts";
import { REOPEN_PAGE_MESSAGE, paymentFormSchema } from "#app/domain/payments/schema/forms.ts";
import { checkoutSchema } from "#app/domain/subscriptions/checkout/schema.ts";
import { zodIssueMessage, formProblemOf } from "#app/http/form.ts";

const RIGHT = { planPriceId: "p", method: "pix", amountCents: "1990" };

test.each<[string, Record<string, unknown>]>([
  ["a price below zero", { amountCents: "-1" }],
  ["a price above the largest number", { amountCents: "9007199254740993" }],
  ["a price in other digits", { amountCents: "١٩٩٠" }],
  ["two prices", { amountCents: ["1990", "1"] }],
  ["a card token that is too long", { cardToken: "x".repeat(201) }],
  ["two cards", { cardToken: ["a", "b"] }],
])("%s is refused above the form, since no page shows that field", (_what, fields) => {
  for (const schema of [checkoutSchema, giftSchema, paymentFormSchema]) {
    const { error } = schema.safeParse({ ...RIGHT, ...fields }, { error: zodIssueMessage });
    expect(paymentFormError(error && { ...formProblemOf(error), values: {} })).toBe(
      REOPEN_PAGE_MESSAGE,
    );
  }
});

test.each<[string, Record<string, unknown>]>([
  ["an invalid day", { beginsAt: "99999999999999999" }],
  ["a day in words", { beginsAt: "amanhã" }],
  ["too many trial days", { trialDays: "300" }],
])("%s is refused above the form of a plan", (_what, fields) => {
  const { error } = checkoutSchema.safeParse({ ...RIGHT, ...fields }, { error: zodIssueMessage });
  expect(paymentFormError(error && { ...formProblemOf(error), values: {} })).toBe(
    REOPEN_PAGE_MESSAGE,
  );
});

test("an error beside a field is not repeated above the form, and no problem gives no message", () => {
  expect(
    paymentFormError({ errors: { method: "Escolha uma das opções." }, message: null, values: {} }),
  ).toBeNull();
  expect(paymentFormError(undefined)).toBeNull();
});
