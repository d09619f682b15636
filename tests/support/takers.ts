import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";

/** Names of the acquirers of a test's Pix and card charges. */
export type Takers = { pix: string; card: string };

/** The acquirer of each payment method, typed for methods that no test uses too. */
export const takenBy = (takers: Takers): Record<PaymentMethod, string> => takers;
