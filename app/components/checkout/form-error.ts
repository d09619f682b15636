import type { FormProblem } from "#app/lib/form-problem.ts";

/** Hidden fields of a payment form, which have no place for an error. */
const UNSEEN_FIELDS = [
  "payment",
  "coupon",
  "periods",
  "planPriceId",
  "amountCents",
  "beginsAt",
  "trialDays",
  "cardToken",
];

/** Error above a payment form: of the whole form, or of a hidden field. */
export function paymentFormError(problem: FormProblem | undefined): string | null {
  const unseen = UNSEEN_FIELDS.find((name) => problem?.errors[name] !== undefined);
  return problem?.message ?? (unseen === undefined ? null : (problem?.errors[unseen] ?? null));
}
