/**
 * States in a payment form for which member it was shown. Only that member sees the typed values
 * again and can pay by it.
 */
export const PAYER_FIELD = "payer";
