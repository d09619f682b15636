/**
 * Says in the form of a payment for which member it was shown. What was typed is given back to them
 * alone, and nobody else pays by it.
 */
export const PAYER_FIELD = "payer";
