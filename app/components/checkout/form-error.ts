import type { FormProblem } from "#app/lib/form-problem.ts";

/** What a payment's form carries without an input beside which something could be said. */
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

/** What is said above a payment's form: of the whole of it, or of a field that nobody sees. */
export function paymentFormError(problem: FormProblem | undefined): string | null {
  const unseen = UNSEEN_FIELDS.find((name) => problem?.errors[name] !== undefined);
  return problem?.message ?? (unseen === undefined ? null : (problem?.errors[unseen] ?? null));
}
