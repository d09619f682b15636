/** Says in the form of a payment for which member it was shown. It decides nothing but who is given back what was typed. */
export const PAYER_FIELD = "payer";
