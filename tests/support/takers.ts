import type { PaymentMethod } from "#app/domain/payments/schema.ts";

/** The providers, by name, that take what a test pays. */
export type Takers = { pix: string; card: string };

/** Who takes each payment method in a test, also those methods by which it pays nothing. */
export const takenBy = (takers: Takers): Record<PaymentMethod, string> => takers;
